// Registration of registers as accounts look at it and add to it: the data sheet with its key for
// whoever may see it, places, and what only dealers know.
import { fail } from '../../../errors.js'
import type { RegisterEntry, UnitEntry } from '../../../model/place.js'
import { grants, type Right } from '../../../store/account/connections.js'
import { findOwned, type Owned } from '../../../store/event/owned.js'
import { listEntries, putEntry } from '../../../store/event/report/entries.js'
import { type Actor, audited } from '../../audit/audit.js'
import { plainly, queueOf, unitOf } from './inventory.js'
import { type PlaceDeps, placeReport, placeRulesOf, registerEntry, unitEntry } from './place.js'
import { type QueueRegistration, registrationOf } from './registration.js'

export interface ShownRegistration {
  registration: QueueRegistration
  merchant: string
  /** There is a key, and it is not for who asks. */
  isKeyHidden: boolean
}

const KEY_RIGHT: Right = 'Full'

/**
 * The AES key is shown to whoever has the right Full, and that he has seen it is written down.
 * Throws QUEUE_UNKNOWN.
 */
export async function showRegistration(
  deps: PlaceDeps,
  actor: Actor,
  queueId: string,
): Promise<ShownRegistration> {
  const owned = await ownedBy(deps, actor, { kind: 'queue', id: queueId })
  const registration = await registrationOf(deps, { accountId: owned.accountId, id: queueId })
  const { accountName: merchant } = owned
  const shown = { registration, merchant, isKeyHidden: false }
  if (registration.encryptionKeyBase64 === null) return shown
  if (!grants(owned.right, KEY_RIGHT)) {
    return {
      ...shown,
      registration: { ...registration, encryptionKeyBase64: null },
      isKeyHidden: true,
    }
  }
  return audited(deps, actingFor(actor, owned), async () => ({
    result: shown,
    subjects: { queueId },
    after: { shown: 'registration' },
  }))
}

/** Of a register. Throws QUEUE_UNKNOWN, RIGHTS_TOO_LOW, MARKET_UNSUPPORTED, FIELD_INVALID. */
export async function putRegisterEntry(
  deps: PlaceDeps,
  actor: Actor,
  { queueId, entry }: { queueId: string; entry: RegisterEntry },
): Promise<RegisterEntry> {
  const owned = await ownedBy(deps, actor, { kind: 'queue', id: queueId, needed: 'ReadWrite' })
  const { market } = await queueOf(plainly(deps), { accountId: owned.accountId, id: queueId })
  placeRulesOf(deps, market)
  const days = [entry.acquiredOn, entry.inOperationOn, entry.outOfOperationOn]
  const known = days.filter((day) => day !== null)
  if (known.some((day, at) => day < (known[at - 1] ?? day))) {
    throw fail('FIELD_INVALID', {
      field: 'acquiredOn',
      expected: 'acquiredOn, inOperationOn and outOfOperationOn in this order',
    })
  }
  const subject = `queue/${queueId}`
  return written(deps, actingFor(actor, owned), {
    ...{ accountId: owned.accountId, subject, outOn: entry.outOfOperationOn },
    ...{ before: registerEntry, entry, subjects: { queueId } },
  })
}

/** Of a signing unit. Throws SCU_UNKNOWN, RIGHTS_TOO_LOW, MARKET_UNSUPPORTED. */
export async function putUnitEntry(
  deps: PlaceDeps,
  actor: Actor,
  { scuId, entry }: { scuId: string; entry: UnitEntry },
): Promise<UnitEntry> {
  const owned = await ownedBy(deps, actor, { kind: 'scu', id: scuId, needed: 'ReadWrite' })
  const { head } = await unitOf(plainly(deps), deps, { accountId: owned.accountId, id: scuId })
  placeRulesOf(deps, head.market)
  const subject = `scu/${scuId}`
  return written(deps, actingFor(actor, owned), {
    ...{ accountId: owned.accountId, subject, outOn: null },
    ...{ before: unitEntry, entry, subjects: { scuId } },
  })
}

/** What is told of a place by a report that tells the whole; null: this one tells one thing. */
export async function toldBy(
  deps: PlaceDeps,
  { accountId, market, kind, subject }: Record<'accountId' | 'market' | 'kind' | 'subject', string>,
): Promise<string | null> {
  if (kind !== 'place') return null
  const number = Number(subject.replace(/^outlet\//, ''))
  return JSON.stringify(await placeReport(deps, { accountId, market, number }))
}

interface Entry<T> {
  accountId: string
  subject: string
  outOn: string | null
  before(details?: string): T
  entry: T
  subjects: Record<string, string>
}

async function written<T>(
  deps: PlaceDeps,
  actor: Actor,
  { accountId, subject, outOn, before, entry, subjects }: Entry<T>,
): Promise<T> {
  const known = (await listEntries(deps.store, accountId)).find((one) => one.subject === subject)
  return audited(deps, actor, async (tx) => {
    await putEntry(tx, { accountId, subject, details: JSON.stringify(entry) }, outOn)
    return { result: entry, subjects, before: before(known?.details), after: entry }
  })
}

async function ownedBy(
  { store }: PlaceDeps,
  { accountId }: Actor,
  { kind, id, needed = 'Read' }: { kind: 'queue' | 'scu'; id: string; needed?: Right },
): Promise<Owned> {
  const owned = await findOwned(store, { accountId, kind, id })
  if (owned === undefined) {
    throw kind === 'queue' ? fail('QUEUE_UNKNOWN', { queue: id }) : fail('SCU_UNKNOWN', { scu: id })
  }
  if (!grants(owned.right, needed)) throw fail('RIGHTS_TOO_LOW', { given: owned.right, needed })
  return owned
}

const actingFor = (actor: Actor, { accountId }: Owned): Actor => ({
  ...actor,
  onBehalfOf: accountId === actor.accountId ? null : accountId,
})
