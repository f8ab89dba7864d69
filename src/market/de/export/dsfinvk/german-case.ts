// Requests with v2 tagging as the German tables know them: receipt case, items and case data in v0
// numbers. Called by receipt.ts.
import type { ReceiptRequest } from '../../../../model/receipt.js'
import { linesOf } from '../../lines.js'
import { receiptCodeOf } from '../../mapping.js'
import { caseDataOf } from '../../reading.js'
import { COUNTRY, taggingOf, wordOf } from '../../words.js'

/** The request with German v0 codes in place of whatever it was sent with. */
export function germanCaseOf(request: ReceiptRequest): ReceiptRequest {
  const word = wordOf(request.receiptCase)
  const tagging = taggingOf(word) ?? 'v0'
  const { charges, pays } = linesOf(request, tagging)
  const items = { charges: charges.length, pays: pays.length }
  const code = tagging === 'v0' ? undefined : receiptCodeOf(word, items)
  return {
    ...request,
    receiptCase: code === undefined ? request.receiptCase : wordWith(code),
    receiptCaseData: caseDataOf(request, tagging),
    chargeItems: charges.map((line) => ({ ...line.item, chargeItemCase: wordWith(line) })),
    payItems: pays.map((line) => ({ ...line.item, payItemCase: wordWith(line) })),
  }
}

/** Flags above bit 31 say how a receipt was signed; the export does not ask for them. */
function wordWith({ code, flags }: { code: number; flags: number }): bigint {
  return (BigInt(COUNTRY) << 48n) | (BigInt(flags & 0xffff) << 16n) | BigInt(code)
}
