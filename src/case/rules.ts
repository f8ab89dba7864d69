// Cases of the PosSystem API brought into one form: country and version 2 in every word, the rate's
// own V where none was sent.
import type { Decimal } from '../lib/decimal.js'
import { casePartsOf, countryWord, hexWord } from './case.js'
import type { ChargeItem, ReceiptRequest } from './receipt.js'

/** What the reading of a case depends on in a country; every market declares its own. */
export interface CaseRules {
  /** ISO 3166 letters. */
  country: string
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
  readsAsV0?(receiptCase: bigint): boolean
  /**
   * True for a step of a business act that has a receipt of its own under the same reference:
   * whoever refers to the act does not mean the step. Left out: there are none.
   */
  isStep?(receiptCase: bigint): boolean
  /** True where an item without tax has to say why (NN). */
  wantsNature?: boolean
}

/** A word that belongs to no table of this queue. */
export interface CaseFault {
  code: string
  path: string
  message: string
}

const VERSION_2 = 2n << 44n
const VERSION_MASK = 0xfn << 44n

/**
 * Replaces every case of the request in place: no country is the queue's, version 0 is version 2, a
 * missing item case becomes that of its rate. What belongs elsewhere stays as it is and is told.
 */
export function normaliseCases(request: ReceiptRequest, rules: CaseRules): CaseFault[] {
  const faults: CaseFault[] = []
  const reader = readerOf(rules, faults)
  const sent = withCountry(request.receiptCase, reader.country)
  const v0 = rules.readsAsV0?.(sent) === true
  request.receiptCase = v0
    ? sent
    : reader.read(request.receiptCase, { path: 'ftReceiptCase', kind: 'Receipt', v0: false })
  for (let at = 0; at < request.chargeItems.length; at += 1) {
    const item = request.chargeItems[at]
    if (item === undefined) continue
    item.chargeItemCase =
      item.chargeItemCase === 0n
        ? caseOfRate(item, { request, rules, country: reader.country })
        : reader.read(item.chargeItemCase, { path: () => chargePath(at), kind: 'ChargeItem', v0 })
  }
  for (let at = 0; at < request.payItems.length; at += 1) {
    const item = request.payItems[at]
    if (item === undefined) continue
    item.payItemCase = reader.read(item.payItemCase, {
      path: () => payPath(at),
      kind: 'PayItem',
      v0,
    })
  }
  return faults
}

const chargePath = (at: number): string => `cbChargeItems[${at}].ftChargeItemCase`
const payPath = (at: number): string => `cbPayItems[${at}].ftPayItemCase`

/** The first item whose case is wrong: its word, and where it stands; undefined: none. */
export function itemCaseThat(
  isWrong: (word: bigint) => boolean,
  { chargeItems, payItems }: ReceiptRequest,
): { word: bigint; field: string } | undefined {
  const charge = chargeItems.find((item) => isWrong(item.chargeItemCase))
  if (charge !== undefined) {
    return { word: charge.chargeItemCase, field: chargePath(chargeItems.indexOf(charge)) }
  }
  const pay = payItems.find((item) => isWrong(item.payItemCase))
  return pay && { word: pay.payItemCase, field: payPath(payItems.indexOf(pay)) }
}

interface Place {
  path: string | (() => string)
  kind: 'Receipt' | 'ChargeItem' | 'PayItem'
  /** The receipt is read by the tables of v0. */
  v0: boolean
}

function readerOf({ country: letters }: CaseRules, faults: CaseFault[]) {
  const country = countryWord(letters) << 48n
  /** Country and version of nearly every word: nothing is to be done. */
  const usual = (country | VERSION_2) >> 44n
  const fault = (place: Place, code: string, message: string): void => {
    const path = typeof place.path === 'string' ? place.path : place.path()
    faults.push({ code: `${place.kind}Case${code}`, path, message })
  }
  const read = (value: bigint, place: Place): bigint => {
    if (value >> 44n === usual) return value
    const word = withCountry(value, country)
    if (word >> 48n !== country >> 48n) {
      const text = `${hexWord(value)} is of another country; this queue belongs to ${letters}.`
      fault(place, 'CountryMismatch', text)
      return value
    }
    const { version } = casePartsOf(word)
    // an item with a country and version 0 or 1 belongs to the tables of its v0 receipt
    if (place.v0 && value >> 48n !== 0n && version <= 1n) return word
    if (version === 0n || version === 2n) return (word & ~VERSION_MASK) | VERSION_2
    fault(place, 'VersionUnknown', `${hexWord(value)} has version ${version}; expected 2.`)
    return value
  }
  return { country, read }
}

function withCountry(value: bigint, country: bigint): bigint {
  return value >> 48n === 0n ? value | country : value
}

function caseOfRate(
  { vatRate, moment }: ChargeItem,
  where: { request: ReceiptRequest; rules: CaseRules; country: bigint },
): bigint {
  const { request, rules, country } = where
  const vat = rules.vatOfRate(vatRate, moment ?? request.receiptMoment)
  return country | VERSION_2 | BigInt(vat)
}
