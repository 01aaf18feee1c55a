# Builds the SDK, then the bot. Needs Node.js 20 or newer with npm.
set -eu
needs="node npm"
packages="nodejs npm"
for tool in $needs; do
  command -v "$tool" > /dev/null || { echo "there is no $tool on the PATH; Debian's packages: $packages" >&2; exit 1; }
done
(cd sdk && npm install --no-package-lock && npm run build)
npm install --no-package-lock
npx tsc
