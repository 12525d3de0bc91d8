'use strict'
// Asks for each target of growth.queries at the gateway, one after another: once, then more times, and the page behind it
// likewise. Prints a line of JSON each: {"target", "status", "first", "p50"} (ms).
// node growth.js GATEWAY API_KEY CONTACTS
// node growth.js --lacking <openapi.json prints the parameters of documented queries that growth.queries does not use.
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')

const [gateway, key, contacts] = process.argv.slice(2)
const times = 9
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
const kinds = { tag: 1, list: 2, contact: 3, campaign: 4, conversation: 5, message: 6, member: 8, segment: 9 }

const hexadecimal = (n, digits) => n.toString(16).padStart(digits, '0')

// As pg_temp.numbered() of the .sql files.
function id (kind, n) {
  if (kind === 'auditor') return '00000000-0000-7000-8000-' + hexadecimal(n, 12)
  const digits = hexadecimal(1767225600000 + n, 12) + '7' + hexadecimal(kinds[kind], 3) + '8' + hexadecimal(n, 15)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

// The last contact whose last name is Müller.
function lastMuller () {
  let n = Number(contacts)
  while (n % 11 !== 3) --n
  return n
}

const queries = () => fs.readFileSync(path.join(__dirname, 'growth.queries'), 'utf8').split('\n').filter((line) => line.startsWith('/'))
const filled = (line) => line.replace('{last_muller}', lastMuller()).replace(/\{([a-z]+):(\d+)\}/g, (_, kind, n) => id(kind, Number(n)))

// The answer's status, its time in ms, and the target of the page behind it.
function get (target) {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint()
    http.get(gateway + target, { agent, headers: { Authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume()
      answer.on('error', reject)
      answer.on('end', () => {
        const next = /<([^>]*)>; rel="next"/.exec(answer.headers.link ?? '')
        resolve({ status: answer.statusCode, ms: Number(process.hrtime.bigint() - start) / 1e6, next: next?.[1] })
      })
    }).on('error', reject)
  })
}

// What the rows have nothing for, or what is no query of rows.
const exempt = [/^\/webhooks/, /^\/l\//, /^\/api\/events/, /^\/api\/analytics/, /^\/api\/organization\/(templates|phone)/, /\/media$/,
  /\/export$/, /\/preview$/, /\/deliveries$/, /\/retargets\//, /\/regenerate$/, /\/sessions$/, /\/failed-rows$/]
const notQueried = ['format', 'page', 'limit', 'per_page', 'skip', 'order', 'cursor', 'attributes', 'organization_id']

function lacking (document) {
  const targets = queries().map((line) => line.split('?'))
  const resolve = (parameter) => parameter.$ref ? parameter.$ref.slice(2).split('/').reduce((at, name) => at[name], document) : parameter
  const out = []
  for (const [path, { get, parameters = [] }] of Object.entries(document.paths)) {
    if (!get || exempt.some((one) => one.test(path))) continue
    const pattern = new RegExp('^' + path.replace(/\{[^}]*\}/g, '\\{[a-z]+:\\d+\\}') + '$')
    const used = targets.filter(([target]) => pattern.test(target)).map(([, query = '']) => query)
    const names = [...parameters, ...get.parameters ?? []].map(resolve).filter((one) => one.in === 'query').map((one) => one.name)
    if (names.length > 0 && used.length === 0) out.push(path)
    for (const name of names) {
      if (!notQueried.includes(name) && !used.some((query) => new URLSearchParams(query).has(name))) out.push(`${path}?${name}`)
    }
  }
  return out
}

async function measure (name, target) {
  const first = await get(target)
  const later = []
  for (let i = 0; i < times; ++i) later.push((await get(target)).ms)
  later.sort((a, b) => a - b)
  const round = (ms) => Math.round(ms * 10) / 10
  console.log(JSON.stringify({ target: name, status: first.status, first: round(first.ms), p50: round(later[times >> 1]) }))
  return first.next
}

async function main () {
  for (const line of queries()) {
    const next = await measure(line, filled(line))
    if (next) await measure(line + ' (next)', next)
  }
  agent.destroy()
}

if (gateway === '--lacking') console.log(lacking(JSON.parse(fs.readFileSync(0))).join('\n'))
else main()
