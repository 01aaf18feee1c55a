# Tests of the SDK. Build it first.
set -eu
npm run format
npm test
