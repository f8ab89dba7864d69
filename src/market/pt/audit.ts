// A second look at what a Portuguese queue has stored: numbers of each series, hash and ATCUD of a
// document on its answer, and the series at the end.
import type { BookDocument } from '../../device/pt/document.js'
import type { Auditor } from '../contract.js'
import { chainAuditor } from '../kit/chain-audit.js'
import { CHAINS, SLOTS } from './cases.js'
import type { PtState } from './queue.js'

const BOOKS = 0x5054_2000_0000_1001n

export const auditorOf = ({ series, keys }: PtState): Auditor =>
  chainAuditor({
    chains: CHAINS,
    read: ({ content }, shown) => {
      const { hash, atcud, number: name } = JSON.parse(content) as BookDocument
      return {
        ...{ name, hash },
        more: [
          ['ANSWER_HASH', true, shown.includes(hash)],
          ['ANSWER_ATCUD', true, shown.includes(`ATCUD: ${atcud}`)],
        ],
      }
    },
    end: (chain) => {
      const { number = 0, lastHash = '' } = series[chain] ?? {}
      return { number, hash: lastHash, more: [] }
    },
    // training is no part of the books
    legal: (isThere) => (SLOTS.some(isThere) ? { type: BOOKS, key: keys.join(',') } : undefined),
  })
