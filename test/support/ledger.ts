// An independent look at what a queue has stored: plain SQL, Node's own hashes, the format as it is
// published. Shares nothing with the sign path but the key that opens the secrets.
import { createHash, X509Certificate } from 'node:crypto'
import pg from 'pg'
import type { Sealer } from '../../src/lib/seal.js'
import { checkChain } from '../market/at/support/chain-checker.js'

export interface LedgerItem {
  row: number
  id: string
  queueMoment: Date
  done: boolean
  receiptReference: string
  terminalId: string | null
  request: string
  requestHash: Buffer
  response: string | null
  responseHash: Buffer | null
  timeStamp: bigint
}

export interface LedgerReceipt {
  id: string
  number: number
  moment: Date
  total: string
  itemId: string
  hash: Buffer
  timeStamp: bigint
}

export interface Ledger {
  head: {
    current: number
    queued: number
    numerator: number
    totalizer: string
    hash: Buffer | null
    version: bigint
    timeStamp: bigint
    identification: string
    state: Record<string, unknown>
    secrets: Buffer | null
  }
  queueId: string
  items: LedgerItem[]
  receipts: LedgerReceipt[]
  /** Compact JWS in the order of their numbers. */
  signatures: { number: number; jws: string; itemId: string; scuId: string | null }[]
  actions: { type: string; priority: number; itemId: string | null; message: string }[]
  certificates: Buffer[]
}

export async function connected(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function readLedger(client: pg.Client, queueId: string): Promise<Ledger> {
  const rows = async (sql: string) => (await client.query(sql, [queueId])).rows
  const [head] = await rows('select * from queue where id = $1')
  if (head === undefined) throw new Error(`there is no queue ${queueId}`)
  const items = await rows('select * from queue_item where queue_id = $1 order by row')
  const receipts = await rows(
    'select * from receipt_journal where queue_id = $1 order by time_stamp',
  )
  const signatures = await rows('select * from market_row where queue_id = $1 order by time_stamp')
  const actions = await rows('select * from action_journal where queue_id = $1 order by time_stamp')
  const certificates = await rows(
    'select c.der from certificate c join queue q on q.account_id = c.account_id where q.id = $1',
  )
  return {
    queueId,
    head: {
      current: Number(head.current_row),
      queued: Number(head.queued_row),
      numerator: Number(head.receipt_numerator),
      totalizer: Number(head.receipt_totalizer).toFixed(2),
      hash: head.receipt_hash,
      version: BigInt(head.version),
      timeStamp: BigInt(head.time_stamp),
      identification: head.identification,
      state: JSON.parse(head.state),
      secrets: head.secrets_sealed,
    },
    items: items.map((row) => ({
      row: Number(row.row),
      id: row.id,
      queueMoment: row.queue_moment,
      done: row.done_moment !== null,
      receiptReference: row.receipt_reference,
      terminalId: row.terminal_id,
      request: row.request,
      requestHash: row.request_hash,
      response: row.response,
      responseHash: row.response_hash,
      timeStamp: BigInt(row.time_stamp),
    })),
    receipts: receipts.map((row) => ({
      id: row.id,
      number: Number(row.receipt_number),
      moment: row.receipt_moment,
      total: Number(row.receipt_total).toFixed(2),
      itemId: row.queue_item_id,
      hash: row.receipt_hash,
      timeStamp: BigInt(row.time_stamp),
    })),
    signatures: signatures.map((row) => ({
      number: Number(row.number),
      jws: row.content,
      itemId: row.queue_item_id,
      scuId: row.scu_id,
    })),
    actions: actions.map((row) => ({
      type: row.type,
      priority: row.priority,
      itemId: row.queue_item_id,
      message: row.message,
    })),
    certificates: certificates.map((row) => row.der),
  }
}

const EPOCH_TICKS = 621_355_968_000_000_000n

/** The 16 bytes of a GUID as .NET writes them. */
function guid(id: string): Buffer {
  const hex = id.replaceAll('-', '')
  const swap = (from: number, to: number) => Buffer.from(hex.slice(from, to), 'hex').reverse()
  return Buffer.concat([swap(0, 8), swap(8, 12), swap(12, 16), Buffer.from(hex.slice(16), 'hex')])
}

function littleEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function want(holds: boolean, what: string): void {
  if (!holds) throw new Error(`the ledger does not hold: ${what}`)
}

/**
 * Throws with the first thing that does not hold: rows and numbers 1..n, hashes of the stored
 * texts, the chain of the receipt journal, totals, moments, the legal chain with signatures and
 * counter, the head.
 */
export function verifyLedger(ledger: Ledger, sealer: Sealer): void {
  const { head, items, receipts } = ledger
  items.forEach((item, at) => {
    want(item.row === at + 1, `row ${item.row} stands at place ${at + 1}`)
    want(sha256(item.request).equals(item.requestHash), `request hash of row ${item.row}`)
    if (item.response === null || item.responseHash === null) return
    want(sha256(item.response).equals(item.responseHash), `response hash of row ${item.row}`)
    want(item.response.includes(`"ftQueueItemID":"${item.id}"`), `item id in row ${item.row}`)
    want(item.response.includes(`"ftQueueRow":${item.row},`), `row in the answer of ${item.row}`)
  })
  want(head.queued === items.length, `queued ${head.queued} of ${items.length} items`)
  const done = items.filter((item) => item.done)
  want(head.current === done.length, `current ${head.current} of ${done.length} done items`)
  verifyReceipts(ledger)
  want(head.numerator === receipts.length, `numerator ${head.numerator} of ${receipts.length}`)
  const cents = receipts.reduce((sum, { total }) => sum + BigInt(total.replace('.', '')), 0n)
  want(BigInt(head.totalizer.replace('.', '')) === cents, `totalizer ${head.totalizer}`)
  want(head.hash === null || head.hash.equals(receipts.at(-1)?.hash ?? Buffer.of()), 'last hash')
  verifySignatures(ledger, sealer)
}

export interface HashedReceipt {
  /** Empty for the first receipt. */
  previous: Buffer
  id: string
  moment: Date
  number: number
  requestHash: Buffer
  responseHash: Buffer
}

/** The hash of a receipt as it is published, computed without the program's own code. */
export function receiptHashOf(receipt: HashedReceipt): Buffer {
  const { previous, id, moment, number, requestHash, responseHash } = receipt
  const ticks = EPOCH_TICKS + BigInt(moment.getTime()) * 10_000n
  const numbers = [littleEndian(ticks), littleEndian(BigInt(number))]
  return sha256(previous, guid(id), ...numbers, requestHash, responseHash)
}

function verifyReceipts({ items, receipts }: Ledger): void {
  const byId = new Map(items.map((item) => [item.id, item]))
  let previous = Buffer.alloc(0)
  let last = 0
  receipts.forEach((receipt, at) => {
    want(receipt.number === at + 1, `receipt ${receipt.number} stands at place ${at + 1}`)
    const item = byId.get(receipt.itemId)
    const identification = `"ftReceiptIdentification":"ft${at.toString(16).toUpperCase()}#`
    want(item?.response?.includes(identification) === true, `item of receipt ${receipt.number}`)
    const requestHash = item?.requestHash ?? Buffer.of()
    const responseHash = item?.responseHash ?? Buffer.of()
    const expected = receiptHashOf({ ...receipt, previous, requestHash, responseHash })
    want(expected.equals(receipt.hash), `hash chain at receipt ${receipt.number}`)
    want(receipt.moment.getTime() >= last, `moment of receipt ${receipt.number}`)
    previous = Buffer.from(receipt.hash)
    last = receipt.moment.getTime()
  })
}

function verifySignatures(ledger: Ledger, sealer: Sealer): void {
  const { head, signatures } = ledger
  const [first] = ledger.certificates
  if (signatures.length === 0 || first === undefined || head.secrets === null) return
  want(
    signatures.every(({ number }, at) => number === at + 1),
    'cash numbers without gap',
  )
  const { encryptionKeyBase64 } = JSON.parse(
    sealer.open(head.secrets, `queue:${ledger.queueId}`),
  ) as { encryptionKeyBase64: string }
  const { counters } = checkChain({
    kassenId: head.identification,
    key: Buffer.from(encryptionKeyBase64, 'base64'),
    publicKey: new X509Certificate(first).publicKey,
    receipts: signatures.map(({ jws }) => jws),
  })
  const stored = String(head.state.cashTotalizer).replace('.', '')
  want(BigInt(stored) === counters.at(-1), `turnover counter ${stored} of ${counters.at(-1)}`)
}
