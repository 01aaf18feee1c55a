# Tests of the SDK. Build it first.
set -eu
find . -name target -prune -o -type f -exec touch {} +  # see mirror.sh
cargo fmt --check
cargo clippy --release --locked --all-targets -- --deny warnings
cargo test --release --locked

# what the registry gets compiles without the rest
cargo package --no-verify --allow-dirty
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
tar --extract --file "target/package/ballcourt-$version.crate" --directory target/package
cargo check --release --locked --manifest-path "target/package/ballcourt-$version/Cargo.toml" --target-dir target
