// A second look at what a French queue has stored: the document on each answer, with its
// certificate, and the totals at the end.
import { Decimal } from '../../lib/decimal.js'
import { textIn } from '../../model/json-members.js'
import type { Auditor } from '../contract.js'
import { chainAuditor } from '../kit/chain-audit.js'
import { membersIn } from '../kit/jws.js'
import { chainValue } from './documents.js'
import { chainOf, type FrState } from './queue.js'
import { LETTERS } from './rows.js'

/** ftJournalFR with the signature of every document. */
const RAW_JOURNAL = 0x4652n

/** What a document hands to the next one, what it says of the one before ('': none), its total. */
export function linkOf(content: string): { hash: string; before: string; total: Decimal } {
  const payload = membersIn(content)
  return {
    hash: chainValue(content.slice(0, content.lastIndexOf('.'))),
    before: textIn(payload, 'hash'),
    total: Decimal.parse(textIn(payload, 'total')) ?? Decimal.ZERO,
  }
}

export function auditorOf(state: FrState): Auditor {
  const totals = new Map<string, Decimal>()
  const totalOf = (letter: string) => totals.get(letter) ?? Decimal.ZERO
  return chainAuditor({
    chains: LETTERS,
    read: ({ kind, number, content, certificateFingerprint: print }, shown) => {
      const { total, ...link } = linkOf(content)
      totals.set(kind, totalOf(kind).plus(total))
      return {
        ...{ name: `${kind}${number}`, ...link },
        more: [
          ['ANSWER_DOCUMENT', true, shown.includes(content)],
          ['CERTIFICATE_NAMED', true, print !== null],
        ],
      }
    },
    end: (letter) => {
      const { number, lastHash, totals } = chainOf(state, letter)
      const found = totalOf(letter).toShortString()
      return { number, hash: lastHash, more: [['STATE_TOTAL', found, totals.total ?? '0']] }
    },
    legal: (isThere) => (LETTERS.some(isThere) ? { type: RAW_JOURNAL } : undefined),
  })
}
