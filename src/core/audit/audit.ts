// A write and the row that tells of it, in one transaction.
import { orderedId } from '../../lib/id.js'
import { writeJson } from '../../lib/json-write.js'
import type { NewEvent } from '../../model/event.js'
import { type AuditRow, insertAudit } from '../../store/account/audit.js'
import { isConflict, type Store, TRANSACTION } from '../../store/client.js'
import { insertEvent } from '../../store/event/inbox.js'
import type { Transaction } from '../../store/transaction.js'
import { masked } from './mask.js'
import type { Once } from './once.js'

/** Who writes, for whom, and by which call. */
export interface Actor {
  accountId: string
  /** Who of it, in the portal. */
  personId?: string | undefined
  /** With which of its API keys. */
  apiKeyId?: string | undefined
  /** The account that it is done for; null: the caller's own. */
  onBehalfOf: string | null
  /** The account on the other side, which may read it as well. */
  concerns?: string | undefined
  operation: string
  traceId: string
  /** The call may be repeated, and is done once. */
  once?: Once | undefined
}

export interface Change<T> {
  result: T
  /** What was changed: names to ids or numbers. */
  subjects: Readonly<Record<string, string | number>>
  /** Undefined: it was not there, or is gone. */
  before?: unknown
  after?: unknown
  /** What whoever follows the accounts is told of it. */
  event?: NewEvent | undefined
}

/** It was so already: no row tells of it. */
export interface Unchanged<T> {
  result: T
  unchanged: true
}

export interface AuditDeps {
  store: Store
  now(): Date
}

const TRIES = 3

/**
 * Runs the work in a transaction and writes its audit row with it: both commit, or neither. A
 * deadlock is tried again.
 */
export async function audited<T>(
  deps: AuditDeps,
  actor: Actor,
  work: (tx: Transaction) => Promise<Change<T> | Unchanged<T>>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await deps.store.prisma.$transaction(async (tx) => {
        await actor.once?.claim(tx)
        const change = await work(tx)
        if (!('unchanged' in change)) await note(tx, { actor, change, moment: deps.now() })
        await actor.once?.keep(tx, change.result)
        return change.result
      }, TRANSACTION)
    } catch (error) {
      if (tried >= TRIES || !isDeadlock(error)) throw error
    }
  }
}

interface Noted {
  actor: Actor
  change: Omit<Change<unknown>, 'result'>
  moment: Date
}

async function note(tx: Transaction, { actor, change, moment }: Noted): Promise<void> {
  await insertAudit(tx, rowOf(actor, change, moment))
  const { event } = change
  if (event !== undefined) await announce(tx, actor, { event, moment })
}

/**
 * Tells whoever follows the account that it is done for; who does it hears of it whatever becomes
 * of his right.
 */
export function announce(
  tx: Transaction,
  { accountId, onBehalfOf, concerns }: Pick<Actor, 'accountId' | 'onBehalfOf' | 'concerns'>,
  { event, moment }: { event: NewEvent; moment: Date },
): Promise<void> {
  const owner = onBehalfOf ?? accountId
  const other = concerns ?? accountId
  return insertEvent(tx, {
    ...event,
    ...{ accountId: owner, alsoAccountId: other === owner ? null : other },
    ...{ id: orderedId(moment.getTime()), at: moment },
  })
}

/** The row of a change, for writers with a transaction of their own. */
export function rowOf(
  actor: Actor,
  change: Omit<Change<unknown>, 'result'>,
  moment: Date,
): AuditRow {
  const { once: _once, concerns = null, personId = null, apiKeyId = null, ...who } = actor
  return {
    ...who,
    concerns,
    personId,
    apiKeyId,
    id: orderedId(moment.getTime()),
    subjects: writeJson(change.subjects),
    before: textOf(change.before),
    after: textOf(change.after),
    moment,
  }
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : writeJson(masked(value))
}

/** Prisma has a code of its own for them. */
function isDeadlock(error: unknown): boolean {
  return isConflict(error) || (error instanceof Error && 'code' in error && error.code === 'P2034')
}
