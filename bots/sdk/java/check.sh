# Tests of the SDK, and of the artifacts that a release consists of, in a repository that is a folder. Build it first.
set -eu
mvn -q -B -Prelease fmt:check deploy "-DaltDeploymentRepository=here::file:$PWD/target/deployed"
for artifact in .jar .pom -sources.jar -javadoc.jar; do
    set -- target/deployed/io/github/ballcourt/ballcourt/*/ballcourt-*[0-9]"$artifact"
    test -s "$1" || { echo "there is no ballcourt$artifact"; exit 1; }
done
