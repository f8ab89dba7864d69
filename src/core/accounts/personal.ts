// Erases what names people when its period is over or when somebody asks for it; an audit row per
// account tells how much, and nothing of what it was.
import { randomUUID } from 'node:crypto'
import { orderedId } from '../../lib/id.js'
import { emailKey } from '../../model/invitation.js'
import { insertAuditOn } from '../../store/account/audit.js'
import { type Erased, eraseEmail, eraseOld, type Span } from '../../store/account/personal.js'
import type { Store } from '../../store/client.js'
import type { Connection } from '../../store/transaction.js'
import { inTransaction } from '../../store/transaction.js'

export interface PersonalDeps {
  store: Store
  now(): Date
}

/** Who asked; left out: the period is over. */
export interface Asker {
  accountId: string
  traceId: string
}

/** Rows by table, of all accounts together. */
export type Counts = Record<string, number>

const OPERATION = 'erasePersonalData'
const DAY_MS = 86_400_000

export function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/** Round by round, each with its audit rows. */
export async function erasePersonal(
  deps: PersonalDeps,
  span: Span,
  asker?: Asker,
): Promise<Counts> {
  const counts: Counts = {}
  for (;;) {
    const isFirst = Object.keys(counts).length === 0
    const erased = await inTransaction(deps.store, async (client) => {
      const found = await eraseOld(client, span)
      return told(deps, client, { erased: isFirst ? asked(found, span, asker) : found, asker })
    })
    add(counts, erased)
    if ([...erased.values()].every((tables) => Object.keys(tables).length === 0)) return counts
  }
}

/** Everything that is kept under an address of e-mail: in all accounts, or in one. */
export async function erasePerson(
  deps: PersonalDeps,
  { email, accountId }: { email: string; accountId: string | null },
  asker?: Asker,
): Promise<Counts> {
  const person = { emailKey: emailKey(email), accountId }
  const erased = await inTransaction(deps.store, async (client) => {
    const found = await eraseEmail(client, person)
    return told(deps, client, { erased: asked(found, person, asker), asker })
  })
  const counts: Counts = {}
  add(counts, erased)
  return counts
}

/** What somebody asked for has its row, also when there was nothing. */
function asked(
  erased: Erased,
  { accountId }: { accountId: string | null },
  asker: Asker | undefined,
): Erased {
  return asker === undefined || accountId === null || erased.size > 0
    ? erased
    : new Map([[accountId, {}]])
}

async function told(
  { now }: PersonalDeps,
  client: Pick<Connection, 'query'>,
  { erased, asker }: { erased: Erased; asker: Asker | undefined },
): Promise<Erased> {
  const moment = now()
  for (const [accountId, counts] of erased) {
    const by = asker?.accountId ?? accountId
    await insertAuditOn(client, {
      ...{ accountId: by, onBehalfOf: by === accountId ? null : accountId, operation: OPERATION },
      ...{ concerns: null, personId: null, apiKeyId: null },
      ...{ id: orderedId(moment.getTime()), subjects: JSON.stringify({ account: accountId }) },
      ...{ before: null, after: JSON.stringify(counts), moment },
      traceId: asker?.traceId ?? randomUUID(),
    })
  }
  return erased
}

function add(counts: Counts, erased: Erased): void {
  for (const tables of erased.values()) {
    for (const [table, rows] of Object.entries(tables)) counts[table] = (counts[table] ?? 0) + rows
  }
}
