// What the law wants to be kept of a receipt (BOI-TVA-DECLA-30-10-30 § 50) and no rule refuses to
// be without: programs of the field leave it out.
import { readWords } from '../../case/reader.js'
import type { CaseFault } from '../../case/rules.js'
import { objectIn } from '../../lib/json.js'
import type { PosRequest } from '../../model/receipt.js'
import { COPY_OF_VERSION_2, receiptFlags } from './cases.js'

/** Receipts of version 2: table check, pro forma, order. */
const BILLS: ReadonlySet<number> = new Set([0x0006, 0x0007, 0x3004])

const says = (data: string | null, name: string): boolean =>
  objectIn(data ?? '')?.get(name) !== undefined || (data ?? '').includes(`"${name}`)

export function wanted(sent: PosRequest): CaseFault[] {
  const { code, flags } = readWords(sent).receipt
  const isTraining = (flags & receiptFlags.training) !== 0
  const hasLines = sent.chargeItems.length > 0
  const missing: [isMissing: boolean, path: string][] = [
    [sent.user === null, 'cbUser'],
    [sent.receiptAmount === null && hasLines, 'cbReceiptAmount'],
    [BILLS.has(code) && sent.area === null, 'cbArea'],
    [isTraining && !says(sent.receiptCaseData, 'ManagerId'), 'ftReceiptCaseData.ManagerId'],
    [
      code === COPY_OF_VERSION_2 && !says(sent.receiptCaseData, 'CopyReason'),
      'ftReceiptCaseData.CopyReason',
    ],
    ...sent.chargeItems.flatMap((item, at): [boolean, string][] => {
      const path = `cbChargeItems[${at}]`
      return [
        [item.description === '', `${path}.Description`],
        [item.vatAmount === null, `${path}.VATAmount`],
        [item.unit === null, `${path}.Unit`],
        [item.unitPrice === null, `${path}.UnitPrice`],
        [!says(item.chargeItemCaseData, 'NetAmount'), `${path}.ftChargeItemCaseData.NetAmount`],
      ]
    }),
  ]
  return missing.flatMap(([isMissing, path]) =>
    isMissing ? [{ code: 'DataWanted', path, message: 'The law wants it to be kept.' }] : [],
  )
}
