// What a French document says besides its place in its chain: its case, its sums, its totals.
import type { Certificates, Payload } from '../jws.js'
import { JwsChains, type Place } from '../jws-chains.js'
import { quote } from '../text.js'
import { readReceipt } from './cases.js'
import type { Report } from './rules.js'
import { blockOf, isSum, PREFIXES, Totals } from './totals.js'

export type Document = ReturnType<typeof readReceipt> & { rid: string; payload: Payload }

const said = (payload: Payload) => {
  const { rid: id = '', qid: queue = '', dt: moment = '', ...more } = Object.fromEntries(payload)
  return {
    id,
    queue,
    moment,
    before: more.hash ?? '',
    serial: more.csn ?? '',
    owner: more.siret ?? '',
  }
}

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
    const begins = (id: string) => /#[GX]1$/.test(id)
    const ownerCode = 'CERTIFICATE_SIRET'
    this.chains = new JwsChains({ report, ownerCode, said, certificates, isBeginning, begins })
    this.isWhole = certificates !== undefined
  }

  /** Undefined: it cannot be read. */
  signed(place: Place, jws: string): Document | undefined {
    const payload = this.chains.signed(place, jws)
    return payload && this.judged(place, payload)
  }

  unsigned(place: Place, payload: Payload): void {
    this.chains.add(place, payload)
    this.judged(place, payload)
  }

  private judged({ letter }: Place, payload: Payload): Document {
    const rid = payload.get('rid') ?? ''
    const document = { payload, rid, ...readReceipt(payload.get('rc')) }
    const { code, letter: wanted = 'a known case' } = document
    this.count += 1
    if (this.isWhole) this.totals ??= new Totals(this.report, this.chains.isBeginning === true)
    if (letter !== wanted) this.report('LETTER_WRONG', rid, `expected ${wanted}`)
    // where totals are replayed, those of closings are compared as a whole
    for (const prefix of this.isWhole ? [''] : PREFIXES) {
      const block = blockOf(payload, prefix)
      if (block === undefined || isSum(block)) continue
      this.report('SUM_WRONG', rid, `${quote(`${prefix}total`)} is not the sum of its rates`)
    }
    const block = blockOf(payload, '')
    if (block !== undefined && /[TI]/.test(letter)) this.totals?.sold(block)
    if (/[GA]/.test(letter)) this.totals?.closed(payload, { rid, code })
    return document
  }
}
