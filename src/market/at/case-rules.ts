// How cases of the PosSystem API are read in Austria.
// Part of the market's table; exports read stored requests with the same rules.
import type { CaseRules } from '../../case/rules.js'
import { isRate, ratesOfV0, vatOfRate } from './cases.js'

export const caseRules: CaseRules = {
  country: 'AT',
  name: 'Austria',
  currency: 'EUR',
  vatOfRate,
  isRate,
  ratesOfV0,
}
