# Generates the protocol's code, then builds the bot. Needs Go 1.26 or newer.
set -eu
needs="go"
packages="golang"
for tool in $needs; do
  command -v "$tool" > /dev/null || { echo "there is no $tool on the PATH; Debian's packages: $packages" >&2; exit 1; }
done
(cd sdk && go generate ./...)
go mod tidy
go build -buildvcs=false -o build/ ./...
