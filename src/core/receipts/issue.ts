// Publishes a receipt: one of our own queues as it is stored, any other one as it was sent and
// marked so.
import { fail } from '../../errors.js'
import { JsonObject, type JsonValue, parseJson, parseJsonInSlices } from '../../lib/json.js'
import { writeJson, writeJsonInSlices } from '../../lib/json-write.js'
import { LARGE, nextTurn } from '../../lib/slices.js'
import { textIn } from '../../model/json-members.js'
import { reaching, type Store } from '../../store/client.js'
import { insertOperation } from '../../store/operation/operations.js'
import { insertReceiptEvent } from '../../store/receipt/instore-events.js'
import {
  findAddressOwner,
  findPair,
  insertIssued,
  isQueueKnown,
  type NewIssued,
  type ReceiptKey,
} from '../../store/receipt/issued.js'
import { insertTag } from '../../store/receipt/receipt-names.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { findEverHeld } from '../../store/rollout/memberships.js'
import type { Connection } from '../../store/transaction.js'
import { inTransaction } from '../../store/transaction.js'
import type { OperationAnswer, OperationCall } from '../operation/operation.js'
import { recordOf } from '../operation/record.js'
import { type Announcement, announcementOf } from './announce.js'
import type { RetrievalNotes } from './journal.js'
import { checkState, differenceOf, type GivenPair, PAIR_DEPTH, readPair } from './pair.js'

export interface IssuingDeps {
  store: Store
  now(): Date
  /** Whether a receipt of a queue that is none of ours may be published. */
  acceptExternal: boolean
  retrievals: Pick<RetrievalNotes, 'soon'>
  log: { warn(details: object, message: string): void }
}

/** A receipt that may be published, and nothing was written yet. */
export interface Issuable {
  issued: NewIssued
  /** As the response names it; undefined: it does not. */
  queueRow: string | undefined
  announcement: Announcement
}

/**
 * Decides what will be published. Throws FiscalError of kind invalid for the body, RECEIPT_UNKNOWN
 * for a receipt of somebody else, and for an unknown one where those are not accepted.
 */
export async function issuable(
  deps: IssuingDeps,
  access: CashBoxAccess,
  bodyText: string,
): Promise<Issuable> {
  const given = await readPair(bodyText, access.cashBoxId)
  const { accountId, cashBoxId } = access
  const key: ReceiptKey = { accountId, queueId: given.queueId, queueItemId: given.queueItemId }
  const isHeld = access.queues.some((queue) => queue.id === key.queueId)
  return reaching(async () => {
    // a receipt may be issued after its queue was replaced
    const ownsQueue = isHeld || (await findEverHeld(deps.store, access, key.queueId)) !== undefined
    const base = { ...key, cashBoxId, ownsQueue, issuedAt: deps.now() }
    const stored = ownsQueue ? await findPair(deps.store, key) : undefined
    if (stored !== undefined) {
      if (stored.response === null) throw unknown(key)
      const pair = await pairOf(stored.request, stored.response)
      checkState(pair.response)
      const warning = differenceOf(given, pair)
      if (warning !== null) deps.log.warn({ ...key, warning }, 'an issued body differs')
      const queueRow = rowText(pair.response)
      const issued = { ...base, row: stored.row, pair: null, warning }
      return { issued, queueRow, announcement: announcementOf(pair) }
    }
    if (!deps.acceptExternal) throw unknown(key)
    if (!ownsQueue) await checkFree(deps, key)
    const pair = await textsOf(given, bodyText.length >= LARGE)
    const queueRow = rowText(given.response)
    const issued = { ...base, row: null, pair, warning: null }
    return { issued, queueRow, announcement: announcementOf(given) }
  })
}

/** A queue of another cash box, or an address that another account has: unknown to this one. */
async function checkFree({ store }: IssuingDeps, key: ReceiptKey): Promise<void> {
  const owner = await findAddressOwner(store, key)
  if ((owner ?? key.accountId) !== key.accountId) throw unknown(key)
  if (await isQueueKnown(store, key.queueId)) throw unknown(key)
}

function unknown({ queueId, queueItemId }: Omit<ReceiptKey, 'accountId'>): Error {
  return fail('RECEIPT_UNKNOWN', { queue: queueId, item: queueItemId })
}

async function textsOf(
  { request, response }: GivenPair,
  isLarge: boolean,
): Promise<{ request: string; response: string }> {
  if (!isLarge) return { request: writeJson(request), response: writeJson(response) }
  const texts = {
    request: await writeJsonInSlices(request),
    response: await writeJsonInSlices(response),
  }
  await nextTurn()
  return texts
}

async function pairOf(
  request: string,
  response: string,
): Promise<Pick<GivenPair, 'request' | 'response'>> {
  return { request: await objectOf(request), response: await objectOf(response) }
}

async function objectOf(text: string): Promise<JsonObject> {
  const options = { trailingComma: true, depth: PAIR_DEPTH }
  const isLarge = text.length >= LARGE
  const value: JsonValue = isLarge
    ? await parseJsonInSlices(text, options)
    : parseJson(text, options)
  return value instanceof JsonObject ? value : new JsonObject()
}

function rowText(response: JsonObject): string | undefined {
  const text = textIn(response, 'ftQueueRow')
  return /^\d{1,18}$/.test(text) ? text : undefined
}

/**
 * Writes the receipt and the record of the call in one transaction. Throws RECEIPT_UNKNOWN when
 * somebody else was faster with this address.
 */
export async function publish(
  deps: IssuingDeps,
  { issued, announcement }: Issuable,
  { call, answer }: { call: OperationCall; answer: OperationAnswer },
): Promise<OperationAnswer> {
  const { issuedAt } = issued
  const record = recordOf(call, answer, { startedAt: issuedAt, finishedAt: deps.now() })
  return reaching(() =>
    inTransaction(deps.store, async (client) => {
      // a second server was faster with the same call: its answer is found behind this one
      if (!(await insertOperation(client, record))) return { ...answer, recorded: false }
      const outcome = await insertIssued(client, issued)
      if (outcome === 'foreign') throw unknown(issued)
      if (outcome === 'issued') await announce(client, issued, announcement)
      return answer
    }),
  )
}

async function announce(
  client: Connection,
  issued: NewIssued,
  { tag, terminalId, content }: Announcement,
): Promise<void> {
  if (tag !== undefined) await insertTag(client, issued, tag)
  const { accountId, queueId, queueItemId, cashBoxId, issuedAt: moment } = issued
  const ids = { accountId, queueId, queueItemId, cashBoxId }
  await insertReceiptEvent(client, { ...ids, moment, terminalId, content })
}
