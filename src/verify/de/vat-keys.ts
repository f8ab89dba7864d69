// VAT keys (UST_SCHLUESSEL): rates and the bucket of processData to which they belong (list of
// 2024-12-05; DSFinV-K 2.4).

/** In hundredths of a percent, by key; keys with several rates over the years are not here. */
const RATES: Readonly<Record<string, readonly number[]>> = {
  '1': [1900],
  '2': [700],
  '4': [550],
  '5': [0],
  '6': [0],
  '7': [0],
  '8': [0],
  '11': [1900],
  '12': [700],
  '13': [1070],
  '21': [1600],
  '22': [500],
  '23': [950],
  '33': [900],
  '43': [840],
}

/** Key 3 follows the average rate of § 24 (1) no. 3 UStG, which changes each year. */
const AVERAGE = { key: '3', least: 550, most: 1070 }
const INDIVIDUAL = 1000

/** Rates that a foreign bucket may hold: items without a case are put there by their rate. */
const SPLIT_RATES = new Set([1900, 700, 1070, 550])

export function isVatKey(key: string): boolean {
  return key in RATES || key === AVERAGE.key || isIndividual(key)
}

function isIndividual(key: string): boolean {
  return /^\d{4,5}$/.test(key) && Number(key) >= INDIVIDUAL
}

/** Undefined when the rate (five decimals of a percent) fits the key, else what was expected. */
export function rateFault(key: string, rate: bigint): string | undefined {
  const hundredths = Number(rate) / 1000
  if (key === AVERAGE.key) {
    const isAverage = hundredths > AVERAGE.least && hundredths <= AVERAGE.most
    return isAverage ? undefined : 'a rate above 5,50 and up to 10,70'
  }
  const rates = isIndividual(key) ? [Number(key) - INDIVIDUAL] : (RATES[key] ?? [])
  if (rates.includes(hundredths)) return undefined
  return rates.map((value) => (value / 100).toFixed(2).replace('.', ',')).join(' or ')
}

export type Bucket = 0 | 1 | 2 | 3 | 4

/** General, reduced, key 3, key 4, zero; undefined: the key does not tell. */
export function bucketOf(key: string): Bucket | undefined {
  if (key === '7') return undefined
  if (isIndividual(key)) return SPLIT_RATES.has(Number(key) - INDIVIDUAL) ? undefined : 4
  const base = Number(key.slice(-1))
  return base === 1 ? 0 : base === 2 ? 1 : base === 3 ? 2 : base === 4 ? 3 : 4
}
