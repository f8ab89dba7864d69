// Which classification of income a type of document can have, as the authority publishes it:
// category, and the E3 types in it; `-` is none.

const SALES = '561_001 561_002 561_007'
const RETAIL = '561_003 561_004 561_005 561_006 561_007'
const OTHER_INCOME = '561_007 562 563 570'
const AGENCY = '881_001 881_003 881_004'
const AGENCY_RETAIL = '881_002 881_003 881_004'
const CREDIT = '561_001 561_002 561_005 561_006 561_007'

type Pairs = Readonly<Record<string, string>>

const goods = (of: string): Pairs => ({ '1_1': of, '1_2': of, '1_3': `${of} 563`, '1_7': AGENCY })
const DOMESTIC: Pairs = {
  ...goods(SALES),
  ...{ '1_4': '880_001', '1_5': OTHER_INCOME, '1_95': '596 597 -' },
}
const RECEIPT: Pairs = {
  ...{ '1_1': RETAIL, '1_2': RETAIL, '1_3': `${RETAIL} 563`, '1_5': OTHER_INCOME, '1_6': '595' },
  ...{ '1_4': '880_002 880_003 880_004 561_007', '1_7': AGENCY_RETAIL, '1_95': '-' },
}
const SERVICE: Pairs = {
  ...{ '1_3': '561_003 561_005 561_006 561_007 563', '1_5': OTHER_INCOME, '1_6': '595' },
  '1_95': '-',
}
const NOTHING: Pairs = { '1_95': '-' }
const MOVED: Pairs = { '3': '-' }

const PAIRS: Readonly<Record<string, Pairs>> = {
  ...{ '1.1': DOMESTIC, '1.2': goods('561_005'), '1.3': goods('561_006 561_007') },
  ...{ '1.4': { '1_7': AGENCY }, '2.1': { '1_3': `${SALES} 563` } },
  ...{ '2.2': { '1_3': '561_005 561_007 563' }, '2.3': { '1_3': '561_006 561_007 563' } },
  ...{ '5.2': { '1_1': CREDIT, '1_2': CREDIT, '1_3': CREDIT }, '6.1': { '1_6': '595' } },
  ...{ '6.2': { '1_6': '595' }, '8.1': { '1_3': '561_001', '1_5': '562' }, '8.2': NOTHING },
  ...{ '8.4': NOTHING, '8.5': NOTHING, '8.6': NOTHING, '9.1': MOVED, '9.2': MOVED, '9.3': MOVED },
  ...{ '10.1': MOVED, '10.2': MOVED, '11.1': RECEIPT, '11.2': SERVICE },
  '11.4': { ...SERVICE, ...RECEIPT },
  '11.5': { '1_7': AGENCY_RETAIL },
}

/** The code of what is wrong; undefined: it can be so. Types not listed are not looked at. */
export function pairFault(type: string, category: string, income: string): string | undefined {
  const pairs = PAIRS[type]
  if (pairs === undefined) return undefined
  const allowed = pairs[category.replace('category', '')]
  if (allowed === undefined) return '308'
  const wanted = income === '' ? '-' : income.replace('E3_', '')
  return allowed.split(' ').includes(wanted) ? undefined : '313'
}
