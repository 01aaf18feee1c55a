# Tests of the SDK, and of the module that a release consists of. Build it first.
set -eu
unformatted=$(gofmt -l .)
test -z "$unformatted" || { echo "run gofmt -w on $unformatted"; exit 1; }
go vet ./...
go test ./...

# A module is published as a tag of its repository, which has the generated code too. Another module uses it here, from a
# repository in this machine.
module=$(go list -m)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/module" "$scratch/user"
cp -R -- *.go go.mod go.sum README.md ballcourtv1 internal "$scratch/module"
GOPROXY=file://$(go env GOMODCACHE)/cache/download # what the build fetched
export GOPROXY GONOSUMDB='*' GOPRIVATE="$module" GOMODCACHE="$scratch/modules" GOFLAGS=-modcacherw
export GIT_CONFIG_GLOBAL="$scratch/gitconfig"
git config --global "url.$scratch/module.insteadOf" "https://$module"
cd "$scratch/module"
git init --quiet
git add --all --force
git -c user.name=Ballcourt -c user.email=ballcourt@localhost commit --quiet --message "The module"
git tag v0.1.0
cd "$scratch/user"
cat > main.go << END
package main

import (
	ballcourt "$module"
	"$module/ballcourtv1"
)

func main() {
	_ = ballcourt.Run
	_ = &ballcourtv1.MayaObservation{}
}
END
go mod init user 2> /dev/null
go get "$module@v0.1.0"
go list -deps . > /dev/null
