# shellcheck shell=bash
# For tests/faults/servers and tests/faults/pgbouncer, which source it with their name, a kind of
# tests/support/databases.hpp, what that is for, the areas to leave out (blanks between them), and their own arguments:
# the end-to-end tests, area by area, each on a system with databases of that kind.

program=$1 kind=$2 purpose=$3 left_out=$4
shift 4

usage() {
  cat <<END
usage: $program [--build FOLDER] [AREA...]

$purpose

Runs the areas' end-to-end tests (all but: $left_out), as ctest does it but on such a system, and prints
what each came to. FOLDER has the built tests in bin/ (build/release, else build/dev). About ten minutes for all.
END
}

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=
while (($# > 0)); do
  case $1 in
    --help | -h)
      usage
      exit 0
      ;;
    --build)
      build=${2:?--build needs a folder}
      shift
      ;;
    -*)
      usage >&2
      exit 2
      ;;
    *) break ;;
  esac
  shift
done
if [[ -z $build ]]; then
  build=$repository/build/dev
  [[ ! -x $repository/build/release/bin/parley-e2e-tests ]] || build=$repository/build/release
fi
tests=$build/bin/parley-e2e-tests
[[ -x $tests ]] || {
  echo "$program: $tests is not there: tests/run builds it" >&2
  exit 2
}

areas=("$@")
if ((${#areas[@]} == 0)); then
  mapfile -t areas < <(cd "$repository/tests/e2e" && grep -l '^ *TEST_CASE' ./*.cpp | sed 's|^\./||; s/\.cpp$//; s/_.*//' | sort -u)
  for area in $left_out; do
    mapfile -t areas < <(printf '%s\n' "${areas[@]}" | grep -vx "$area")
  done
fi

output=$(mktemp "/tmp/parley-$kind.XXXXXX")
trap 'rm -f "$output"' EXIT
failed=()
for area in "${areas[@]}"; do
  begin=$SECONDS
  if PARLEY_TEST_DATABASES=$kind "$tests" --source-file="*/tests/e2e/${area}_*,*/tests/e2e/$area.cpp" > "$output" 2>&1; then
    verdict=passed
  else
    verdict=FAILED
    failed+=("$area")
    cat "$output"
  fi
  printf '%-14s %s in %3d s; %s\n' "$area" "$verdict" "$((SECONDS - begin))" \
    "$(sed -n 's/^\[doctest\] //; /^test cases:/p' "$output" | tail -n 1)"
done
if ((${#failed[@]} > 0)); then
  echo "$program: failed: ${failed[*]}"
  exit 1
fi
echo "$program: ${#areas[@]} areas passed on databases of the kind \"$kind\""
