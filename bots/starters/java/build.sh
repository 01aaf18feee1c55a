# Builds the SDK, then the bot. Needs JDK 17 or newer and Maven 3.8 or newer.
set -eu
needs="javac mvn"
packages="default-jdk maven"
for tool in $needs; do
  command -v "$tool" > /dev/null || { echo "there is no $tool on the PATH; Debian's packages: $packages" >&2; exit 1; }
done
mvn -q -B -DskipTests package
