# shellcheck shell=bash
# Configuring and building one preset. Sourced after env.sh.

# The number of parallel compilers: one for each processor, limited by memory (a file with Beast takes about 1 GB).
compile_jobs() {
  local processors memory
  processors=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
  if ((memory < 1)); then memory=1; fi
  printf '%s' $((processors < memory ? processors : memory))
}

# Removes a build tree that was configured at another path: the clone was moved or copied.
drop_moved_tree() {
  local cache=$1/CMakeCache.txt
  if [[ -e $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$repository" "$cache"; then rm -rf "$1"; fi
}

# Prints ninja's steps after a heading; prints nothing if there is nothing to do.
building_output() {
  awk -v heading="==> building build/$1" '
    /^ninja: Entering directory/ || /^ninja: no work to do/ || /Re-checking globbed directories/ { next }
    !shown++ { print heading }
    { print; fflush() }'
}

# build PRESET TARGET...: configures if necessary and builds; without a target, everything. Silent if there is nothing to do.
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
