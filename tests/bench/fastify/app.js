'use strict'
// GET /api/contacts and /api/contacts/:id with the same answers as the contacts service, which asks
// the conversations service; this one process asks both schemas itself. No identity, metrics or log.
//
//   PORT, DATABASE_URL, ORGANIZATION, CONNECTIONS
//   STATEMENTS: the path of statements.js
//   PIPELINE=1: a request's statements travel together on one connection that other requests share (pg's pipeline mode);
//               0: through a pg.Pool, each on a connection that is free
//   SCHEMA=1:   answers are written by fast-json-stringify; 0: by JSON.stringify
const fastify = require('fastify')
const pg = require('pg')
const { prepared } = require(process.env.STATEMENTS)
const schemas = require('./schemas.js')

const { PORT, DATABASE_URL, ORGANIZATION, CONNECTIONS, PIPELINE, SCHEMA } = process.env

// '2026-01-31 12:34:56.789+00' -> '2026-01-31T12:34:56.789Z': twice as fast as through a Date. The sessions are in UTC.
const timestamp = (text) => text.slice(0, 10) + 'T' + (text.slice(11, -3) + (text.length === 22 ? '.000' : '000')).slice(0, 12) + 'Z'
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, timestamp)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const arrayOfText = pg.types.getTypeParser(1009)
pg.types.setTypeParser(2951, arrayOfText) // uuid[]

const [find, listsOf, tagsOf, ofContact] = ['find', 'lists_of', 'tags_of', 'of_contact'].map(prepared)
const [page, pageLists, pageTags, total, ofContacts] = ['page', 'page_lists', 'page_tags', 'total', 'of_contacts'].map(prepared)

// One plan a statement, as the read lanes of the services have: planning anew would cost more than most statements.
const settings = {
  connectionString: DATABASE_URL,
  options: '-c timezone=UTC -c plan_cache_mode=force_generic_plan',
  pipeline: PIPELINE === '1'
}
const clients = []
let pool
let turn = 0

async function connect () {
  if (PIPELINE !== '1') {
    pool = new pg.Pool({ ...settings, max: Number(CONNECTIONS), min: Number(CONNECTIONS), idleTimeoutMillis: 0 })
    return
  }
  for (let i = 0; i < Number(CONNECTIONS); i++) {
    const client = new pg.Client(settings)
    await client.connect()
    clients.push(client)
  }
}

// Where the statements of one request go.
const connection = () => pool ?? clients[turn++ % clients.length]

async function rows (on, { name, text, names }, parameters) {
  const values = new Array(names.length)
  for (let i = 0; i < names.length; i++) values[i] = parameters[names[i]]
  const result = await on.query({ name, text, values })
  return result.rows
}

// Rows of a list and one of its tags, or none, become lists.
function toLists (rows) {
  const lists = []
  for (const row of rows) {
    let list = lists[lists.length - 1]
    if (list === undefined || list.uniqueId !== row.uniqueId) {
      list = {
        uniqueId: row.uniqueId,
        name: row.name,
        description: row.description,
        numberOfContacts: row.numberOfContacts,
        numberOfCampaignsSent: row.numberOfCampaignsSent,
        tags: [],
        createdAt: row.createdAt
      }
      lists.push(list)
    }
    if (row.tag_id !== null) list.tags.push({ label: row.tag_label, uniqueId: row.tag_id })
  }
  return lists
}

// Rows of a conversation and one of its messages, or none, become conversations by contact.
function toConversations (rows) {
  const byContact = new Map()
  let conversation
  for (const row of rows) {
    if (conversation === undefined || conversation.uniqueId !== row.id) {
      conversation = {
        uniqueId: row.id,
        contactId: row.contact_id,
        campaignId: row.campaign_id,
        organizationId: ORGANIZATION,
        initiatedBy: row.initiated_by,
        messages: [],
        createdAt: row.created_at,
        status: row.status
      }
      const others = byContact.get(row.contact_id)
      if (others === undefined) byContact.set(row.contact_id, [conversation])
      else others.push(conversation)
    }
    if (row.message_id === null) continue
    conversation.messages.push({
      uniqueId: row.message_id,
      conversationId: row.id,
      direction: row.direction,
      status: row.message_status,
      messageType: row.message_type,
      createdAt: row.message_created_at,
      replyToMessageId: row.reply_to_message_id,
      messagingMessageId: row.channel_message_id,
      messageData: row.data,
      errorCode: row.error_code,
      errorText: row.error_text,
      sentBy: { type: row.sender_type, uniqueId: row.sender_id, memberId: row.sender_member_id },
      campaignId: row.message_campaign_id
    })
  }
  return byContact
}

const byId = (list) => new Map(list.map((each) => [each.uniqueId, each]))

function toContact (row, lists, tags, conversationsOfIt) {
  return {
    uniqueId: row.uniqueId,
    name: row.name,
    phone: row.phone,
    attributes: row.attributes,
    createdAt: row.createdAt,
    status: row.status,
    lists,
    tags,
    conversations: conversationsOfIt ?? []
  }
}

async function getContact (request, reply) {
  const id = request.params.id
  const on = connection()
  const parameters = { organization_id: ORGANIZATION, id }
  const [[row], lists, tags, itsConversations] = await Promise.all([
    rows(on, find, parameters),
    rows(on, listsOf, parameters),
    rows(on, tagsOf, parameters),
    rows(on, ofContact, parameters)
  ])
  if (row === undefined) return reply.code(404).send({ detail: 'there is no contact with this id' })
  return { contact: toContact(row, toLists(lists), tags, toConversations(itsConversations).get(id)) }
}

// Where the next page begins: behind the last contact, if there are more.
const cursor = (ids, skip, total) =>
  skip + ids.length < total ? Buffer.from(`createdAt desc\n${ids.at(-1)}`).toString('base64url') : null

async function getContacts (request) {
  const perPage = Number(request.query.per_page ?? 20)
  const skip = Number(request.query.skip ?? 0)
  const on = connection()
  const parameters = { organization_id: ORGANIZATION, per_page: perPage, skip }
  const rest = Promise.all([rows(on, pageLists, parameters), rows(on, pageTags, parameters), rows(on, total, parameters)])
  const found = await rows(on, page, parameters)
  const ids = found.map((row) => row.uniqueId)
  const theirs = { organization_id: ORGANIZATION, ids }
  const [theirConversations, [listRows, tagRows, [all]]] = await Promise.all([rows(on, ofContacts, theirs), rest])
  const lists = byId(toLists(listRows))
  const tags = byId(tagRows)
  const byContact = toConversations(theirConversations)
  return {
    contacts: found.map((row) =>
      toContact(row, row.list_ids.map((id) => lists.get(id)), row.tag_ids.map((id) => tags.get(id)), byContact.get(row.uniqueId))),
    paginationMeta: { page: Math.floor(skip / perPage) + 1, per_page: perPage, total: all.contacts, nextCursor: cursor(ids, skip, all.contacts) }
  }
}

async function main () {
  await connect()
  const app = fastify({ logger: false })
  const schema = (answer) => (SCHEMA === '1' ? { schema: { response: { 200: answer } } } : {})
  app.get('/api/contacts', schema(schemas.page), getContacts)
  app.get('/api/contacts/:id', schema(schemas.contact), getContact)
  await app.listen({ host: '127.0.0.1', port: Number(PORT) })
}

main().catch((error) => {
  console.error(error)
  process.exit(1)
})
