// Signs the receipt that ends an outage, on the road of all receipts, and as an operation: whoever
// repeats a closing, after a crash or beside another server, gets the receipt that there is.
import { withWords } from '../../../case/reader.js'
import { sha256 } from '../../../lib/hash.js'
import { namedId, randomId } from '../../../lib/id.js'
import type { Market } from '../../../market/contract.js'
import type { QueueHead } from '../../../model/queue.js'
import { decodeRequest } from '../../../model/receipt-json.js'
import type { Store } from '../../../store/client.js'
import {
  type ClosableOutage,
  type ClosingKey,
  claimClosing,
  hasReceiptAtWork,
  noteFailedClosing,
  putOffClosing,
} from '../../../store/event/autopilot.js'
import { loadHead } from '../../../store/sign/queues.js'
import type { FailPoints } from '../../fail-point.js'
import type { OperationAnswer, OperationCall, Operations } from '../../operation/operation.js'
import type { SignJob } from '../../sign/job.js'
import type { Signing } from '../../sign/sign.js'
import { closingWaitMs } from './machine.js'

export interface ClosingDeps {
  store: Store
  marketOf(code: string): Market
  signing: Pick<Signing, 'sign' | 'refresh'>
  operations: Pick<Operations, 'run'>
  failPoints: FailPoints
  log: { warn(details: object, message: string): void }
}

/** cbTerminalID of what no register has sent. */
const TERMINAL = 'AUTOPILOT'
/** A receipt is at work, or the database: soon again. */
const SOON_MS = 2_000

/** The queue as it is stored, with the state that its market reads. */
interface Stored {
  head: QueueHead
  market: Market
  state: unknown
}

export async function closeOutage(deps: ClosingDeps, outage: ClosableOutage): Promise<void> {
  const key = { accountId: outage.accountId, id: outage.id, lease: randomId() }
  const { attempts } = outage
  const operation = operationOf(outage)
  const moment = await claimClosing(deps.store, { ...key, attempts, operation })
  if (moment === undefined) return
  try {
    const wait = await tryToClose(deps, outage, { key, moment })
    if (wait !== undefined) await putOffClosing(deps.store, key, wait)
  } catch (error) {
    deps.log.warn({ err: error, queueId: outage.queueId }, 'an outage is closed later')
    await putOffClosing(deps.store, key, SOON_MS)
  }
}

/** The first closing has the id that the outage itself gives it. */
function operationOf({ id, attempts }: ClosableOutage): string {
  return namedId(attempts === 0 ? `outage:${id}` : `outage:${id}:${attempts}`)
}

interface Claimed {
  key: ClosingKey
  moment: Date
}

/** How long to put it off; undefined: the outage is over, or the failure is noted. */
async function tryToClose(
  deps: ClosingDeps,
  outage: ClosableOutage,
  { key, moment }: Claimed,
): Promise<number | undefined> {
  const { store } = deps
  const stored = await storedQueue(deps, outage)
  if (stored === undefined || !goesOn(stored, outage)) return SOON_MS
  if (await hasReceiptAtWork(store, outage)) return SOON_MS
  await deps.failPoints.reach('closing-claimed')
  const ended = await signClosing(deps, outage, { stored, moment })
  await deps.failPoints.reach('closing-signed')
  if (ended === 'before') return SOON_MS
  const after = await storedQueue(deps, outage)
  // the events of its receipt tell that it is over
  if (after === undefined || !goesOn(after, outage)) return undefined
  await noteFailedClosing(store, key, closingWaitMs(outage.attempts + 1))
  return undefined
}

async function storedQueue(
  { store, marketOf }: ClosingDeps,
  { accountId, queueId }: ClosableOutage,
): Promise<Stored | undefined> {
  const head = await loadHead(store, { accountId, id: queueId })
  if (head === undefined || head.cashBoxId === null) return undefined
  const market = marketOf(head.market)
  return { head, market, state: market.queue.state.parse(JSON.parse(head.state)) }
}

function goesOn({ market, state }: Omit<Stored, 'head'>, { cause }: ClosableOutage): boolean {
  return market.outage?.openIn(state).some((one) => one.cause === cause) === true
}

class EndedBefore extends Error {}

/** `before`: another receipt has ended it, and nothing was stored. */
async function signClosing(
  deps: ClosingDeps,
  outage: ClosableOutage,
  { stored, moment }: { stored: Stored; moment: Date },
): Promise<'before' | 'signed'> {
  const job = jobOf(outage, { stored, moment })
  // another server may have written since: the look at the state must not be an old one
  deps.signing.refresh(outage.queueId)
  const run = () => deps.signing.sign(job).then(answerOf)
  try {
    await deps.operations.run(job.operation, () => ({ kind: 'recorded', run }))
    return 'signed'
  } catch (error) {
    if (error instanceof EndedBefore) return 'before'
    throw error
  }
}

function answerOf(result: Awaited<ReturnType<Signing['sign']>>): OperationAnswer {
  if (result.kind === 'nothing') throw new EndedBefore('the outage is over')
  const contentType = 'application/json; charset=utf-8'
  // what the country refuses is stored as well, and is an end of this closing
  if (result.kind !== 'answered') return { status: 201, contentType, body: '{}' }
  const { responseText: body, queueItemId } = result
  return { status: 201, contentType, body, queueItemId }
}

type ClosingJob = SignJob & { market: string; operation: OperationCall }

function jobOf(
  outage: ClosableOutage,
  { stored: { head, market }, moment }: { stored: Stored; moment: Date },
): ClosingJob {
  const { accountId, id: queueId } = head
  const cashBoxId = head.cashBoxId ?? ''
  const requestText =
    `{"ftCashBoxID":"${cashBoxId}","ftQueueID":"${queueId}","cbTerminalID":"${TERMINAL}",` +
    `"cbReceiptReference":"outage:${outage.id}","cbReceiptMoment":"${moment.toISOString()}",` +
    `"cbChargeItems":[],"cbPayItems":[],"ftReceiptCase":${market.outage?.closing ?? 0n}}`
  const { request, wcfDates } = decodeRequest(requestText)
  return {
    ...{ accountId, cashBoxId, queueId, market: head.market, version: 'v1' },
    ...withWords(request),
    ...{ requestText, style: { wcfDates, pascal: false } },
    isWanted: (state) => goesOn({ market, state }, outage),
    operation: {
      ...{ accountId, cashBoxId, id: operationOf(outage), method: 'POST' },
      path: `/platform/v1/queues/${queueId}/outage/close`,
      ...{ bodyHash: sha256(requestText), headers: '{}', requestText },
    },
  }
}
