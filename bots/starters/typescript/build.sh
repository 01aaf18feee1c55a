# Builds the SDK, then the bot. Needs Node.js 20 or newer with npm.
set -eu
(cd sdk && npm install --no-package-lock && npm run build)
npm install --no-package-lock
npx tsc
