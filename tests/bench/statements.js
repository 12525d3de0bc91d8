'use strict'
// The services' own .sql files as statements for others to run: what common/pg/sql.cmake and pg::Variants make of them.
const fs = require('node:fs')
const path = require('node:path')

// Resolves /*if NAME*/ .. /*else*/ .. /*end*/ for the enabled names.
function choose (text, enabled) {
  let out = ''
  const taken = [true]
  for (const part of text.split(/(\/\*(?:if [a-z0-9_]+|else|end)\*\/)/)) {
    const mark = /^\/\*(if|else|end) ?([a-z0-9_]*)\*\/$/.exec(part)
    if (!mark) out += taken.every(Boolean) ? part : ''
    else if (mark[1] === 'if') taken.push(enabled.includes(mark[2]))
    else if (mark[1] === 'else') taken.push(!taken.pop())
    else taken.pop()
  }
  return out
}

// The statement of FOLDER/NAME.sql: that file, or the section NAME of FOLDER/queries.sql.
function source (file) {
  if (fs.existsSync(file)) return fs.readFileSync(file, 'utf8')
  const sections = fs.readFileSync(path.join(path.dirname(file), 'queries.sql'), 'utf8').split(/^-- name: /m)
  const name = path.basename(file, '.sql') + ' '
  const found = sections.find((section) => section.startsWith(name))
  if (!found) throw new Error(`there is no statement ${file}`)
  return '-- ' + found.slice(name.length)
}

// The query in `file`; `parameter(name, type)` gives what stands for each parameter.
function read (file, enabled, parameter) {
  let text = source(file)
  const include = /\/\*include ([a-z0-9_]+)\*\//g
  while (include.test(text)) { // a fragment may include others
    text = text.replace(include, (_, name) => fs.readFileSync(path.join(path.dirname(file), name + '.fragment'), 'utf8').trim())
  }
  const [, declared, query] = /^-- (?:read|write|slow)\(([^)]*)\)[^\n]*\n([^]*)$/.exec(text)
  const parameters = declared.split(',').map((one) => one.trim().split(/ +/))
  return choose(query, enabled)
    .replace(/^\s*--[^\n]*\n/gm, '')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\$(\d+)/g, (_, n) => parameter(...parameters[n - 1]))
}

// For node-postgres: { name, text, names }, its parameters numbered anew, as a variant need not use all of them.
function prepared (file, enabled = []) {
  const names = []
  const text = read(file, enabled, (name, type) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}::${type}`
  })
  return { name: [path.basename(file, '.sql'), ...enabled].join('_'), text, names }
}

// For pgbench: a script that reads `contacts` contacts one after another, at random from the table bench_ids. That costs
// one statement more, counted as one of theirs. With `pipeline`, the four statements of a contact travel together.
function pgbenchScript (services, contacts, pipeline) {
  const statements = [['contacts/contacts/sql/find.sql'], ['contacts/contacts/sql/lists_of.sql'], ['contacts/contacts/sql/tags_of.sql'],
    ['conversations/inbox/conversations/sql/of_contact.sql', ['light', 'one']]]
  const lines = ['\\set n random(1, :groups)', 'SELECT * FROM bench_ids WHERE n = :n \\gset']
  for (let i = 1; i <= contacts; i++) {
    const values = { organization_id: ':organization', id: `:id${i}`, contact_id: `:id${i}` }
    if (pipeline) lines.push('\\startpipeline')
    for (const [file, enabled = []] of statements) {
      lines.push(read(path.join(services, file), enabled, (name, type) => `${values[name]}::${type}`) + ';')
    }
    if (pipeline) lines.push('\\endpipeline')
  }
  return lines.join('\n') + '\n'
}

module.exports = { prepared, pgbenchScript }
if (require.main === module) process.stdout.write(pgbenchScript(process.argv[2], Number(process.argv[3]), process.argv[4] === 'pipeline'))
