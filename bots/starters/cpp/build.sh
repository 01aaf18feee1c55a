# Builds the SDK and the bot. Needs g++ 12 or newer, cmake, and the Debian packages libgrpc++-dev and
# protobuf-compiler-grpc.
set -eu
cmake -S . -B build
cmake --build build --parallel 2
