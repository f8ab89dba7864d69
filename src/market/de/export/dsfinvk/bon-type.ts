// BON_TYP of a receipt (DSFinV-K Annex B), by its v0 receipt case.
// Called by bons.ts and references.ts.
import { type Receipt, receiptFlags } from './receipt.js'

export type BonType =
  | 'Beleg'
  | 'AVRechnung'
  | 'AVTransfer'
  | 'AVBestellung'
  | 'AVTraining'
  | 'AVBelegstorno'
  | 'AVBelegabbruch'
  | 'AVSachbezug'
  | 'AVSonstige'

/** Codes that are no slip (Bon) at all: lifecycle, closings, parts of an explicit transaction. */
const NO_BON = new Set([0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x14])
/** SCU switch and migration. */
const SWITCHES = new Set([0x17, 0x18, 0x19])

const OTHER_TYPES: ReadonlyMap<number, BonType> = new Map([
  [0x0b, 'AVBelegabbruch'],
  [0x0e, 'AVRechnung'],
  [0x0f, 'AVTransfer'],
  [0x10, 'AVBestellung'],
  [0x12, 'AVSachbezug'],
  [0x13, 'AVSonstige'],
  [0x15, 'AVSonstige'],
  [0x16, 'AVBelegstorno'],
])

const ORDER = 0x10
const INFO_INTERNAL = 0x13

/** Undefined: the receipt is no slip and not exported. */
export function bonTypeOf(receipt: Receipt): BonType | undefined {
  const { code, flags, request } = receipt
  if (NO_BON.has(code) || SWITCHES.has(code)) return undefined
  const complete = request.chargeItems.length > 0 && request.payItems.length > 0
  if (code === INFO_INTERNAL && !complete) return undefined
  // Bestellung-V1 says nothing of a training, so an order stays an order
  if ((flags & receiptFlags.training) !== 0 && !isOrder(receipt)) return 'AVTraining'
  return OTHER_TYPES.get(code) ?? 'Beleg'
}

/** An order with processType Bestellung-V1: without pay items. */
export function isOrder({ code, request }: Receipt): boolean {
  return code === ORDER && request.payItems.length === 0
}
