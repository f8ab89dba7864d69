// How income is classified (E3): a category by what is sold, and a type by the document.
import { unlessEmpty, type XmlTree } from '../../lib/xml-write.js'
import { incomes, services as s } from './cases.js'

export interface Classification {
  category: string
  /** '' : none. */
  type: string
}

export interface Classified {
  invoiceType: string
  /** S of the item, and its reason for no tax (NN). */
  service: number
  nature: string
  region: 'home' | 'union' | 'third'
  /** An invoice: 1000 to 1003. */
  isInvoice: boolean
}

const ABROAD = '14'
const SOLD: ReadonlySet<number> = new Set([s.unknown, s.goods, s.service, s.catalogue])

/** Undefined: the document has none. */
export function classificationOf(of: Classified): Classification | undefined {
  const { invoiceType, service } = of
  if (invoiceType === '3.1' || invoiceType === '3.2') return undefined
  if (/^8\.[456]$/.test(invoiceType)) return { category: 'category1_95', type: '' }
  if (/^(9|10)\./.test(invoiceType)) return { category: 'category3', type: '' }
  if (service === s.unknown) return { category: 'category1_95', type: '' }
  return { category: incomes[service] ?? 'category1_95', type: typeOf(of) }
}

function typeOf({ service, nature, region, isInvoice }: Classified): string {
  if (service === s.own) return 'E3_595'
  if (service === s.agency) {
    const home = isInvoice ? 'E3_881_001' : 'E3_881_002'
    return { home, union: 'E3_881_003', third: 'E3_881_004' }[region]
  }
  if (isInvoice && region === 'union') return 'E3_561_005'
  if (isInvoice && region === 'third') return 'E3_561_006'
  if (nature === ABROAD) return isInvoice ? 'E3_561_002' : 'E3_561_004'
  if (!SOLD.has(service)) return 'E3_561_007'
  return isInvoice ? 'E3_561_001' : 'E3_561_003'
}

export function classificationTree({ category, type }: Classification, amount: string): XmlTree {
  return {
    'icls:classificationType': unlessEmpty(type),
    ...{ 'icls:classificationCategory': category, 'icls:amount': amount },
  }
}
