'use strict'
// Webhooks as the channel posts them: one text message each, all different, signed.
//   node webhooks.js bodies SECRET PHONE_NUMBER_ID COUNT DIRECTORY
//     DIRECTORY/bodies: lines `SIGNATURE BODY`, for wrk; DIRECTORY/N.pgbench: the same rows as inserts, for pgbench
//   node webhooks.js queue SECRET PHONE_NUMBER_ID COUNT FILE AFTER
//     FILE: for COPY into a column of bytea; of senders that no file with another AFTER has
//   node webhooks.js visible SECRET PHONE_NUMBER_ID COUNT GATEWAY_URL API_KEY
//     posts one after the other, each when the message of the one before can be read; prints {"p50","p95"}, milliseconds
const crypto = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')

const [, , task, secret, phoneNumberId, count, place, last] = process.argv

function webhook (n) {
  const number = '49170' + String(1000000 + n)
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{
      id: '100000000000001',
      changes: [{
        field: 'messages',
        value: {
          messaging_product: 'whatsapp',
          metadata: { display_phone_number: '15550100', phone_number_id: phoneNumberId },
          contacts: [{ profile: { name: 'Customer ' + n }, wa_id: number }],
          messages: [{
            from: number,
            id: 'wamid.' + crypto.createHash('sha256').update(task + n).digest('base64').slice(0, 40),
            timestamp: String(Math.floor(Date.now() / 1000)),
            type: 'text',
            text: { body: 'Hello, when will my order ' + n + ' arrive? I have been waiting for it since Tuesday.' }
          }]
        }
      }]
    }]
  })
}

const signature = (body) => 'sha256=' + crypto.createHmac('sha256', secret).update(body).digest('hex')

function writeBodies () {
  const lines = []
  for (let n = 0; n < count; n++) {
    const body = webhook(n)
    lines.push(signature(body) + ' ' + body)
    // An insert a connection's turn; some texts only, as each is prepared by each connection.
    if (n < 20) {
      fs.writeFileSync(`${place}/${n}.pgbench`,
        `INSERT INTO bench.inbox (body) VALUES ('\\x${Buffer.from(body).toString('hex')}'::bytea);\n`)
    }
  }
  fs.writeFileSync(`${place}/bodies`, lines.join('\n') + '\n')
}

function writeQueue () {
  const out = fs.createWriteStream(place)
  for (let n = 0; n < count; n++) out.write('\\\\x' + Buffer.from(webhook(2e6 + Number(last) + n)).toString('hex') + '\n')
  out.end()
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
function call (method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(place + path, { method, headers, agent }, (response) => {
      let text = ''
      response.on('data', (piece) => { text += piece })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function visible () {
  const times = []
  for (let n = 0; n < count; n++) {
    const body = webhook(1e6 + n)
    const from = process.hrtime.bigint()
    const posted = await call('POST', '/webhooks/messaging', { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature(body) }, body)
    if (posted.status !== 200) throw new Error('the webhook was answered ' + posted.status)
    for (const deadline = Date.now() + 10000; ;) {
      const read = await call('GET', '/api/messages?direction=InBound&per_page=1', { Authorization: 'Bearer ' + last })
      if (read.status !== 200) throw new Error('the messages were answered ' + read.status + ' ' + read.text)
      if (read.text.includes(`my order ${1e6 + n} arrive`)) break
      if (Date.now() > deadline) throw new Error('the message was not there after 10 s')
    }
    times.push(Number(process.hrtime.bigint() - from) / 1e6)
  }
  times.sort((a, b) => a - b)
  const at = (share) => Math.round(times[Math.floor(times.length * share)] * 100) / 100
  console.log(JSON.stringify({ p50: at(0.5), p95: at(0.95) }))
}

if (task === 'bodies') writeBodies()
else if (task === 'queue') writeQueue()
else visible().then(() => agent.destroy(), (error) => { console.error(error.message); process.exit(1) })
