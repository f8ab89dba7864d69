// What the verifier of Greek books finds when something in them was changed, by its name.
import { describe, expect, it } from 'vitest'
import { contentCodes, rules } from '../../../src/verify/gr/rules.js'
import { codesOf, filledQueue, judge } from './files.js'

const books = filledQueue().then(async (queue) => (await queue.books()).toString())

/** Documents of the books; their last one is followed by nothing. */
const cut = (text: string) => text.split(/(?=<invoice>)/)

type Change = (text: string) => string
const swap =
  (from: string | RegExp, to: string): Change =>
  (text) => {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`nothing to change: ${from}`)
    return changed
  }
/** The document with this number alone. */
const inside =
  (aa: number, change: Change): Change =>
  (text) =>
    cut(text)
      .map((one) => (one.includes(`<aa>${aa}</aa>`) ? change(one) : one))
      .join('')

const UID = /<uid>[0-9A-F]{40}/
const PARTY = '</issuer><counterpart><vatNumber>026883248</vatNumber><country>GR</country>'

describe('the verifier', () => {
  it('finds nothing in what a queue has made', async () => {
    const { findings, summary } = await judge(Buffer.from(await books))
    expect([findings, summary]).toEqual([[], { documents: 10, withMark: 10 }])
  })

  it.each<[keyof typeof rules, Change]>([
    ['XML_FORM', (text) => text.slice(0, -30)],
    ['XML_FORM', inside(1, swap('netValue>10.00', 'netValue>ten'))],
    ['EMPTY', (text) => `${cut(text)[0]}</InvoicesDoc>`],
    ['ISSUER_INVALID', (text) => text.replaceAll('>112545020<', '>112545021<')],
    ['ISSUER_CHANGES', inside(2, swap('>112545020<', '>094014201<'))],
    ['TYPE_UNKNOWN', inside(1, swap('>11.1<', '>13.1<'))],
    ['UID_WRONG', inside(1, swap(UID, `<uid>${'0'.repeat(40)}`))],
    ['UID_WRONG', inside(1, swap('2026-06-01', '2026-06-02'))],
    ['NUMBER_TWICE', (text) => text.replace('<aa>3</aa>', '<aa>2</aa>')],
    [
      'NUMBER_TWICE',
      (text) =>
        cut(text)
          .toSpliced(2, 0, cut(text)[1] ?? '')
          .join(''),
    ],
    ['NUMBER_GAP', (text) => cut(text).toSpliced(2, 1).join('')],
    ['RECEIPT_TWICE', inside(2, swap(/item-\d+/, 'item-2'))],
    ['MARK_ORDER', inside(2, swap('>400000000000002<', '>400000000000001<'))],
    ['MARK_MISSING', inside(2, swap('<mark>400000000000002</mark>', ''))],
    ['CODE_FORM', inside(1, swap(/(<authenticationCode>)[0-9A-F]/, '$1x'))],
    ['REFERENCE_MISSING', inside(7, swap(/<correlatedInvoices>\d+<\/correlatedInvoices>/, ''))],
    ['REFERENCE_LATER', inside(4, swap('>400000000000003<', '>400000000000009<'))],
    [
      'CREDIT_OVER',
      inside(7, (text) => text.replaceAll('10.00', '20.00').replaceAll('12.40', '22.40')),
    ],
    ['PARTY_MISSING', inside(6, swap(/<counterpart>.*<\/counterpart>/, ''))],
    ['PARTY_STRAY', inside(1, swap('</issuer>', `${PARTY}<branch>0</branch></counterpart>`))],
    ['PARTY_INVALID', inside(6, swap('>026883248<', '>026883249<'))],
    ['TABLE_MISSING', inside(3, swap('<tableAA>7</tableAA>', ''))],
    ['LINE_TWICE', inside(1, swap(/(<invoiceDetails>.*<\/invoiceDetails>)/, '$1$1'))],
    ['EXEMPTION_MISSING', inside(8, swap(/<vatExemptionCategory>\d+<\/vatExemptionCategory>/, ''))],
    ['EXEMPT_TAXED', inside(8, swap('<vatAmount>0.00', '<vatAmount>1.00'))],
    ['VAT_WRONG', inside(1, swap('<vatCategory>1<', '<vatCategory>2<'))],
    ['CLASSIFICATION_SUM', inside(1, swap('icls:amount>10.00', 'icls:amount>9.00'))],
    ['CLASSIFICATION_SUMMARY', inside(1, swap(/(.*)E3_561_003/, '$1E3_561_007'))],
    ['TOTAL_WRONG', inside(9, swap('totalGrossValue>104.00', 'totalGrossValue>103.00'))],
    ['SUMS_WRONG', inside(9, swap('<taxAmount>20.00', '<taxAmount>19.00'))],
    ['SUMS_WRONG', inside(10, swap('<deductionsAmount>0.50', '<deductionsAmount>0.40'))],
  ])('finds %s, %#', async (code, change) => {
    expect(codesOf(await judge(Buffer.from(change(await books))))).toContain(code)
  })

  it('has no rule that is never broken here, and tells log from content', () => {
    expect(Object.keys(rules)).toHaveLength(27)
    expect(contentCodes.has('TOTAL_WRONG')).toBe(true)
    expect(contentCodes.has('UID_WRONG')).toBe(false)
  })
})
