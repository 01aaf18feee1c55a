# Tests of the SDK. Build it first. Needs the Debian packages clang-format and libgtest-dev.
set -eu
clang-format --style='{BasedOnStyle: Google, ColumnLimit: 120}' --dry-run -Werror \
    src/*.cc src/*.h include/ballcourt/*.h mirror/*.cc test/*.cc
make -C build -j 2 session_test
ctest --test-dir build --output-on-failure
