// How cases of the PosSystem API are read in Germany, and what is peculiar to them.
// Part of the market's table; the DSFinV-K export reads stored requests with the same rules.
import type { CaseRules } from '../../case/rules.js'
import { taggingOf } from '../../case/word.js'
import { COUNTRY } from './case-words.js'
import { receiptCases } from './cases.js'
import { ratesOfV0 } from './item-cases.js'
import { vatByRate } from './item-mapping.js'
import { TECHNICAL_LOG, transactionSteps } from './mapping.js'

/** Local bit 001 of a word of version 0 or 1: the implicit flow, which version 2 does not have. */
const IMPLICIT = 0x001

const STEPS_V0: ReadonlySet<number> = new Set([
  receiptCases.startTransaction,
  receiptCases.updateTransaction,
  receiptCases.deltaTransaction,
])

export const caseRules: CaseRules = {
  country: 'DE',
  name: 'Germany',
  currency: 'EUR',
  vatOfRate: (rate, at) => vatByRate(rate, at.getTime()),
  ratesOfV0,
  readsAsV0: ({ country, version, local }) =>
    country === COUNTRY && version <= 1 && (local & IMPLICIT) !== 0,
  isStep: (word) => {
    if (taggingOf(word) !== 'v2') return STEPS_V0.has(word.code)
    const step = word.code === TECHNICAL_LOG ? transactionSteps[word.local] : undefined
    return step !== undefined && STEPS_V0.has(step.code)
  },
}
