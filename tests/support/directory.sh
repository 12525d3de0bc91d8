# shellcheck shell=bash
# The directory of the servers that tests start: below the build tree, or in /tmp during the run if the servers' account has
# no access to the build tree (root with a clone under /root).

lent_directory=

# lend_directory PRESET
lend_directory() {
  if ((EUID != 0)) || setpriv --reuid=postgres --regid=postgres --clear-groups test -x "$repository/build/$1"; then return 0; fi
  lent_directory=$(mktemp -d /tmp/parley-tests.XXXXXX)
  chmod 755 "$lent_directory"
  export PARLEY_TEST_DIRECTORY=$lent_directory
}

take_directory_back() { if [[ -n $lent_directory ]]; then rm -rf "$lent_directory"; fi; }
