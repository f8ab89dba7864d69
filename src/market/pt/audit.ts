// A second look at what a Portuguese queue has stored: numbers and signatures of each series, the
// document on its answer, the series at the end, and the books as a whole.
import type { StoredMarketRow } from '../../model/journal.js'
import type { Finding, Verdict } from '../../model/verdict.js'
import type { AuditedReceipt, Auditor } from '../contract.js'
import { expect, shownBy } from '../kit/audit.js'
import { CHAINS, type Chain, SLOTS } from './cases.js'
import type { PtState } from './queue.js'
import type { StoredDocument } from './rows.js'

const BOOKS = 0x5054_2000_0000_1001n

export class PtAuditor implements Auditor {
  private readonly state: PtState
  private readonly found = new Map<Chain, { number: number; hash: string }>()

  constructor(state: PtState) {
    this.state = state
  }

  receipt({ response, journal }: AuditedReceipt): Finding[] {
    if (response === null) return []
    const shown = shownBy(response).items.map(({ data }) => data)
    const rows = journal.filter(({ kind }) => CHAINS.includes(kind as Chain))
    return rows.flatMap((row) => this.document(row, shown))
  }

  end(): Finding[] {
    return CHAINS.flatMap((chain) => {
      const { number = 0, lastHash = '' } = this.state.series[chain] ?? {}
      const found = this.found.get(chain) ?? { number: 0, hash: '' }
      return [
        ...expect('STATE_NUMBER', chain, [found.number, number]),
        ...expect('STATE_CHAIN', chain, [found.hash, lastHash]),
      ]
    })
  }

  legalExport(): { type: bigint; key: string } | undefined {
    // training is no part of the books
    if (!SLOTS.some((slot) => this.found.has(slot))) return undefined
    return { type: BOOKS, key: this.state.keys.join(',') }
  }

  judge({ findings }: Verdict): Finding[] {
    return [...findings]
  }

  private document({ kind, number, content }: StoredMarketRow, shown: string[]): Finding[] {
    const chain = kind as Chain
    const { hash, atcud, number: name } = JSON.parse(content) as StoredDocument
    const before = this.found.get(chain)?.number ?? 0
    this.found.set(chain, { number, hash })
    return [
      ...expect('CHAIN_NUMBER', name, [before + 1, number]),
      ...expect('ANSWER_HASH', name, [true, shown.includes(hash)]),
      ...expect('ANSWER_ATCUD', name, [true, shown.includes(`ATCUD: ${atcud}`)]),
    ]
  }
}
