# Tests of the SDK. Build it first.
set -eu
npm run format
npm test

# what the registry gets can be used by another package
npm publish --dry-run --silent
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
npm pack --silent --pack-destination "$scratch" > /dev/null
cd "$scratch"
npm install --silent --no-package-lock ./*.tgz
node --input-type=module --eval 'import "ballcourt"; import "ballcourt/v1/protocol"'
