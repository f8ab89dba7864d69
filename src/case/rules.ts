// What the reading of case words depends on in a country; every market declares its own.
import type { Decimal } from '../lib/decimal.js'
import type { PosRequest } from '../model/receipt.js'
import type { Word } from './word.js'

export interface CaseRules {
  /** ISO 3166 letters. */
  country: string
  /** As sentences name it: `Austria`. */
  name: string
  /** ISO 4217; any other one is refused. */
  currency: string
  /** V of a charge item case by the rate in percent; 0 where no rate of the country fits. */
  vatOfRate(rate: Decimal, at: Date): number
  /** True for a rate that the country has; left out: every one that `vatOfRate` knows. */
  isRate?(rate: Decimal): boolean
  /**
   * What a charge item code of v0 says of the rate ("is for 20 %"), where the item's is another;
   * undefined: they fit, or the case says nothing.
   */
  ratesOfV0?(code: number, rate: Decimal): string | undefined
  /**
   * True for a complete word of version 0 or 1 that programs of the country mean by the tables of
   * v0, although they send it where v2 is expected. Left out: there are none.
   */
  readsAsV0?(receipt: Word): boolean
  /**
   * True for a step of a business act that has a receipt of its own under the same reference:
   * whoever refers to the act does not mean the step. Left out: there are none.
   */
  isStep?(receipt: Word): boolean
  /** True where an item without tax has to say why (NN). */
  wantsNature?: boolean
  /**
   * Data that the law wants of a receipt and that no rule refuses to be without; a dry run tells.
   * Left out: none.
   */
  wanted?(sent: PosRequest): CaseFault[]
}

/** A word that belongs to no table of this queue. */
export interface CaseFault {
  code: string
  path: string
  message: string
}
