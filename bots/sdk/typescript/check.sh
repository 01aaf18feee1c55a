# The SDK's own checks, in a folder where it has been built.
set -eu
npm run format
npm test
