// Each kind of corruption of a SAF-T (PT) file gives exactly its finding.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { rules } from '../../../src/verify/pt/rules.js'
import { decoded } from '../../../src/verify/windows-1252.js'
import { workedQueue } from '../../market/pt/worked.js'
import { filledQueue, judge } from './files.js'

let text = ''
let key = ''
beforeAll(async () => {
  const queue = await filledQueue()
  text = (await queue.books()).toString('latin1')
  key = queue.state.keys[0] ?? ''
})

const bytes = (changed: string) => Buffer.from(changed, 'latin1')

async function schemaErrors(file: Buffer): Promise<string[]> {
  const schema = readFileSync('docs/schemas/saft-pt.xsd', 'utf8')
  // the validator has no Windows-1252
  const utf8 = decoded(file).replace('windows-1252', 'utf-8')
  const { errors } = await validateXML({
    xml: [{ fileName: 'saft.xml', contents: utf8 }],
    schema: [{ fileName: 'saft.xsd', contents: schema }],
  })
  return errors.map(({ message }) => message)
}

describe('a file as it is', () => {
  it('is accepted with either key, and fits the schema', async () => {
    const found = await judge(bytes(text), key)
    expect(found).toEqual({
      findings: [],
      summary: { documents: 9, signaturesVerified: 8, keys: 'given' },
    })
    expect((await judge(bytes(text))).summary).toMatchObject({ keys: 'in the file' })
    expect(await schemaErrors(bytes(text))).toEqual([])
  })

  it('the worked set has the sums of the reference, and fits the schema', async () => {
    const books = await (await workedQueue()).books()
    const found = books.toString('latin1')
    const sums = [...found.matchAll(/<(?:NumberOf|TotalD|TotalC)\w+>([\d.]+)</g)].map(
      ([, sum]) => sum,
    )
    expect(sums).toEqual(['4', '10.00', '121.00', '1', '0.00', '50.00', '1', '0.00', '123.00'])
    expect(found.match(/<TaxTableEntry>/g)).toHaveLength(3)
    expect(found.match(/<Customer>/g)).toHaveLength(2)
    expect(found.match(/<Product>/g)).toHaveLength(4)
    expect(await judge(books)).toMatchObject({ findings: [], summary: { signaturesVerified: 5 } })
    expect(await schemaErrors(books)).toEqual([])
  })
})

const cut = (from: RegExp, to: string) => (file: string) => {
  const changed = file.replace(from, to)
  if (changed === file) throw new Error(`nothing to change: ${from}`)
  return changed
}
/** The element of a document with this number. */
const inside = (number: string, from: RegExp, to: string) => (file: string) => {
  const at = file.indexOf(`>${number}<`)
  return file.slice(0, at) + cut(from, to)(file.slice(at))
}

const corruptions: [code: keyof typeof rules, what: string, how: (file: string) => string][] = [
  ['XML_FORM', 'a file that breaks off', (file) => file.slice(0, -20)],
  ['ISSUER_NIF', 'another issuer', cut(/(<TaxRegistrationNumber>)\d+/, '$1500000001')],
  ['COUNT_WRONG', 'another number of entries', cut(/(<NumberOfEntries>)\d+/, '$199')],
  ['TOTAL_WRONG', 'another control total', cut(/(<TotalCredit>)[\d.]+/, '$11.00')],
  ['CUSTOMER_UNKNOWN', 'a customer that is gone', cut(/(<Customer><CustomerID>)0</, '$11<')],
  [
    'PRODUCT_UNKNOWN',
    'a product that is gone',
    cut(/(<ProductCode>)[^<]+(<\/ProductCode><ProductDescription>Pão)/, '$1x$2'),
  ],
  ['TAX_UNKNOWN', 'another tax table', cut(/(<TaxTableEntry>.*?<TaxPercentage>)6</, '$17<')],
  [
    'SIGNATURE_INVALID',
    'another number of seconds',
    inside('FS FW2026A/1', /(<SystemEntryDate>[^<]+)\d</, '$19<'),
  ],
  ['SIGNATURE_INVALID', 'another hash', inside('FS FW2026A/3', /(<Hash>)..../, '$1AAAA')],
  ['HASH_CONTROL', 'paper that is not named', cut(/1-FTM A\/0007/, '1-FTM')],
  [
    'KEY_MISSING',
    'another version of the key',
    inside('FS FW2026A/3', /(<HashControl>)1</, '$12<'),
  ],
  ['NUMBER_FORM', 'a number without its series', cut(/(<DocumentNumber>PF) FW2026A/, '$1')],
  ['NUMBER_GAP', 'a document that is missing', (file) => gone(file, 'FS FW2026A/2')],
  ['SERIES_BEGIN', 'a first document that is missing', (file) => gone(file, 'FS FW2026A/1')],
  [
    'ATCUD_WRONG',
    'padding in one of the numbers',
    inside('FS FW2026A/2', /(<ATCUD>\w+-)2</, '$102<'),
  ],
  [
    'TIME_DECREASES',
    'a clock that goes back',
    inside('FS FW2026A/2', /(<SystemEntryDate>2026-06-01T)\d\d/, '$101'),
  ],
  ['DATE_WRONG', 'another day', inside('FS FW2026A/2', /(<InvoiceDate>2026-06-0)1/, '$12')],
  ['STATUS_WRONG', 'an annulment without reason', cut(/<Reason>Anulado<\/Reason>/, '')],
  ['GROSS_WRONG', 'another tax', inside('PF FW2026A/1', /(<TaxPayable>)23.00/, '$122.99')],
  ['NET_WRONG', 'another line', inside('PF FW2026A/1', /(<CreditAmount>)100/, '$1101')],
  [
    'TAX_WRONG',
    'another rate',
    inside(
      'PF FW2026A/1',
      /<TaxCode>NOR<\/TaxCode><TaxPercentage>23/,
      '<TaxCode>RED</TaxCode><TaxPercentage>6',
    ),
  ],
  [
    'SIDE_WRONG',
    'a credit note that credits',
    inside('NC FW2026A/1', /DebitAmount>([\d.]+)<\/DebitAmount/, 'CreditAmount>$1</CreditAmount'),
  ],
  ['EXEMPTION_WRONG', 'no tax and no reason', cut(/<TaxExemptionCode>M07<\/TaxExemptionCode>/, '')],
  [
    'REFERENCE_MISSING',
    'a credit note of nothing',
    inside('NC FW2026A/1', /<References>.*?<\/References>/, ''),
  ],
  [
    'REFERENCE_UNKNOWN',
    'a credit note of what is not there',
    inside('NC FW2026A/1', /(<Reference>)FS FW2026A\/2/, '$1FS FW2026A/9'),
  ],
  [
    'CREDIT_EXCEEDS',
    'a credit note of something smaller',
    inside('NC FW2026A/1', /(<Reference>)FS FW2026A\/2/, '$1FS FW2026A/1'),
  ],
  [
    'CREDIT_OF_VOIDED',
    'a credit note of what is annulled',
    inside('NC FW2026A/1', /(<Reference>)FS FW2026A\/2/, '$1FS FW2026A/3'),
  ],
  [
    'PAYMENT_EXCEEDS',
    'a payment of a smaller invoice',
    inside('RG FW2026A/1', /(<OriginatingON>)FT FW2026A\/1/, '$1FT FW2026A/2'),
  ],
]

const gone = (file: string, number: string) => {
  const at = file.indexOf(`<Invoice><InvoiceNo>${number}<`)
  const end = file.indexOf('</Invoice>', at) + '</Invoice>'.length
  return file.slice(0, at) + file.slice(end)
}

it.each(corruptions)('%s: %s', async (code, _what, how) => {
  const { findings } = await judge(bytes(how(text)))
  expect(findings.map((one) => one.code)).toContain(code)
})

it('every rule has a corruption that it finds', () => {
  const shown = new Set<string>(corruptions.map(([code]) => code))
  expect(Object.keys(rules).filter((code) => !shown.has(code) && code !== 'EMPTY')).toEqual([])
})
