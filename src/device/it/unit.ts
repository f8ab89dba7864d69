// The Italian fiscal printer (Registratore Telematico, RT) or server as the queue sees it: it
// numbers and keeps commercial documents, and closes the day.
import { type CallLimit, DeviceRefusal } from '../device.js'

/** Package of the device that lies in this server (src/simulator/it). */
export const SOFTWARE_PACKAGE = 'fiskalwerk.Middleware.SCU.IT.Emulator'

/** Package of the driver of Epson RT printers. */
export const EPSON_PRINTER = 'fiskalwerk.SCU.IT.EpsonRTPrinter'

/** Package of the driver of Epson RT servers. */
export const EPSON_SERVER = 'fiskalwerk.SCU.IT.EpsonRTServer'

/** Package of the driver of Custom RT printers. */
export const CUSTOM_PRINTER = 'fiskalwerk.SCU.IT.CustomRTPrinter'

/** Package of the driver of Custom RT servers. */
export const CUSTOM_SERVER = 'fiskalwerk.SCU.IT.CustomRTServer'

/** A rate in percent, or the nature of what carries none. */
export const VAT_KEYS = ['22', '10', '5', '4', 'N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'VI'] as const
export type VatKey = (typeof VAT_KEYS)[number]

export const PAY_KINDS = [
  ...(['cash', 'cheque', 'card', 'ticket', 'discount'] as const),
  ...(['goodsUnpaid', 'servicesUnpaid', 'invoiceFollows'] as const),
] as const
export type PayKind = (typeof PAY_KINDS)[number]

/**
 * item: sold. off, on: a discount or an extra on what is sold at this rate. voucher: one of a
 * single use is redeemed. deposit: it was paid before. gift: given, and not paid. note: text
 * only.
 */
export type LineKind = 'item' | 'off' | 'on' | 'voucher' | 'deposit' | 'gift' | 'note'

export interface RtLine {
  kind: LineKind
  text: string
  /** At most three decimals: `2`, `0.125`. */
  quantity: string
  /** Never negative: the kind says what is taken off. */
  cents: bigint
  vat: VatKey
}

export interface RtPayment {
  kind: PayKind
  text: string
  cents: bigint
  /** How many tickets. */
  count: number
}

export type DocumentType = 'sale' | 'refund' | 'void'

/** Of what is given back or voided; z 0: it has no number here. */
export interface RtReference {
  z: number
  doc: number
  /** `2026-07-02` */
  date: string
  /** Of the device that made it; `ND` without number. */
  serial: string
  /** Gross cents by rate that can still be given back; left out: nobody knows. */
  left?: Readonly<Record<string, bigint>>
  /** What became of it. */
  fate: 'open' | 'refunded' | 'voided' | 'is-refund' | 'is-void'
}

export interface RtDocument {
  /** The same id is the same document: a repeated call makes no second one. */
  id: string
  type: DocumentType
  /** Of an RT server. */
  till: string
  lines: readonly RtLine[]
  /** On the whole, taken off where it is negative. */
  subtotal: bigint
  payments: readonly RtPayment[]
  /** Codice fiscale or partita IVA; '' for none. */
  taxId: string
  lottery: string
  reference: RtReference | undefined
}

export interface RtAnswer {
  serial: string
  z: number
  doc: number
  /** `2026-07-02 14:00:00`, the clock of the device. */
  moment: string
  /** Of an RT server: its fingerprint; '' of a printer. */
  sha: string
  warnings: readonly string[]
  /** Gross and tax in cents, by rate. */
  vat: Readonly<Record<string, readonly [gross: bigint, tax: bigint]>>
}

export interface RtClosing {
  serial: string
  z: number
  moment: string
}

/** The device has answered no; nothing was counted. */
export class RtRefusal extends DeviceRefusal {
  override name = 'RtRefusal'
  /** Number in the tables of its maker. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Every call throws DeviceError; only RtRefusal says for sure that nothing was done. */
export interface RtDevice {
  /** Documents name the till, and form a chain of hashes. */
  readonly isServer: boolean
  document(document: RtDocument, limit: CallLimit): Promise<RtAnswer>
  /** Z report, of an RT server that of the till. The same id closes once. */
  closing(id: string, till: string, limit: CallLimit): Promise<RtClosing>
  /** X report: prints, and moves nothing. */
  report(limit: CallLimit): Promise<void>
  /** A management document: the one of this number and till once more. */
  reprint(reference: RtReference, till: string, limit: CallLimit): Promise<void>
  /** Lines that are no commercial document. */
  print(lines: readonly string[], limit: CallLimit): Promise<void>
  /** How it is, in its own words; recovers from a broken document before. */
  status(limit: CallLimit): Promise<Readonly<Record<string, unknown>>>
  /** Registers or cancels a till of an RT server. */
  till(till: string, isOn: boolean, limit: CallLimit): Promise<void>
}
