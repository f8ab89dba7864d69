// What the page of the Platform says beside its rows.
import { accountTable } from '../shared/account/document.js'
import type { ApiTable } from '../shared/openapi/route.js'
import { platformOperations } from './operations.js'

/** Before all of its paths. */
export const BASE = '/platform/v1'

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Credentials.** Press *Authorize* and enter the id and the access
token of an account; \`npx fiskalwerk dealer create\` prints a pair. An account sees what happens to
itself and to everybody that it is connected with by the right \`Read\` at least.

**Refusals** come as problem details (RFC 9457) with \`code\`, a word for programs.`

export const platformTags = {
  Problems: 'What is wrong, since when, and what to do about it.',
  Merchants: 'All merchants, with their CashBoxes and signing units as they stand.',
  Queues: 'Registers of all merchants as they stand, and their outages.',
  Outages: 'What an outage is waiting for, its clock, and the server that ends it by itself.',
  Registration: 'What authorities are told of registers, and by when.',
  Events: 'What has happened: read, waited for and followed, in order and without gaps.',
  Inspections: 'Everything that an auditor asks for, in one file, verified.',
  Jobs: 'Long work: how far it is, and what came of it.',
  'API keys': 'Further tokens of the account, each for a part of what its own one may.',
  Drafts: 'Work that was begun and not done, kept for later.',
  Calls: 'The last calls of the sandbox: what came, what went, and how to repeat it.',
  Audit: 'Who has changed what, and with which key.',
  Webhooks: 'Events brought to an address of your own.',
}

const meanings = {
  errors: 'Member to texts.',
  code: 'A word for programs.',
  traceId: 'Finds the call in the log.',
  type: 'Address that explains the status.',
  title: 'The status in words.',
  status: 'The status.',
  detail: 'What is wrong, as a sentence.',
  instance: 'The path of the call.',
  items: 'What was found.',
  text: 'What it means.',
  example: 'How it may look.',
}

export const platformTable: ApiTable = accountTable(platformOperations, {
  ...{ name: 'platform', base: BASE, meanings },
})
