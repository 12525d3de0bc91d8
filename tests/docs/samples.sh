# shellcheck shell=bash
# The code in the guides, taken out of them to be run. Sourced after deploy/local/env.sh.
# shellcheck disable=SC2034  # used by those who source this file
guides=$repository/gateway/docs/guides
tools=$repository/build/docs-tests # what npm has of tests/docs/package.json

# code GUIDE LANGUAGE [N]: the blocks of code of a language in a guide, or the Nth of them.
code() {
  awk -v fence="\`\`\`$2" -v wanted="${3:-0}" '
    $0 == fence { inside = 1; if (++n == wanted || !wanted) found = 1; next }
    /^```$/ { inside = 0 }
    inside && (!wanted || n == wanted)
    END { if (!found) exit 1 }' "$guides/$1.md" || fail "$1.md has no such code: $2 ${3:-}"
}

# Installs the packages of tests/docs/package.json, unless they are there.
install_tools() {
  mkdir -p "$tools"
  if cmp -s "$repository/tests/docs/package-lock.json" "$tools/installed"; then return 0; fi
  cp "$repository"/tests/docs/{package.json,package-lock.json,.npmrc} "$tools/"
  (cd "$tools" && npm ci --prefer-offline --fetch-retries=1 --fetch-timeout=60000 >"$tools/npm.log" 2>&1) || return 1
  cp "$tools/package-lock.json" "$tools/installed"
}

# to_javascript FILE.ts FILE.mjs: leaves the types out, by the packages of tests/docs, or by a node that knows how to.
# Returns 1 where neither is there.
to_javascript() {
  NODE_PATH=$tools/node_modules node -e '
    const {readFileSync, writeFileSync} = require("node:fs");
    const [from, to] = process.argv.slice(1);
    const text = readFileSync(from, "utf8");
    let strip = require("node:module").stripTypeScriptTypes;
    try {
      const {transpile} = require("typescript");
      strip = (text) => transpile(text, {target: "ES2022", module: "ESNext"});
    } catch {
      if (!strip) process.exit(1);
    }
    writeFileSync(to, strip(text));' "$1" "$2" 2>/dev/null
}
