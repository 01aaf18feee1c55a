# The SDK's own checks, in a folder where it has been built.
set -eu
find . -name target -prune -o -type f -exec touch {} +  # as in mirror.sh: another folder may have been built since
cargo fmt --check
cargo clippy --release --locked --all-targets -- --deny warnings
cargo test --release --locked
