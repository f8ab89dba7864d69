// A second look at what a French queue has stored: numbers and hashes of each chain, the document
// on each answer, totals and chains at the end, and the journal as a whole.
import { Decimal } from '../../lib/decimal.js'
import { JsonNumber, objectIn } from '../../lib/json.js'
import type { StoredMarketRow } from '../../model/journal.js'
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { expect, shownBy } from '../kit/audit.js'
import { payloadOf } from '../kit/jws.js'
import { chainValue } from './documents.js'
import { chainOf, type FrState } from './queue.js'
import { LETTERS } from './rows.js'

/** ftJournalFR with the signature of every document. */
const RAW_JOURNAL = 0x4652n

/** A document of a chain: its number, what the next one names, and its total. */
export interface Link {
  number: number
  hash: string
  /** Of the document before, as it says; '' for none. */
  before: string
  total: Decimal
}

export function linkOf({ number, content }: StoredMarketRow): Link {
  const payload = objectIn(payloadOf(content))
  const [hash, total] = [payload?.get('hash'), payload?.get('total')]
  return {
    number,
    hash: chainValue(content.slice(0, content.lastIndexOf('.'))),
    before: typeof hash === 'string' ? hash : '',
    total: total instanceof JsonNumber ? Decimal.of(total.text) : Decimal.ZERO,
  }
}

export const NO_LINK: Link = { number: 0, hash: '', before: '', total: Decimal.ZERO }

export class FrAuditor implements Auditor {
  private readonly state: FrState
  /** The newest of each chain, with the total of all. */
  private readonly chains = new Map<string, Link>()
  /** Fingerprints of the certificates that documents refer to. */
  private readonly certificates = new Map<string, Buffer>()

  constructor(state: FrState) {
    this.state = state
  }

  receipt({ response, journal }: AuditedReceipt): Finding[] {
    if (response === null) return []
    const shown = shownBy(response).items.map(({ data }) => data)
    const documents = journal.filter(({ kind }) => kind.length === 1)
    return documents.flatMap((row) => this.document(row, shown))
  }

  end(): Finding[] {
    return LETTERS.flatMap((letter) => {
      const { number, lastHash, totals } = chainOf(this.state, letter)
      const found = this.chains.get(letter) ?? NO_LINK
      return [
        ...expect('STATE_NUMBER', letter, [found.number, number]),
        ...expect('STATE_CHAIN', letter, [found.hash, lastHash]),
        ...expect('STATE_TOTAL', letter, [found.total.toShortString(), totals.total ?? '0']),
      ]
    })
  }

  legalExport(): { type: bigint; certificates: Buffer[] } | undefined {
    if (this.chains.size === 0) return undefined
    return { type: RAW_JOURNAL, certificates: [...this.certificates.values()] }
  }

  judge({ findings }: Verdict): Finding[] {
    return [...findings]
  }

  private document(row: StoredMarketRow, shown: readonly string[]): Finding[] {
    const { kind, number, content, certificateFingerprint: print } = row
    const before = this.chains.get(kind) ?? NO_LINK
    const link = linkOf(row)
    this.chains.set(kind, { ...link, total: before.total.plus(link.total) })
    if (print !== null) this.certificates.set(print.toString('hex'), print)
    const place = `${kind}${number}`
    return [
      ...expect('CHAIN_NUMBER', place, [before.number + 1, number]),
      ...expect('CHAIN_HASH', place, [before.hash, link.before]),
      ...expect('ANSWER_DOCUMENT', place, [true, shown.includes(content)]),
      ...expect('CERTIFICATE_NAMED', place, [true, print !== null]),
    ]
  }
}
