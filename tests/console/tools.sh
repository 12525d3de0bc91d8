# shellcheck shell=bash
# What the console's tests need besides the packages that it is built with. Sourced after deploy/local/env.sh.
# shellcheck disable=SC2034  # used by those who source this file
tools=$repository/build/console-tests

# Installs the packages of gateway/console with those for tests, unless they are there.
install_tools() {
  mkdir -p "$tools"
  if cmp -s "$repository/gateway/console/package-lock.json" "$tools/installed"; then return 0; fi
  rm -f "$tools/installed"
  cp "$repository"/gateway/console/{package.json,package-lock.json,.npmrc} "$tools/"
  (cd "$tools" && npm ci --ignore-scripts --prefer-offline --fetch-retries=1 --fetch-timeout=60000 >"$tools/npm.log" 2>&1) || return 1
  cp "$tools/package-lock.json" "$tools/installed"
}

# Makes the types of the contract, which sources import as '#schema'.
make_schema() {
  "$tools/node_modules/.bin/openapi-typescript" "$repository/gateway/openapi.yaml" --output "$tools/schema.new.d.ts" >"$tools/schema.log" 2>&1 &&
    mv "$tools/schema.new.d.ts" "$tools/schema.d.ts"
}
