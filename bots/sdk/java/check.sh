# Tests of the SDK. Build it first.
set -eu
mvn -q -B fmt:check test
