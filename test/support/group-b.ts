// Austrian receipts over group B, as short as the law lets them be.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { TestBox } from './make-scu.js'

/** Case words of Austria: 0x4154 and twelve digits. */
const AUSTRIA = 0x4154n << 48n

export const POS = 1n
export const ZERO = 2n
export const START = 3n

/** Bit of ftState: the signing device is out of order. */
export const FAILED = 2n

export interface SignedReceipt {
  /** The country's part of ftState: the last byte. */
  state: bigint
  body: string
}

export interface ReceiptInput {
  box: TestBox
  queueId: string
  kind: bigint
}

/** Throws when the answer is no receipt. */
export async function signReceipt(
  app: FastifyInstance,
  { box, queueId, kind }: ReceiptInput,
): Promise<SignedReceipt> {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url: `/${queueId}/json/v1/sign`,
    headers: { ...box.headers, 'content-type': 'application/json' },
    payload: `{"ftCashBoxID":"${box.cashBoxId}","cbTerminalID":"1",
      "cbReceiptReference":"${randomUUID()}","cbReceiptMoment":"${new Date().toISOString()}",
      ${items(kind)},"ftReceiptCase":${AUSTRIA | kind}}`,
  })
  const state = /"ftState":(\d+)/.exec(body)?.[1]
  if (statusCode !== 200 || state === undefined) throw new Error(`${statusCode} ${body}`)
  return { state: BigInt(state) & 0xffn, body }
}

/** A sale of 1.20 for cash, or nothing at all. */
function items(kind: bigint): string {
  if (kind !== POS) return '"cbChargeItems":[],"cbPayItems":[]'
  return `"cbChargeItems":[{"Quantity":1,"Description":"x","Amount":1.2,"VATRate":20,
      "ftChargeItemCase":${AUSTRIA | 3n}}],
    "cbPayItems":[{"Quantity":1,"Description":"Cash","Amount":1.2,
      "ftPayItemCase":${AUSTRIA | 1n}}]`
}
