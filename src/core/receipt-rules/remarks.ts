// What a dry run tells beside the rules: numbers that are signed as they are and were hardly meant.
// Never an error, and never looked at when a receipt is signed.
import { objectIn } from '../../lib/json.js'
import { casePartsOf, hexWord } from '../../case/word.js'
import type { CaseFault, CaseRules } from '../../case/rules.js'
import type { PayItem, PosRequest } from '../../model/receipt.js'

const VERSION_2 = 2n

/** `sent`: the request as it was read, its cases not yet completed. */
export function remarksOf(sent: PosRequest, rules: CaseRules): CaseFault[] {
  const { receiptCase, chargeItems, payItems } = sent
  if (rules.readsAsV0?.(receiptCase) === true) return []
  return [
    ...likeV0(receiptCase, 'ftReceiptCase'),
    ...chargeItems.flatMap((item, at) => {
      const path = `cbChargeItems[${at}]`
      return [
        ...likeV0(item.chargeItemCase, `${path}.ftChargeItemCase`),
        ...vatCode(item.chargeItemCase, `${path}.ftChargeItemCase`),
        ...rateWithoutCode(item, { path, sent, rules }),
      ]
    }),
    ...payItems.flatMap((item, at) => [
      ...likeV0(item.payItemCase, `cbPayItems[${at}].ftPayItemCase`),
      ...foreignMoney(item, `cbPayItems[${at}]`),
    ]),
  ]
}

/** A complete word without the version: its number is taken for one of version 2. */
function likeV0(word: bigint, path: string): CaseFault[] {
  const { country, version } = casePartsOf(word)
  if (country === 0n || version !== 0n) return []
  const message = `${hexWord(word)} looks like a case of v0; it is read by the tables of version 2.`
  return [{ code: 'LooksLikeV0', path, message }]
}

const LAST_VAT = 8n

function vatCode(word: bigint, path: string): CaseFault[] {
  const { version, country, code } = casePartsOf(word)
  const vat = code & 0xfn
  if (vat <= LAST_VAT || (country !== 0n && version !== VERSION_2)) return []
  return [{ code: 'VatCodeUnknown', path, message: `VAT ${vat} is not defined; the rate decides.` }]
}

type Charge = PosRequest['chargeItems'][number]

interface Place {
  path: string
  sent: PosRequest
  rules: CaseRules
}

/** Items whose case leaves the VAT to a rate that the country does not have. */
function rateWithoutCode({ vatRate, moment }: Charge, { path, sent, rules }: Place): CaseFault[] {
  const at = moment ?? sent.receiptMoment
  const isKnown = rules.isRate?.(vatRate) ?? rules.vatOfRate(vatRate, at) !== 0
  if (isKnown) return []
  const message = `${vatRate.toShortString()} % is no rate of ${rules.country} with a VAT code.`
  return [{ code: 'VatRateUnknown', path: `${path}.VATRate`, message }]
}

// ------------------------------------------------------------- foreign currency

const CASH = 0x01n
const KIND = 0xffn
const FOREIGN_FLAG = 0x0010n
const SYMBOL = 'foreignCurrencySymbol'
const AMOUNT = 'foreignCurrencyAmount'

function foreignMoney({ payItemCase, payItemCaseData }: PayItem, path: string): CaseFault[] {
  const { code, global } = casePartsOf(payItemCase)
  const data = objectIn(payItemCaseData)
  const names = new Set(data?.names.map((name) => name.toLowerCase()))
  const lacks = [SYMBOL, AMOUNT].filter((name) => !names.has(name.toLowerCase()))
  const isForeign = (code & KIND) === CASH && (global & FOREIGN_FLAG) !== 0n
  if (isForeign && lacks.length > 0) {
    const message =
      `A payment in foreign currency has ${SYMBOL} and ${AMOUNT} in its case data; ` +
      `missing: ${lacks.join(', ')}.`
    return [{ code: 'ForeignCurrencyMissing', path: `${path}.ftPayItemCaseData`, message }]
  }
  if (isForeign || lacks.length > 0) return []
  const message = 'The case data name a foreign currency; the flag 0010 of cash is not set.'
  return [{ code: 'ForeignCurrencyFlagMissing', path: `${path}.ftPayItemCase`, message }]
}
