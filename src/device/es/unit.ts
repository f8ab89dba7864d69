// The Spanish signing unit as the queue sees it: whose invoices they are, the key with which files
// are signed, and the line to the authority of its territory.
import type { CallLimit } from '../device.js'

/** Package of the unit that lies in this server (src/simulator/es). */
export const SOFTWARE_PACKAGE = 'fiskalwerk.SCU.ES.Software'

/** Which law the queue is under; fixed for its life. */
export const KINDS = ['VeriFactu', 'Araba', 'Bizkaia', 'Gipuzkoa'] as const
export type EsKind = (typeof KINDS)[number]
export type Province = Exclude<EsKind, 'VeriFactu'>

/** Package → kind, of the units that speak with an authority. */
export const PACKAGES = {
  'fiskalwerk.SCU.ES.VeriFactu': 'VeriFactu',
  'fiskalwerk.SCU.ES.TicketBAIAraba': 'Araba',
  'fiskalwerk.SCU.ES.TicketBAIBizkaia': 'Bizkaia',
  'fiskalwerk.SCU.ES.TicketBAIGipuzkoa': 'Gipuzkoa',
} as const satisfies Readonly<Record<string, EsKind>>

export const REGIMES = ['MainlandVat', 'IPSI', 'IGIC', 'Other'] as const
export type TaxRegime = (typeof REGIMES)[number]

export interface EsIdentity {
  kind: EsKind
  /** Of who issues the invoices; '' : the master data of the merchant say it. */
  nif: string
  name: string
  regime: TaxRegime
  /** Begin of the addresses of QR codes. */
  qrBase: string
  /**
   * The authority lies in this server, and what it is told is stored with the receipt: it is asked
   * while the receipt is made. Others are told when the receipt is stored.
   */
  isDirect: boolean
  /** Number of the licence of the software (TicketBAI). */
  licence: string
}

/** What is signed, and by which rules. */
export interface ToSign {
  xml: string
  /** Policy of the authority (device/es/policies.ts). */
  policy: EsKind
  at: Date
}

export interface EsCall {
  path: string
  type: string
  body: string | Buffer
  headers?: Readonly<Record<string, string>>
}

export interface EsReply {
  status: number
  text: string
  headers: Readonly<Record<string, string>>
}

export interface EsDevice {
  /** Throws DeviceError when the unit does not answer. */
  identity(limit: CallLimit): Promise<EsIdentity>
  /** The document with an enveloped signature (XAdES-EPES). Throws DeviceError. */
  sign(what: ToSign, limit: CallLimit): Promise<string>
  /** Throws DeviceError when there is no answer: what was sent may have arrived. */
  call(request: EsCall, limit: CallLimit): Promise<EsReply>
}
