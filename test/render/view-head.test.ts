// What stands around the sale on a shown receipt: head, marks, signatures, and five languages.
import { describe, expect, it } from 'vitest'
import { viewOf } from '../../src/render/view.js'
import { languageOf, wordsOf } from '../../src/render/words.js'
import { RECEIPT_LANGUAGES } from '../../src/words/words.js'
import { austrian, german, publishedPair, shown } from '../support/shown.js'

describe('head', () => {
  const factsOf = (request: string, response = '{}', language: 'de' | 'en' = 'de') =>
    Object.fromEntries(
      shown({ request, response }, language).facts.map(({ label, value }) => [label, value]),
    )

  it('short references are shown, long ones are not', () => {
    expect(factsOf(`{"cbReceiptReference":"${'x'.repeat(32)}"}`)).toHaveProperty('Referenz')
    expect(factsOf(`{"cbReceiptReference":"${'x'.repeat(33)}"}`)).not.toHaveProperty('Referenz')
  })

  it('the receipt that it refers to: its number where that is known', () => {
    const request = '{"cbPreviousReceiptReference":["r-1","r-2"]}'
    expect(factsOf(request)['Bezug auf Beleg']).toBe('r-1, r-2')
    const state =
      '{"ftStateData":{"ftPreviousReceiptReference":[{"ReceiptRequest":{},' +
      '"ReceiptResponse":{"ftReceiptIdentification":"ft7#"}}]}}'
    expect(factsOf(request, state)['Bezug auf Beleg']).toBe('ft7#')
  })

  it('a receipt that was entered later says when it was made', () => {
    const response = '{"ftReceiptMoment":"2026-07-02T08:00:00Z"}'
    const moment = '"cbReceiptMoment":"2026-07-01T10:15:00Z"'
    const late = factsOf(`{"ftReceiptCase":${austrian(0x8_0001n)},${moment}}`, response)
    expect(late['Ursprünglich vom']).toBe('01.07.2026 12:15')
    expect(factsOf(`{${moment}}`, response)).not.toHaveProperty('Ursprünglich vom')
  })

  it('times are those of the zone; UTC is named where there is no law', () => {
    const response = '{"ftReceiptMoment":"2026-01-31T23:30:00Z"}'
    const at = (country: string, language: 'de' | 'en' | 'fr' = 'de') =>
      shown({ response, country }, language).facts[0]?.value
    expect(at('AT')).toBe('01.02.2026 00:30')
    expect(at('DE', 'en')).toBe('01/02/2026 00:30')
    expect(at('PL', 'fr')).toBe('31/01/2026 23:30 UTC')
  })

  it('a customer, with and without prefixes', () => {
    const lines = (json: string) => shown({ request: `{"cbCustomer":${json}}` }).customer
    const expected = ['Muster', 'Weg 1', '1010 Wien', 'AT', 'UID-Nummer: ATU1']
    expect(
      lines(
        '{"CustomerName":"Muster","CustomerStreet":"Weg 1","CustomerZip":"1010",' +
          '"CustomerCity":"Wien","CustomerCountry":"AT","CustomerVATId":"ATU1"}',
      ),
    ).toEqual(expected)
    const short =
      '{"Name":"Muster","Street":"Weg 1","Zip":"1010","City":"Wien","Country":"AT","VATId":"ATU1"}'
    expect(lines(JSON.stringify(short))).toEqual(expected)
  })
})

describe('marks', () => {
  it('a copy, a late receipt, one that nobody has checked', () => {
    const request = `{"ftReceiptCase":${austrian(0x1_0001n)}}`
    const pair = { ...publishedPair({ request }), copy: true, verified: false }
    expect(viewOf(pair, 'en').marks).toEqual([
      'Receipt of another system, not verified by this server',
      'Copy',
      'Entered after an outage',
    ])
  })

  it('flags of receipts mean nothing on closings', () => {
    const request = `{"ftReceiptCase":${german(0x10c_2011n)}}`
    const { marks, title } = shown({ request, country: 'DE' })
    expect([marks, title]).toEqual([[], 'Tagesabschluss'])
  })

  it('the outage of a signing device in the words of the law', () => {
    // § 17 (4) RKSV: the fixed text in base64 stands where the signature would be
    const failed = 'U2ljaGVyaGVpdHNlaW5yaWNodHVuZyBhdXNnZWZhbGxlbg=='
    const signature = `{"ftSignatureFormat":3,"Data":"_R1-AT1_K_1_${failed}"}`
    const response = `{"ftSignatures":[${signature}]}`
    expect(shown({ response }).marks).toEqual(['Sicherheitseinrichtung ausgefallen'])
    expect(shown({ response }, 'en').marks[0]).toMatch(/^Sicherheitseinrichtung ausgefallen \(/)
    const text = 'Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen'
    const tse = `{"ftSignatures":[{"ftSignatureFormat":1,"Caption":"${text}","Data":"x"}]}`
    expect(shown({ response: tse, country: 'DE' }).marks).toEqual(['TSE ausgefallen'])
  })

  it.each([
    ['AT', 0x4154_2000_0000_0001n, true],
    ['AT', 0x4154_2001_0000_0002n, true],
    ['AT', 0x4154_2000_0000_0002n, false],
    ['AT', 0x4154_0000_0000_0004n, true],
    ['DE', 0x4445_2000_0000_0002n, true],
    ['DE', 0x4445_0000_0000_0002n, true],
    ['DE', 0x4445_2000_0000_0000n, false],
  ])('%s, ftState %d: the receipt on paper is to be kept: %s', (country, state, kept) => {
    const { notices } = shown({ response: `{"ftState":${state}}`, country })
    expect(notices).toEqual(kept ? ['Bitte bewahren Sie den Beleg auf Papier auf.'] : [])
  })
})

describe('signatures', () => {
  it('German items are a list with names, moments in the zone, proofs left out', () => {
    const one = (type: bigint, data: string, format = 1) =>
      `{"ftSignatureFormat":${format},"ftSignatureType":${german(type)},` +
      `"Caption":"<x>","Data":"${data}"}`
    const signatures = [
      one(0x17n, '17'),
      one(0x19n, '2026-07-01T10:14:58.000Z'),
      one(0x1en, 'BA=='),
      one(0x20_0010n, 'QQ==', 13),
    ]
    const response = `{"ftSignatures":[${signatures.join(',')}]}`
    const view = shown({ response, country: 'DE' })
    expect(view.signatures.map(({ caption, data, detail }) => [caption, data, detail])).toEqual([
      ['Transaktionsnummer', '17', false],
      ['Start der Transaktion', '01.07.2026 12:14:58', false],
      ['Öffentlicher Schlüssel', 'BA==', true],
    ])
  })

  it('the Austrian code as text has Base32 in fields 10, 12 and 13', () => {
    const code =
      '_R1-AT1_K_1_2026-01-01T00:00:00_0,00_0,00_0,00_0,00_0,00_Zm9v_1a_Zm9vYg==_Zm9vYmE='
    const response = `{"ftSignatures":[{"ftSignatureFormat":3,"Data":"${code}"}]}`
    const [one] = shown({ response }).signatures
    expect(one?.data).toBe(code)
    // RFC 4648, section 10: foo, foob, fooba
    expect(one?.text).toBe(
      '_R1-AT1_K_1_2026-01-01T00:00:00_0,00_0,00_0,00_0,00_0,00_MZXW6===_1a_MZXW6YQ=_MZXW6YTB',
    )
  })
})

describe('languages', () => {
  it.each([
    ['de', '1.234.567,80\u00a0€'],
    ['en', '1,234,567.80\u00a0€'],
    ['fr', '1\u00a0234\u00a0567,80\u00a0€'],
    ['it', '1.234.567,80\u00a0€'],
    ['es', '1.234.567,80\u00a0€'],
  ] as const)('%s writes amounts as its readers do', (language, total) => {
    expect(shown({ request: '{"cbReceiptAmount":1234567.8}' }, language).total).toBe(total)
  })

  it('every language has its own word for everything that is no name', () => {
    const [first, ...others] = RECEIPT_LANGUAGES
    const words = Object.entries(wordsOf(first))
    for (const language of others) {
      const table = new Map(Object.entries(wordsOf(language)))
      const same = words.filter(([key, word]) => table.get(key) === word).map(([key]) => key)
      const empty = [...table].filter(([, word]) => word === '').map(([key]) => key)
      expect(empty, language).toEqual([])
      // Terminal, Training and the like are the same in several languages
      expect(same.length, `${language}: ${same}`).toBeLessThan(6)
    }
  })

  it.each([
    ['AT', 'de'],
    ['DE', 'de'],
    ['FR', 'fr'],
    ['IT', 'it'],
    ['ES', 'es'],
    ['PL', 'en'],
  ])('receipts of %s are in %s when nobody asks', (country, language) => {
    expect(languageOf(country)).toBe(language)
  })

  it.each([
    [0x0000n, 'Receipt'],
    [0x1002n, 'Invoice'],
    [0x0005n, 'Delivery note'],
    [0x0006n, 'Interim bill'],
    [0x2010n, 'Shift closing'],
    [0x2013n, 'Yearly closing'],
    [0x3004n, 'Order'],
    [0x3010n, 'Copy of a receipt'],
    [0x4001n, 'Start receipt'],
  ])('the name of receipt case %d', (low, title) => {
    expect(shown({ request: `{"ftReceiptCase":${austrian(low)}}` }, 'en').title).toBe(title)
  })
})
