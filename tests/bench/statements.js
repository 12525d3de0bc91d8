'use strict'
// The statements of opponents.sql, for those that send them.
const fs = require('node:fs')
const path = require('node:path')

// By name: { parameters: [[name, type]...], text }.
function readAll () {
  const sections = fs.readFileSync(path.join(__dirname, 'opponents.sql'), 'utf8').split(/^-- name: /m).slice(1)
  return Object.fromEntries(sections.map((section) => {
    const [, name, declared, text] = /^([a-z_]+)\(([^)]*)\)\n([^]*)$/.exec(section)
    return [name, { parameters: declared.split(', ').map((one) => one.split(' ')), text: text.trim().replace(/\s+/g, ' ') }]
  }))
}
const statements = readAll()

// For node-postgres: { name, text, names }.
function prepared (name) {
  const { parameters, text } = statements[name]
  return { name, names: parameters.map(([each]) => each), text: text.replace(/\$(\d)/g, (each, n) => `${each}::${parameters[n - 1][1]}`) }
}

// For pgbench: a script that reads `contacts` contacts one after another, at random from the table bench_ids. That costs
// one statement more, counted as one of theirs. With `pipeline`, the four statements of a contact travel together.
function pgbenchScript (contacts, pipeline) {
  const lines = ['\\set n random(1, :groups)', 'SELECT * FROM bench_ids WHERE n = :n \\gset']
  for (let i = 1; i <= contacts; i++) {
    const values = [':organization::uuid', `:id${i}::uuid`]
    if (pipeline) lines.push('\\startpipeline')
    for (const name of ['find', 'lists_of', 'tags_of', 'of_contact']) {
      lines.push(statements[name].text.replace(/\$(\d)/g, (_, n) => values[n - 1]) + ';')
    }
    if (pipeline) lines.push('\\endpipeline')
  }
  return lines.join('\n') + '\n'
}

module.exports = { prepared }
if (require.main === module) process.stdout.write(pgbenchScript(Number(process.argv[2]), process.argv[3] === 'pipeline'))
