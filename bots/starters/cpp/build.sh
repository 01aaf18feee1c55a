# Builds the SDK and the bot. Needs g++ 12 or newer, cmake, and the Debian packages libgrpc++-dev and
# protobuf-compiler-grpc.
set -eu
needs="c++ cmake pkg-config protoc grpc_cpp_plugin"
packages="g++ cmake libgrpc++-dev protobuf-compiler-grpc"
for tool in $needs; do
  command -v "$tool" > /dev/null || { echo "there is no $tool on the PATH; Debian's packages: $packages" >&2; exit 1; }
done
cmake -S . -B build
cmake --build build --parallel 2
