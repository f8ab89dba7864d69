// A second look at what a Portuguese queue has stored: numbers and signatures of each series, the
// document on its answer, the series at the end, and the books as a whole.
import type { StoredMarketRow } from '../../model/journal.js'
import type { Finding } from '../../model/verdict.js'
import type { Auditor } from '../contract.js'
import { expect, shownBy } from '../kit/audit.js'
import { CHAINS, type Chain, SLOTS } from './cases.js'
import type { PtState } from './queue.js'
import type { StoredDocument } from './rows.js'

const BOOKS = 0x5054_2000_0000_1001n

export function auditorOf({ series, keys }: PtState): Auditor {
  const found = new Map<string, { number: number; hash: string }>()
  const document = ({ kind, number, content }: StoredMarketRow, shown: string[]): Finding[] => {
    const { hash, atcud, number: name } = JSON.parse(content) as StoredDocument
    const before = found.get(kind)?.number ?? 0
    found.set(kind, { number, hash })
    return [
      ...expect('CHAIN_NUMBER', name, [before + 1, number]),
      ...expect('ANSWER_HASH', name, [true, shown.includes(hash)]),
      ...expect('ANSWER_ATCUD', name, [true, shown.includes(`ATCUD: ${atcud}`)]),
    ]
  }
  return {
    receipt({ response, journal }) {
      if (response === null) return []
      const shown = shownBy(response).items.map(({ data }) => data)
      const rows = journal.filter(({ kind }) => CHAINS.includes(kind as Chain))
      return rows.flatMap((row) => document(row, shown))
    },
    end: () =>
      CHAINS.flatMap((chain) => {
        const { number = 0, lastHash = '' } = series[chain] ?? {}
        const newest = found.get(chain) ?? { number: 0, hash: '' }
        return [
          ...expect('STATE_NUMBER', chain, [newest.number, number]),
          ...expect('STATE_CHAIN', chain, [newest.hash, lastHash]),
        ]
      }),
    // training is no part of the books
    legalExport: () =>
      SLOTS.some((slot) => found.has(slot)) ? { type: BOOKS, key: keys.join(',') } : undefined,
    judge: ({ findings }) => [...findings],
  }
}
