// What the page of the Dealer API says beside its rows.
import { accountTable } from '../shared/account/document.js'
import type { ApiTable } from '../shared/openapi/route.js'
import { memberMeanings } from './meanings.js'
import type { Operation } from './operation.js'

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Credentials.** Press *Authorize* and enter the id and the access
token of a dealer account; \`npx fiskalwerk dealer create\` prints a pair.

**Addresses** are matched in any case; \`/v0\` or \`/v1\` in front of \`/api\` leads to the same.

**Refusals.** What is wrong with a request comes as problem details with \`errors\` (member to
texts); everything else as an object of \`Message\`, \`Code\` and \`TraceId\`. The words follow
Accept-Language: de, en, fr, it, es, pt, el.`

export const dealerTags = {
  PosOperators: 'Merchants with whom the dealer is connected.',
  Connections: 'Connections between dealers and merchants, and their end.',
  Invitations: 'How merchants are invited, and what has become of it.',
  Outlets: 'Places of business of a merchant.',
  CashBoxes: 'What a register installs: queues and signing units together.',
  Queues: 'Receipt chains, their journals and the switch of their signing unit.',
  SCUs: 'Signing units.',
  Helpers: 'Further programs of a CashBox.',
  Templates: 'CashBoxes from a text with variables.',
  Rollout: 'Entitlements, rollout plans and orders.',
  Launcher: 'Configurations as registers fetch them.',
  Receipts: 'How receipts look.',
  'Personal data': 'What is stored about a person, and its erasure.',
  Server: 'The program itself.',
}

/** `operations`: the whole table, unless a test brings rows of its own. */
export const dealerTable = (operations: readonly Operation[]): ApiTable =>
  accountTable(operations, { name: 'dealer', base: '/api', meanings: memberMeanings })
