// Calls of myDATA that queues make: one document is sent, and what is known there is asked.
import { DeviceError } from '../device.js'
import { invoicesDoc, type Told, type Transmitted, toldIn, transmittedIn } from './mydata.js'
import type { GrCall, GrDevice } from './unit.js'

export interface Sent {
  told: Told
  /** Of the method. */
  name: string
  request: string
  response: string
}

/** A message with one document, or the payment of one. Throws as toldIn. */
export async function sendOne(
  device: GrDevice,
  { name, request, query }: Pick<Sent, 'name' | 'request'> & Pick<GrCall, 'query'>,
  timeoutMs: number,
): Promise<Sent> {
  const call = { method: 'POST', name, body: request, ...(query && { query }) } as const
  const reply = await device.call(call, { timeoutMs })
  const [told] = toldIn(reply)
  if (told === undefined) throw new DeviceError('the answer says nothing')
  return { told, name, request, response: reply.text }
}

/** One document, as an element `invoice`. */
export const sendInvoice = (device: GrDevice, invoice: string, timeoutMs: number): Promise<Sent> =>
  sendOne(device, { name: 'SendInvoices', request: invoicesDoc([invoice]) }, timeoutMs)

interface Asked {
  vat: string
  after: string
  timeoutMs: number
}

/** What is known there of documents behind a MARK, by UID. */
export const transmittedAfter = async (device: GrDevice, asked: Asked) =>
  (await askedAfter(device, asked)).found

export interface Known {
  found: Map<string, Transmitted>
  /** MARKs of what was told later, by that of the document. */
  paid: Map<string, string>
  cancelled: Map<string, string>
}

/** The same with what was told of them later. */
export async function askedAfter(device: GrDevice, asked: Asked): Promise<Known> {
  const found = new Map<string, Transmitted>()
  const paid = new Map<string, string>()
  const cancelled = new Map<string, string>()
  const { timeoutMs } = asked
  const plain = { mark: asked.after || '1', entityVatNumber: asked.vat }
  let next: Readonly<Record<string, string>> | undefined
  do {
    const query = { ...plain, ...next }
    const call = { method: 'GET', name: 'RequestTransmittedDocs', query } as const
    const page = transmittedIn(await device.call(call, { timeoutMs }))
    for (const one of page.found) found.set(one.uid, one)
    for (const [mark, payment] of page.paid) paid.set(mark, payment)
    for (const { mark, cancelledBy } of page.found) {
      if (cancelledBy !== '') cancelled.set(mark, cancelledBy)
    }
    next = page.next
  } while (next !== undefined)
  return { found, paid, cancelled }
}
