# Builds the SDK, then the bot. Needs JDK 17 or newer and Maven 3.8 or newer.
set -eu
mvn -q -B -DskipTests package
