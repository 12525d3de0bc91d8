'use strict'
// The answers, for fast-json-stringify.
const object = (properties) => ({ type: 'object', properties })
const array = (items) => ({ type: 'array', items })
const string = { type: 'string' }
const integer = { type: 'integer' }
const maybe = { type: ['string', 'null'] }
const free = {} // free-form: left to JSON.stringify

const tag = object({ label: string, uniqueId: string })
const list = object({
  uniqueId: string,
  name: string,
  description: string,
  numberOfContacts: integer,
  numberOfCampaignsSent: integer,
  tags: array(tag),
  createdAt: string
})
const message = object({
  uniqueId: string,
  conversationId: string,
  direction: string,
  status: string,
  messageType: string,
  createdAt: string,
  replyToMessageId: maybe,
  messagingMessageId: maybe,
  messageData: free,
  errorCode: { type: ['integer', 'null'] },
  errorText: maybe,
  sentBy: object({ type: string, uniqueId: maybe, memberId: maybe }),
  campaignId: maybe
})
const conversation = object({
  uniqueId: string,
  contactId: string,
  campaignId: maybe,
  organizationId: string,
  initiatedBy: string,
  messages: array(message),
  createdAt: string,
  status: string
})
const contact = object({
  uniqueId: string,
  name: string,
  phone: string,
  attributes: free,
  createdAt: string,
  status: string,
  lists: array(list),
  tags: array(tag),
  conversations: array(conversation)
})

module.exports = {
  contact: object({ contact }),
  page: object({ contacts: array(contact), paginationMeta: object({ page: integer, per_page: integer, total: integer, nextCursor: maybe }) })
}
