# Builds the mirror bot.
set -eu
if [ -n "${BALLCOURT_BUILD_CACHE:-}" ]; then
    mkdir -p "$BALLCOURT_BUILD_CACHE/target"
    ln -s "$BALLCOURT_BUILD_CACHE/target" target
fi
find . -name target -prune -o -type f -exec touch {} +  # cargo compares times, and a copy has the times of its original
cargo build --release --locked --example mirror
cp target/release/examples/mirror mirror
