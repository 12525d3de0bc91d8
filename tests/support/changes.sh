# shellcheck shell=bash
# The files that a change touches, their tests, and clang-tidy on them. Sourced after env.sh and build.sh.

in_git() { git -c "safe.directory=$repository" -c core.quotePath=false -C "$repository" "$@"; }

# changed_files BASE: the paths that differ from that revision, one a line, with untracked files. An empty BASE means
# the merge base with origin/main, or HEAD without such a branch.
changed_files() {
  local base=$1
  in_git rev-parse --git-dir >/dev/null 2>&1 || return 1
  if [[ -z $base ]]; then base=$(in_git merge-base HEAD origin/main 2>/dev/null) || base=HEAD; fi
  in_git diff --name-only "$base" -- && in_git ls-files --others --exclude-standard
}

# areas_of PATH: the tests of a path besides the unit tests, as `integration\.contacts`, one a line; possibly none.
areas_of() {
  local folder name inner areas
  IFS=/ read -r _ folder name inner _ <<<"$1"
  case $1 in
    gateway/docs/* | tests/docs/*) printf '%s\n' 'docs\.samples' 'e2e\.documents' ;;
    gateway/console/* | tests/console/*) printf '%s\n' 'console\..*' 'e2e\.console' ;;
    *.md) ;;
    tests/support/* | *CMakeLists.txt | *.cmake) printf '%s\n' 'integration\..*' ;;
    tests/integration/* | tests/e2e/* | tests/faults/*.[ch]pp) printf '%s\n' "$folder\\.${name%%[_.]*}" ;;
    tests/simulator/*) printf '%s\n' 'integration\.simulator' ;;
    services/*/*/*)
      printf '%s\n' "(integration|e2e)\\.($name|$inner)"
      # Tests that include a header of the folder.
      areas=$(cd "$repository/tests/integration" && { grep -l "#include \"$folder/$name/" -- *.[ch]pp || true; })
      if [[ -n $areas ]]; then sed 's/[_.].*//; s/^/integration\\./' <<<"$areas" | sort -u; else printf '%s\n' "integration\\.$folder"; fi
      ;;
    services/*/*) printf '%s\n' "integration\\.$folder" ;;
    common/*/*) printf '%s\n' "integration\\.$folder" ;;
    gateway/clients/* | tests/clients/*) printf '%s\n' 'clients\..*' ;;
    gateway/openapi.yaml | gateway/openapi/*)
      printf '%s\n' 'clients\..*' 'console\..*' 'integration\.gateway' 'e2e\.(console|documents|routes|surface)'
      ;;
    gateway/*) printf '%s\n' 'integration\.gateway' 'e2e\.(console|documents|routes|surface)' ;;
    deploy/*/*) printf '%s\n' "deploy\\..*" ;;
  esac
  case $1 in *.sql | *.fragment) printf '%s\n' 'integration\.schema' ;; esac
}

# tests_of_changes BASE: ctest's arguments for the unit tests, the fuzz corpora, and the areas that a change touches.
tests_of_changes() {
  local path paths areas=()
  paths=$(changed_files "$1") || fail "git does not tell what changed"
  while read -r path; do mapfile -t -O "${#areas[@]}" areas < <(areas_of "$path"); done <<<"$paths"
  mapfile -t areas < <(printf '%s\n' 'unit\..*' 'fuzz\..*' "${areas[@]}" | sort -u)
  (IFS='|' && printf '^(%s)$' "${areas[*]}")
}

# sources_of PRESET: the sources that clang-tidy can check, one a line.
sources_of() {
  jq -r '.[].file' "$repository/build/$1/compile_commands.json" |
    grep -E "^$repository/(common|services|gateway|tests)/" | sort -u
}

# changed_sources PRESET BASE: the sources that changed, or whose header beside them did.
changed_sources() {
  local paths sources
  paths=$(changed_files "$2") || return 1
  sources=$(sources_of "$1") || fail "build/$1/compile_commands.json does not tell the sources"
  comm -12 - <(sed "s|^|$repository/|; s|\.hpp$|.cpp|" <<<"$paths" | sort -u) <<<"$sources"
}

# tidy_changes PRESET SOURCE...: clang-tidy; in continuous integration only on the first 10 sources.
tidy_changes() {
  local preset=$1 most=10
  shift
  if [[ -n ${CI:-} ]] && (($# > most)); then
    note "clang-tidy leaves out $(($# - most)) of $# changed sources: tests/run --tidy checks them"
    set -- "${@:1:most}"
  fi
  tidy "$preset" "$@"
}

# tidy PRESET SOURCE...: clang-tidy on these sources.
tidy() {
  local tree=$repository/build/$1
  shift
  step "clang-tidy on $# sources"
  printf '%s\0' "$@" | xargs -0 -r -n 1 -P "$(compile_jobs)" clang-tidy-19 -p "$tree" --quiet \
    2> >(sed -E '/^[0-9]+ warnings? generated/d' >&2)
}
