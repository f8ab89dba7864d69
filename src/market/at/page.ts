// What an Austrian receipt says on a page: the words of version 0, the outage of § 17 RKSV, the
// code as text.
import type { DocumentKind } from '../../case/traits.js'
import { taggingOf, wordOf } from '../../case/word.js'
import { documentBy, markedBy, omitting, pageOfVersion0 } from '../kit/page.js'
import { chargeRow, receiptCases, receiptFlags, stateBits, vatOfRate } from './cases.js'
import { FAILED_SIGNATURE, ocrCode } from './payload.js'
import { captions } from './text.js'

const documents: Record<number, DocumentKind> = {
  [receiptCases.zero]: 'zero',
  [receiptCases.start]: 'start',
  [receiptCases.stop]: 'stop',
  [receiptCases.monthly]: 'monthly',
  [receiptCases.yearly]: 'yearly',
  [receiptCases.noDuty]: 'exempt',
  [receiptCases.invoice]: 'invoice',
  [receiptCases.deliveryNote]: 'deliveryNote',
  [receiptCases.payIn]: 'transfer',
  [receiptCases.payOut]: 'transfer',
  [receiptCases.transfer]: 'transfer',
  [receiptCases.protocol]: 'log',
  [receiptCases.internalUse]: 'internal',
  [receiptCases.onlineShop]: 'online',
}

/** § 6 (1) 27 UStG: named by its flag only. */
const SMALL_BUSINESS = 0x0010

const { training, handwritten, lateSigning } = receiptFlags
const flags = { training, handwritten, void: receiptFlags.void, late: lateSigning }

/** V of version 2 for the buckets Normal, Erm1, Erm2, Null, Besonders. */
const VAT_OF_BUCKET = [3, 1, 2, 7, 4] as const

/** Bits of ftState: out of operation, or the signer out for longer than 48 hours. */
function keepsPaper(state: bigint): boolean {
  const low = BigInt.asUintN(32, state)
  if ((low & BigInt(stateBits.outOfService)) !== 0n) return true
  if (taggingOf(wordOf(state)) === 'v2') return (state & SIGNER_OUT_LONG_V2) !== 0n
  return (low & BigInt(stateBits.signerOutLong)) !== 0n
}

const SIGNER_OUT_LONG_V2 = 0x0001_0000_0000n

const FAILED = FAILED_SIGNATURE.toString('base64')

export const page = pageOfVersion0({
  smallBusinessLaw: '§ 6 Abs. 1 Z 27 UStG',
  documents,
  flags: { ...flags, smallBusiness: SMALL_BUSINESS },
  vatOf: (code, rate) => VAT_OF_BUCKET[chargeRow(code, rate).bucket],
  vatOfRate,
  // § 10 (3) RKSV
  toldBy: documentBy({ mark: markedBy('caption', [captions.training, captions.void]) }),
  omits: omitting(['operator']),
  codeText: (data) => (data.startsWith('_R1-AT') ? ocrCode(data) : data),
  outageOf: (signatures) =>
    signatures.some(({ data }) => data.startsWith('_R1-AT') && data.endsWith(`_${FAILED}`))
      ? captions.signerFailed
      : undefined,
  keepsPaper,
})
