# Compiles the mirror bot.
set -eu
if [ -n "${BALLCOURT_BUILD_CACHE:-}" ]; then
    mkdir -p "$BALLCOURT_BUILD_CACHE/target"
    ln -s "$BALLCOURT_BUILD_CACHE/target" target
fi
find . -name target -prune -o -type f -exec touch {} +  # cargo goes by times, and a copy keeps those of its original
cargo build --release --locked --example mirror
cp target/release/examples/mirror mirror
