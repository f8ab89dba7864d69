// A French cash register: builds receipts by kinds and sends them to a running server by
// Middleware v0.
import type { DemoCashBox } from '../../../src/core/rollout/demo.js'

const BASE = 0x4652_0000_0000_0000n
export const FAILED = 0x0001
export const TRAINING = 0x0002
export const VOID = 0x0004

/** Case of version 0 and amount as text; the rate is 20 unless told. */
export type Line = readonly [code: number, amount: string, rate?: string]

export interface Sent {
  kind: number
  flags?: number
  charges?: readonly Line[]
  pays?: readonly Line[]
  reference?: string
  previous?: string
  moment?: string
}

export const word = (code: number, flags = 0): bigint =>
  BASE | (BigInt(flags) << 16n) | BigInt(code)

/** The request as a program sends it; amounts stay as they are written. */
export function requestText(sent: Sent, cashBoxId: string): string {
  const { kind, flags = 0, charges = [], pays = [], reference = 'r', previous } = sent
  const moment = sent.moment ?? '2026-03-02T10:00:00Z'
  const charged = charges.map(
    ([code, amount, rate = '20']) =>
      `{"Quantity":1,"Description":"Article","Amount":${amount},"VATRate":${rate},` +
      `"ftChargeItemCase":${word(code)}}`,
  )
  const paid = pays.map(
    ([code, amount]) =>
      `{"Quantity":1,"Description":"Paiement","Amount":${amount},"ftPayItemCase":${word(code)}}`,
  )
  const before = previous === undefined ? '' : `"cbPreviousReceiptReference":"${previous}",`
  return (
    `{"ftCashBoxID":"${cashBoxId}","cbTerminalID":"1","cbReceiptReference":"${reference}",` +
    `${before}"cbReceiptMoment":"${moment}","cbChargeItems":[${charged.join(',')}],` +
    `"cbPayItems":[${paid.join(',')}],"ftReceiptCase":${word(kind, flags)}}`
  )
}

export interface Item {
  Caption: string
  Data: string
  ftSignatureFormat: number
}

export interface Answer {
  ftQueueRow: number
  ftQueueItemID: string
  ftReceiptIdentification: string
  ftReceiptMoment: string
  ftReceiptFooter?: string[]
  ftSignatures: Record<string, unknown>[]
  text: string
}

export class Register {
  private readonly url: string
  private readonly box: Pick<DemoCashBox, 'cashBoxId' | 'accessToken' | 'queueId'>

  constructor(url: string, boxes: readonly DemoCashBox[]) {
    const box = boxes.find(({ market }) => market === 'FR')
    if (box === undefined) throw new Error('the demo has no French cash box')
    this.url = url
    this.box = box
  }

  get queueId(): string {
    return this.box.queueId
  }

  async post(path: string, body = ''): Promise<Response> {
    const headers = { cashboxid: this.box.cashBoxId, accesstoken: this.box.accessToken }
    return fetch(`${this.url}/${this.box.queueId}/json/v0/${path}`, {
      method: 'POST',
      headers,
      body,
    })
  }

  /** The request of this register. */
  text(sent: Sent): string {
    return requestText(sent, this.box.cashBoxId)
  }

  /** Throws for every answer but 200. */
  sign(sent: Sent): Promise<Answer> {
    return this.send(this.text(sent))
  }

  async send(request: string): Promise<Answer> {
    const answer = await this.post('sign', request)
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`)
    return { ...(JSON.parse(text) as Omit<Answer, 'text'>), text }
  }

  async journal(type: string, from: number | string = 0, to: number | string = 0): Promise<Buffer> {
    const answer = await this.post(`journal?type=${type}&from=${from}&to=${to}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (answer.status !== 200) throw new Error(`${answer.status}: ${bytes.toString()}`)
    return bytes
  }
}

/** The case of a sale of one article of 20 % paid in cash. */
export function sale(amount: string, more: Partial<Sent> = {}): Sent {
  return { kind: 0x01, charges: [[0x03, amount]], pays: [[0x01, amount]], ...more }
}
