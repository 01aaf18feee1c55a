# Generates the protocol's code, then builds the bot. Needs Go 1.26 or newer.
set -eu
(cd sdk && go generate ./...)
go mod tidy
go build -buildvcs=false -o build/ ./...
