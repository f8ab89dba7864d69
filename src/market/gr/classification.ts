// How income is classified (E3): a category by what is sold, and a type by the document.
import type { Cased } from '../../case/reader.js'
import { natureIn, serviceIn } from '../../case/word.js'
import type { Classification, Customer } from '../../device/gr/document.js'
import type { ChargeItem } from '../../model/receipt.js'
import { decidedBy } from '../kit/decide.js'
import { services, UNION, VOUCHER_EXEMPTION } from './cases.js'
import lists from './lists.json' with { type: 'json' }

export function regionOf(customer: Customer | undefined): 'home' | 'union' | 'third' {
  if (customer === undefined || customer.isHome) return 'home'
  return UNION.has(customer.country) ? 'union' : 'third'
}

const categoryOf = decidedBy<string>(lists.incomeCategories)
const typeOf = decidedBy<string>(lists.incomeTypes)

interface Sold {
  /** invoiceType, and the code of the receipt. */
  type: string
  code: number
  customer: Customer | undefined
}

/** `exemption`: of its tax. Undefined: the item has none. */
export function classificationOf(
  item: Cased<ChargeItem>,
  { type: invoiceType, code, customer }: Sold,
  exemption: string,
): Classification | undefined {
  const service = serviceIn(item)
  // money that will be spent later is no income: its list has no other pair for it (0036)
  const isUntaxed = service === services.voucher && exemption === VOUCHER_EXEMPTION
  const values = {
    ...{ invoiceType, service: isUntaxed ? services.unknown : service, nature: natureIn(item) },
    ...{ region: regionOf(customer), isInvoice: code >>> 12 === 1 },
  }
  const [category = '', type = ''] = [categoryOf(values), typeOf(values)]
  return category === '' ? undefined : { category, type }
}
