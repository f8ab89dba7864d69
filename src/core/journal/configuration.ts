// Version information, configuration and status: the journals that are one JSON object. Nothing in
// here is a secret.
import { fail } from '../../errors.js'
import { isoText } from '../../lib/ticks.js'
import { PROCESSING_VERSION, PROGRAM_NAME } from '../../lib/version.js'
import type { Market } from '../../market/contract.js'
import { LISTED } from '../../market/named.js'
import type { QueueHead, QueueView } from '../../model/queue.js'
import type { Store } from '../../store/client.js'
import { findTimeStamps, type StoredQueue } from '../../store/journal/journal-queue.js'
import { loadHead } from '../../store/sign/queues.js'
import { amountOf, base64Of, type Row } from './cell.js'

/** What these objects are about. */
export interface Described {
  store: Store
  market: Market
  queue: StoredQueue
  /** When it is asked. */
  now: Date
  /** Asked by a type of version 2: states are shown in its numbers. */
  answersV2: boolean
}

/** `{"Assembly":…,"Version":{…},"ProcessingVersion":…}` (middleware wire, version information). */
export function versionInformation(): Row {
  return { ...assembly(), ProcessingVersion: PROCESSING_VERSION }
}

function assembly(): Row {
  const [major = 0, minor = 0, build = 0] = PROCESSING_VERSION.split(/[.+-]/, 3).map(Number)
  const version = `${major}.${minor}.${build}.0`
  return {
    Assembly: `${PROGRAM_NAME}, Version=${version}, Culture=neutral, PublicKeyToken=null`,
    Version: {
      Major: major,
      Minor: minor,
      Build: build,
      Revision: 0,
      MajorRevision: 0,
      MinorRevision: 0,
    },
  }
}

/** The queue, its cash box and its signing units; the lists of other markets are there, empty. */
export async function configuration(described: Described): Promise<Row> {
  const { store, market, queue } = described
  const head = await headOf(described)
  const stamps = await findTimeStamps(store, queue)
  const units = head.scus.map((scu) => describeScu(market, scu, stamps.scus.get(scu.id) ?? 0n))
  return {
    ...assembly(),
    CashBoxList: [{ ftCashBoxId: queue.cashBoxId, TimeStamp: stamps.cashBox }],
    QueueList: [describeQueue(queue)],
    ...Object.fromEntries(LISTED.map((code) => [queueList(code), []])),
    ...Object.fromEntries(LISTED.map((code) => [unitList(code), []])),
    [queueList(market.facts.code)]: [describeMarketQueue(described, head)],
    [unitList(market.facts.code)]: await Promise.all(units),
  }
}

/**
 * The status of the country's queue: `{"QueueATList":[…]}`, with the ftState that a receipt would
 * have at this moment.
 */
export async function status(described: Described): Promise<Row> {
  const { market, queue, now, answersV2 } = described
  const head = await headOf(described)
  const row = describeMarketQueue(described, head)
  const state = market.queue.stateAt?.(viewOf(market, queue), stateOf(market, head), {
    // a queue's time never goes back
    now: Math.max(now.getTime(), head.lastMoment?.getTime() ?? 0),
    answersV2,
  })
  const shown = state === undefined ? row : { ...row, ftState: state }
  return { [queueList(market.facts.code)]: [shown] }
}

const queueList = (code: string) => `Queue${code}List`
const unitList = (code: string) => `SignaturCreationUnit${code}List`

const stateOf = (market: Market, { state }: QueueHead) =>
  market.queue.state.parse(JSON.parse(state))

async function headOf({ store, queue }: Described): Promise<QueueHead> {
  const head = await loadHead(store, { accountId: queue.accountId, id: queue.id })
  if (head === undefined) throw fail('QUEUE_UNKNOWN', { queue: queue.id })
  return head
}

function describeMarketQueue({ market, queue }: Described, head: QueueHead): Row {
  const view = { ...viewOf(market, queue), timeStamp: queue.timeStamp }
  return market.describe.queue(view, stateOf(market, head), head.secrets)
}

/** The queue as a market sees it. */
export function viewOf(market: Market, queue: StoredQueue): QueueView {
  return {
    id: queue.id,
    cashBoxId: queue.cashBoxId,
    identification: queue.identification,
    configuration: market.queue.configuration.parse(JSON.parse(queue.configuration)),
    startMoment: queue.startMoment,
    stopMoment: queue.stopMoment,
    lastMoment: queue.lastMoment,
    receiptNumerator: queue.receiptNumerator,
  }
}

function describeQueue(queue: StoredQueue): Row {
  return {
    ftQueueId: queue.id,
    ftCashBoxId: queue.cashBoxId,
    ftCurrentRow: queue.currentRow,
    ftQueuedRow: queue.queuedRow,
    ftReceiptNumerator: queue.receiptNumerator,
    ftReceiptTotalizer: amountOf(queue.receiptTotalizer),
    ftReceiptHash: base64Of(queue.receiptHash),
    StartMoment: queue.startMoment === null ? null : isoText(queue.startMoment),
    StopMoment: queue.stopMoment === null ? null : isoText(queue.stopMoment),
    CountryCode: queue.market,
    Timeout: queue.timeoutMs,
    TimeStamp: queue.timeStamp,
  }
}

type Scu = QueueHead['scus'][number]

async function describeScu(market: Market, scu: Scu, timeStamp: bigint): Promise<Row> {
  const facts = await market.drivers[scu.package]?.describe(scu)
  return {
    [`ftSignaturCreationUnit${market.facts.code}Id`]: scu.id,
    Url: scu.url === null ? null : withoutLogin(scu.url),
    ...(facts?.members ?? {}),
    // only here the serial is written with 0x (Austrian storage model)
    SN: facts === undefined ? null : serialText(facts.serial),
    CertificateBase64: facts?.certificateBase64 ?? null,
    Mode: scu.mode,
    TimeStamp: timeStamp,
  }
}

function serialText(serial: string): string {
  return serial === '' || serial.startsWith('0x') ? serial : `0x${serial}`
}

/** An address may carry a name and a password. */
function withoutLogin(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\/\/[^/@]*@/, '//')
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
