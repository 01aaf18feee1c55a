# The SDK's own checks, in a folder where it has been built.
set -eu
mvn -q -B fmt:check test
