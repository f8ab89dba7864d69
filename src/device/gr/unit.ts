// The Greek signing unit as the queue sees it: whose documents they are, through which channel they
// go, and the line to myDATA of the AADE.
import type { CallLimit } from '../device.js'
import tried from './pretended.json' with { type: 'json' }

/** Package of the unit that lies in this server (src/simulator/gr). */
export const SOFTWARE_PACKAGE = 'fiskalwerk.SCU.GR.Software'
/** Package of the unit that speaks with the AADE. */
export const MYDATA_PACKAGE = 'fiskalwerk.SCU.GR.MyData'

/** A licensed provider, or the program of the merchant. */
export const CHANNELS = ['provider', 'erp'] as const
export type Channel = (typeof CHANNELS)[number]

export interface GrIdentity {
  channel: Channel
  /** Of who issues the documents; '' : the master data of the merchant say it. */
  vat: string
  /** Name, number and licence of the provider; of the emulation they say that it is one. */
  provider: { id: string; name: string; licence: string }
  /** Where calls go, with the slash at its end. */
  base: string
  /** Begin of the addresses of documents; '' : it is missing. */
  receiptBase: string
}

export interface GrCall {
  method: 'GET' | 'POST'
  /** `SendInvoices` */
  name: string
  query?: Readonly<Record<string, string>>
  body?: string
}

export interface GrReply {
  status: number
  text: string
}

export interface GrDevice {
  /** Throws DeviceError when the unit does not answer. */
  identity(limit: CallLimit): Promise<GrIdentity>
  /** Throws DeviceError when there is no answer: what was sent may have arrived. */
  call(call: GrCall, limit: CallLimit): Promise<GrReply>
}

/** Tells nobody, for receipts that are only tried: of a queue that has seen a MARK, or none. */
export const pretended = (lastMark: string): GrDevice => ({
  identity: async () => ({ ...tried.identity, channel: 'provider' }),
  call: async () => ({ status: 200, text: tried.answer.replace('{}', lastMark || tried.mark) }),
})
