# shellcheck shell=bash
# Configuring and building one preset. Sourced after env.sh.

# As many compilers at once as there are processors, but no more than memory holds (a Beast file takes about 1 GB).
compile_jobs() {
  local processors memory
  processors=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
  if ((memory < 1)); then memory=1; fi
  printf '%s' $((processors < memory ? processors : memory))
}

# Throws a tree away that was configured for another place: the clone was moved or copied.
drop_moved_tree() {
  local cache=$1/CMakeCache.txt
  if [[ -e $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$repository" "$cache"; then rm -rf "$1"; fi
}

# Lets through what ninja does, after a heading; nothing at all when there is nothing to do.
building_output() {
  awk -v heading="==> building build/$1" '
    /^ninja: Entering directory/ || /^ninja: no work to do/ || /Re-checking globbed directories/ { next }
    !shown++ { print heading }
    { print; fflush() }'
}

# build PRESET TARGET...: configures if need be and builds; with no target, everything. Silent when nothing is to be done.
build() {
  local preset=$1 tree=$repository/build/$1
  shift
  take_lock "$repository/build/$preset.lock" "another build of $preset is running: waiting for it"
  drop_moved_tree "$tree"
  if [[ ! -e $tree/build.ninja ]]; then
    step "configuring build/$preset"
    (cd "$repository" && cmake --preset "$preset" </dev/null 2>&1) || fail "cmake failed (preset $preset)"
  fi
  NINJA_STATUS='    [%f/%t] ' ninja -C "$tree" -j "$(compile_jobs)" "$@" </dev/null 2>&1 | building_output "$preset" ||
    fail "the build failed (preset $preset)"
  release_lock
}
