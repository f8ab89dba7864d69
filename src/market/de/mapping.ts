// From the v2 receipt cases to the v0/v1 tables on which the German rules are defined.
import { type ItemCounts, receiptCases, receiptFlags } from './cases.js'

/** How the receipt uses TSE transactions; `auto`: ends the open one of its reference, or both. */
export type Flow = 'implicit' | 'explicit' | 'auto'

export interface ReceiptCode {
  /** v0/v1 code. */
  code: number
  /** v0/v1 flags, bits 16 and up moved down by 16. */
  flags: number
  flow: Flow
}

const { zero, protocol, order, foreignSales } = receiptCases

/** v2 receipt codes `txcc`; 4022 (finish migration) has no counterpart. */
const receiptTable: Record<number, number> = {
  0: 0x0000,
  1: 0x0001,
  2: 0x0011,
  3: foreignSales,
  4: foreignSales,
  5: 0x000f,
  4096: 0x000e,
  4097: 0x000d,
  4098: 0x000c,
  4099: 0x000e,
  8192: zero,
  8193: zero,
  8208: zero,
  8209: receiptCases.daily,
  8210: receiptCases.monthly,
  8211: receiptCases.yearly,
  12288: receiptCases.infoInternal,
  12289: protocol,
  12290: protocol,
  12291: 0x0012,
  12292: order,
  12293: order,
  12304: protocol,
  12305: protocol,
  16385: receiptCases.start,
  16386: receiptCases.stop,
  16401: receiptCases.initiateSwitch,
  16402: receiptCases.finishSwitch,
  16417: receiptCases.startMigration,
}

export const TECHNICAL_LOG = 0x3001
const WITHOUT_DUTY = 0x0003
const TABLE_CHECK = 0x0006
const PRO_FORMA = 0x0007

/** Local flags of a technical log: one step of an explicit transaction. */
export const transactionSteps: Record<number, { code: number; flow: Flow }> = {
  17: { code: receiptCases.startTransaction, flow: 'explicit' },
  33: { code: receiptCases.updateTransaction, flow: 'explicit' },
  49: { code: receiptCases.deltaTransaction, flow: 'explicit' },
  65: { code: receiptCases.failTransaction, flow: 'explicit' },
  64: { code: receiptCases.failTransaction, flow: 'implicit' },
}

const REFUND = 0x0100
const FOREIGN_SALE = 0x0080

const RECEIPT_FLAGS = 0x00ff
const DAILY_FLAGS: readonly (readonly [v2: number, v0: number])[] = [
  [0x0010, receiptFlags.tseInfo],
  [0x0020, receiptFlags.tarDownload],
  [0x0040, receiptFlags.bypassTar],
  [0x0080, receiptFlags.selfTestOrClientOnly],
  [0x0100, receiptFlags.masterData],
]
const CLIENT_ONLY = 0x0010

/** The v0/v1 meaning of a v2 receipt case, or undefined when there is none. */
export function receiptCodeOf(
  word: { code: number; flags: number; local: number },
  items: ItemCounts,
): ReceiptCode | undefined {
  const flags = flagsOf(word.code >>> 12, word.flags)
  const step = word.code === TECHNICAL_LOG ? transactionSteps[word.local] : undefined
  if (step !== undefined) return { ...step, flags }
  const code = codeOf(word, items)
  if (code === undefined) return undefined
  const operation = word.code >>> 12 === 2 || word.code >>> 12 === 4
  return { code, flags, flow: operation ? 'implicit' : 'auto' }
}

function codeOf(
  { code, flags }: { code: number; flags: number },
  { charges, pays }: ItemCounts,
): number | undefined {
  if (code === TABLE_CHECK || code === PRO_FORMA) {
    return charges > 0 && pays === 0 ? order : protocol
  }
  if (code === WITHOUT_DUTY && (flags & REFUND) !== 0) return receiptCases.void
  if (code <= WITHOUT_DUTY && (flags & FOREIGN_SALE) !== 0) return foreignSales
  return receiptTable[code]
}

/** Receipts and invoices keep their flags, logs the training flag; operations have their own. */
function flagsOf(category: number, flags: number): number {
  if (category <= 1) return flags & RECEIPT_FLAGS
  if (category === 3) return flags & receiptFlags.training
  if (category === 4) return (flags & CLIENT_ONLY) === 0 ? 0 : receiptFlags.selfTestOrClientOnly
  if (category !== 2) return 0
  return DAILY_FLAGS.reduce((all, [v2, v0]) => ((flags & v2) === 0 ? all : all | v0), 0)
}
