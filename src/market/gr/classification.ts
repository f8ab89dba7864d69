// How income is classified (E3): a category by what is sold, and a type by the document.
import type { Classification } from '../../device/gr/document.js'
import { decidedBy } from '../kit/decide.js'
import lists from './lists.json' with { type: 'json' }

export interface Classified {
  invoiceType: string
  /** S of the item, and its reason for no tax (NN). */
  service: number
  nature: string
  region: Region
  /** An invoice: 1000 to 1003. */
  isInvoice: boolean
}

export type Region = 'home' | 'union' | 'third'

const categoryOf = decidedBy<string>(lists.incomeCategories)
const typeOf = decidedBy<string>(lists.incomeTypes)

/** Undefined: the document has none. */
export function classificationOf(of: Classified): Classification | undefined {
  const [category = '', type = ''] = [categoryOf({ ...of }), typeOf({ ...of })]
  return category === '' ? undefined : { category, type }
}
