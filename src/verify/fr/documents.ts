// What a French document says besides its place in its chain: its case, its sums, its totals.
import type { Certificates, Payload } from '../jws.js'
import { JwsChains, type Place } from '../jws-chains.js'
import { quote } from '../text.js'
import { readReceipt } from './cases.js'
import lists from './lists.json' with { type: 'json' }
import type { Report } from './rules.js'
import { blockOf, isSum, PREFIXES, Totals } from './totals.js'

export type Document = ReturnType<typeof readReceipt> & { rid: string; payload: Payload }

export class Documents {
  /** Of all chains so far. */
  count = 0
  private readonly report: Report
  private readonly chains: JwsChains<'CERTIFICATE_SIRET'>
  private readonly isWhole: boolean
  private totals: Totals | undefined

  /** Without certificates: of a table without signatures, in which one chain stands alone. */
  constructor(report: Report, certificates?: Certificates, isBeginning?: boolean) {
    this.report = report
    const chains = { members: lists.said, begins: /#[GX]1$/, certificates, isBeginning }
    this.chains = new JwsChains({ report, ownerCode: 'CERTIFICATE_SIRET', ...chains })
    this.isWhole = certificates !== undefined
  }

  /** A JWS, or in a table its payload. Undefined: it cannot be read. */
  take(place: Place, told: string | Payload): Document | undefined {
    const payload = this.chains.take(place, told)
    if (payload === undefined) return undefined
    const rid = payload.get('rid') ?? ''
    const document = { payload, rid, ...readReceipt(payload.get('rc')) }
    const { ends, letter: wanted = 'a known case' } = document
    this.count += 1
    if (this.isWhole) this.totals ??= new Totals(this.report, this.chains.isBeginning === true)
    if (place.letter !== wanted) this.report('LETTER_WRONG', rid, `expected ${wanted}`)
    // where totals are replayed, those of closings are compared as a whole
    for (const prefix of this.isWhole ? [''] : PREFIXES) {
      const block = blockOf(payload, prefix)
      if (block === undefined || isSum(block)) continue
      this.report('SUM_WRONG', rid, `${quote(`${prefix}total`)} is not the sum of its rates`)
    }
    const block = blockOf(payload, '')
    if (block !== undefined && /[TI]/.test(place.letter)) this.totals?.sold(block)
    if (/[GA]/.test(place.letter)) this.totals?.closed(payload, { rid, ends })
    return document
  }
}
