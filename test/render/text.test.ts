// A receipt as plain text: the same content in 48, 42 and 32 columns.
import { describe, expect, it } from 'vitest'
import { JsonObject, parseJson } from '../../src/lib/json.js'
import { htmlReceipt } from '../../src/render/html.js'
import { textReceipt } from '../../src/render/text.js'
import { type ReceiptView, viewOf } from '../../src/render/view.js'

function object(text: string): JsonObject {
  const value = parseJson(text)
  if (value instanceof JsonObject) return value
  throw new Error('expected an object')
}

function view(request: string, response = '{}', verified = true): ReceiptView {
  return viewOf(
    {
      request: object(request),
      response: object(response),
      verified,
      merchant: ['Café Zentral', 'Ringstraße 1', '1010 Wien'],
      country: 'AT',
      zone: 'Europe/Vienna',
      currency: 'EUR',
    },
    'de',
  )
}

const REQUEST = `{
  "cbTerminalID": "T1", "cbReceiptReference": "r-17", "ftReceiptCase": 4707422694881099777,
  "cbChargeItems": [
    {"Quantity": 2, "Description": "Verlängerter mit Schlagobers und einer Prise Zimt",
     "Amount": 7.60, "VATRate": 20, "ftChargeItemCaseData": {"cbChargeItemLines": ["ohne Zucker"]}},
    {"Quantity": 1, "Description": "Rabatt", "Amount": -0.60, "VATRate": 20,
     "ftChargeItemCase": 4707422694881361920},
    {"Description": "Krapfen", "Amount": 1.2, "VATRate": 10}],
  "cbPayItems": [{"Description": "Karte", "Amount": 8.20,
    "ftPayItemCaseData": {"Receipt": ["TERMINAL 7", "GENEHMIGT"]}}],
  "ftReceiptCaseData": "{\\"cbReceiptLines\\":[\\"Danke\\\\nund bis bald\\"]}"
}`
const RESPONSE = `{
  "ftReceiptIdentification": "ft1A#", "ftCashBoxIdentification": "KASSE-1",
  "ftReceiptMoment": "2026-07-01T10:15:00Z", "ftReceiptFooter": ["Auf Wiedersehen"],
  "ftSignatures": [
    {"ftSignatureFormat": 65537, "ftSignatureType": 4707422694881099776, "Data": "oben"},
    {"ftSignatureFormat": 1, "ftSignatureType": 4707422694883196928, "Data": "versteckt"},
    {"ftSignatureFormat": 1, "ftSignatureType": 4707422694885294080, "Data": "nur Papier"},
    {"ftSignatureFormat": 1, "ftSignatureType": 4707422694889488384, "Data": "nur Bildschirm"},
    {"ftSignatureFormat": 3, "ftSignatureType": 4707422694881099777, "Caption": "Code",
     "Data": "_R1-AT1_KASSE-1_ft1A_2026-07-01T12:15:00"}]
}`

describe('text', () => {
  it.each([
    ['Matricola della cassa', 'OZ4uCtMH8UK3EwhtyuBSIw', ['Matricola della cassa:', 10]],
    ['Cassa', 'OZ4uCtMH8UK3EwhtyuBSIw', ['Cassa:    OZ4uCtMH8UK3EwhtyuBSIw']],
    [
      'Ora di fine della transazione che',
      '13:34',
      ['Ora di fine della', 'transazione che:           13:34'],
    ],
  ])('a label keeps its line together where its value stands below: %s', (label, value, lines) => {
    const text = textReceipt({ ...view(REQUEST), facts: [{ label, value }] }, 32)
    const below = lines.map((one) => (typeof one === 'number' ? ' '.repeat(one) + value : one))
    expect(text).toContain(`\n${below.join('\n')}\n`)
  })

  it('in 48 columns, every line of it', () => {
    expect(textReceipt(view(REQUEST, RESPONSE), 48)).toBe(`\
                  Café Zentral
                  Ringstraße 1
                   1010 Wien

                     Beleg
Belegnummer:                               ft1A#
Datum:                          01.07.2026 12:15
Kassen-ID:                               KASSE-1
Referenz:                                   r-17
Terminal:                                     T1

oben

Verlängerter mit Schlagobers und einer
Prise Zimt                                7,60 G
  ohne Zucker
  2\u00a0\u00d7\u00a03,80\u00a0€
  Rabatt                                 \u22120,60 G
Krapfen                                   1,20 G
------------------------------------------------
Summe                                     8,20\u00a0€
------------------------------------------------

USt                Netto      Steuer      Brutto
G 20\u00a0%              5,83        1,17        7,00
G 10\u00a0%              1,09        0,11        1,20

Karte                                       8,20

Danke
und bis bald

nur Papier

Code
_R1-AT1_KASSE-1_ft1A_2026-07-01T12:15:00

Karte                                       8,20
                   TERMINAL 7
                   GENEHMIGT

Auf Wiedersehen
`)
  })

  it.each([48, 42, 32])('no line is longer than %i columns, whatever stands in it', (columns) => {
    const long = `${'Donaudampfschifffahrtsgesellschaft'.repeat(3)} ${'x '.repeat(60)}😀😀😀`
    const item = `{"Description":"${long}","Amount":123456789012345.67,"VATRate":20,"Quantity":3}`
    const text = textReceipt(
      view(
        `{"cbChargeItems":[${item}],"cbPayItems":[${item}],"cbTerminalID":"${'T'.repeat(90)}"}`,
        `{"ftReceiptHeader":["${long}"],"ftSignatures":[{"Caption":"${long}","Data":"${long}"}]}`,
        false,
      ),
      columns,
    )
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(text.isWellFormed()).toBe(true)
    expect(text.replace(/\s/g, '')).toContain(`${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}`)
  })
})

describe('what is said', () => {
  it('signatures stand where their format says, on the medium that their type says', () => {
    const html = htmlReceipt(view(REQUEST, RESPONSE))
    expect(html).toContain('nur Bildschirm')
    for (const hidden of ['versteckt', 'nur Papier']) expect(html).not.toContain(hidden)
    expect(html.indexOf('oben')).toBeLessThan(html.indexOf('Verlängerter'))
    expect(html).toContain('<svg class="qr"')
    expect(html).not.toContain('_R1-AT1_KASSE-1')
  })

  // flags of ftReceiptCase: 0002 training, 0004 void, 0008 handwritten, 0100 refund
  it.each([
    ['4707422694881230849', ['Training']],
    ['4707422694881361921', ['Storno']],
    ['4707422694881624065', ['Nacherfasst']],
    ['4707422694897876993', ['Rückgabe']],
    ['"0x4154_2000_0000_0001"', []],
    ['4707422694881107985', []],
  ])('receipt case %s is marked %j', (receiptCase, marks) => {
    expect(view(`{"ftReceiptCase":${receiptCase}}`).marks).toEqual(marks)
  })

  it('a small business shows no VAT table', () => {
    const items = '"cbChargeItems":[{"Amount":1,"VATRate":20}]'
    expect(view(`{"ftReceiptCase":4707422694882148353,${items}}`).vat).toEqual([])
    expect(view(`{"ftReceiptCase":4707422694881099777,${items}}`).vat).toHaveLength(1)
  })

  it('the total that was given counts more than the sum', () => {
    const items = '"cbChargeItems":[{"Amount":1.005},{"Amount":2}]'
    expect(view(`{${items}}`).total).toBe('3,005\u00a0€')
    expect(view(`{${items},"cbReceiptAmount":3}`).total).toBe('3,00\u00a0€')
  })

  it('summer and winter of the legal zone, UTC by name', () => {
    const at = (moment: string) => view('{}', `{"ftReceiptMoment":"${moment}"}`).facts[0]?.value
    expect(at('2026-01-31T10:15:00Z')).toBe('31.01.2026 11:15')
    expect(at('2026-07-31T22:15:00Z')).toBe('01.08.2026 00:15')
    expect(at('0001-01-01T00:00:00Z')).toBeUndefined()
  })
})
