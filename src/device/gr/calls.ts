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

/**
 * Documents in one message, with what is said of each. Undefined: the message does not fit the
 * schema, which is said once for all of it, and nothing is taken.
 */
export async function sendInvoices(
  device: GrDevice,
  invoices: readonly string[],
  timeoutMs: number,
): Promise<Told[] | undefined> {
  const call = { method: 'POST', name: 'SendInvoices', body: invoicesDoc(invoices) } as const
  const told = toldIn(await device.call(call, { timeoutMs }))
  const whole = told.find(({ statusCode }) => statusCode === 'XMLSyntaxError')
  if (whole !== undefined && invoices.length > 1) return undefined
  return invoices.map((_, at) => {
    const one = told.find(({ index }) => index === at + 1) ?? whole
    if (one === undefined) throw new DeviceError('the answer is not complete')
    return one
  })
}

interface Asked {
  vat: string
  after: string
  timeoutMs: number
}

/** What is known there of documents behind a MARK, by UID. */
export const transmittedAfter = async (device: GrDevice, asked: Asked) =>
  (await askedAfter(device, asked)).found

/** The same with what was told of them later, from the document with this MARK on. */
export const askedFrom = (
  device: GrDevice,
  { mark, ...asked }: Omit<Asked, 'after'> & { mark: string },
): Promise<Known> => askedAfter(device, { ...asked, after: String(BigInt(mark) - 1n) })

export interface Known {
  found: Map<string, Transmitted>
  /** MARKs of what was told later, by that of the document. */
  paid: Map<string, string>
  cancelled: Map<string, string>
}

async function askedAfter(device: GrDevice, asked: Asked): Promise<Known> {
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
