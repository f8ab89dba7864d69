// A second look at queues whose documents lie in chains of their own: numbers and hashes of each,
// the documents on their answers, the chains at the end, and the journal as a whole.
import type { StoredMarketRow } from '../../model/journal.js'
import type { Finding } from '../../model/verdict.js'
import type { Auditor } from '../contract.js'
import { certificatesNamed, expect, shownBy } from './audit.js'

/** A document as its row has it. */
export interface Linked {
  name: string
  /** What the next one, and the state at the end, know it by. */
  hash: string
  /** What it says of the one before; left out: it does not name it. */
  before?: string
  /** More that holds of it: code, what is expected, what is found. */
  more: readonly (readonly [code: string, expected: unknown, found: unknown])[]
}

export interface Chained<C extends string> {
  /** Letters. */
  chains: readonly C[]
  /** `shown`: data of the items on its answer. */
  read(row: StoredMarketRow, shown: readonly string[]): Linked
  /** As the state has a chain at the end, and more that holds of it then. */
  end(chain: C): Pick<Linked, 'hash' | 'more'> & { number: number }
  /** `isThere`: of a chain that has documents; undefined: there is nothing to verify. */
  legal(isThere: (chain: C) => boolean): { type: bigint; key?: string } | undefined
}

/** The newest document of a chain. */
export interface Newest {
  number: number
  hash: string
}
/** Before the first. */
export const NONE: Newest = { number: 0, hash: '' }

export function chainAuditor<C extends string>(rules: Chained<C>): Auditor {
  const newest = new Map<string, Newest>()
  const certificates = certificatesNamed()
  const told = ({ more }: Pick<Linked, 'more'>, place: string): Finding[] =>
    more.flatMap(([code, ...pair]) => expect(code, place, pair))
  const document = (row: StoredMarketRow, shown: readonly string[]): Finding[] => {
    const { kind, number, certificateFingerprint } = row
    const before = newest.get(kind) ?? NONE
    const linked = rules.read(row, shown)
    const { name, hash } = linked
    newest.set(kind, { number, hash })
    certificates.add(certificateFingerprint)
    return [
      ...expect('CHAIN_NUMBER', name, [before.number + 1, number]),
      ...expect('CHAIN_HASH', name, [before.hash, linked.before ?? before.hash]),
      ...told(linked, name),
    ]
  }
  return {
    receipt({ response, journal }) {
      if (response === null) return []
      const shown = shownBy(response).items.map(({ data }) => data)
      const rows = journal.filter(({ kind }) => rules.chains.includes(kind as C))
      return rows.flatMap((row) => document(row, shown))
    },
    end: () =>
      rules.chains.flatMap((chain) => {
        const { number, hash } = newest.get(chain) ?? NONE
        const state = rules.end(chain)
        return [
          ...expect('STATE_NUMBER', chain, [number, state.number]),
          ...expect('STATE_CHAIN', chain, [hash, state.hash]),
          ...told(state, chain),
        ]
      }),
    legalExport: () => {
      const wanted = rules.legal((chain) => newest.has(chain))
      return wanted && { ...wanted, ...certificates.given() }
    },
    judge: ({ findings }) => [...findings],
  }
}
