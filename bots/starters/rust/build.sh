# Builds the SDK, then the bot. Needs Rust 1.88 or newer, and a C compiler for the TLS library (Debian: gcc, libc6-dev).
set -eu
needs="cargo cc"
packages="cargo gcc libc6-dev"
for tool in $needs; do
  command -v "$tool" > /dev/null || { echo "there is no $tool on the PATH; Debian's packages: $packages" >&2; exit 1; }
done
target=${BALLCOURT_BUILD_CACHE:-.}/target
test -f Cargo.lock || cp sdk/Cargo.lock .  # the versions that the SDK was tested with
find src sdk -type f -exec touch {} +  # cargo compares times, and a copy has the times of its original
cargo build --release --target-dir "$target"
mkdir -p build
cp "$target/release/bot" build/bot
