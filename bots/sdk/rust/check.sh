# Tests of the SDK. Build it first.
set -eu
find . -name target -prune -o -type f -exec touch {} +  # see mirror.sh
cargo fmt --check
cargo clippy --release --locked --all-targets -- --deny warnings
cargo test --release --locked
