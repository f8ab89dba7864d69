// Every receipt case, charge item case and pay item case of the published tables.

import { describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { Decimal } from '../../../src/lib/decimal.js'
import { bucketOf, chargeCase, payCase, vatKeyOf } from '../../../src/market/de/item-cases.js'
import { readReceipt } from '../../../src/market/de/reading.js'
import type { ReceiptRequest } from '../../../src/model/receipt.js'
import { charge, de, implicit, pay, receipt } from '../../support/de/make.js'

const K = 'Kassenbeleg-V1'
const S = 'SonstigerVorgang'

function seen(request: ReceiptRequest) {
  const reading = readReceipt(withWords(request))
  if (reading.kind === 'refusal') return reading.kind
  const { bonType, processType, row } = reading
  return [bonType, processType, row.flow, processType === S ? reading.processData : '']
}

describe('receipt cases without items', () => {
  it.each([
    [0x00, 'Beleg', K, 'IE', ''],
    [0x01, 'Beleg', K, 'IE', ''],
    [0x02, null, S, 'I', 'zero-receipt'],
    [0x03, null, S, 'I', 'initial operation receipt / start-receipt'],
    [0x04, null, S, 'I', 'out of operation receipt / stop-receipt'],
    [0x05, null, S, 'I', 'monthly-closing'],
    [0x06, null, S, 'I', 'yearly-closing'],
    [0x07, null, S, 'I', 'daily-closing'],
    [0x08, null, '', 'E', ''],
    [0x09, null, '', 'E', ''],
    [0x0a, null, '', 'E', ''],
    [0x0b, 'AVBelegabbruch', K, 'IE', ''],
    [0x0c, 'Beleg', K, 'IE', ''],
    [0x0d, 'Beleg', K, 'IE', ''],
    [0x0e, 'AVRechnung', K, 'IE', ''],
    [0x0f, 'AVTransfer', K, 'IE', ''],
    [0x10, 'AVBestellung', 'Bestellung-V1', 'IE', ''],
    [0x11, 'Beleg', K, 'IE', ''],
    [0x12, 'AVSachbezug', K, 'IE', ''],
    [0x13, null, S, 'IE', 'info-internal'],
    [0x14, null, S, 'IE', 'protocol'],
    [0x15, 'AVSonstige', K, 'IE', ''],
    [0x16, 'AVBelegstorno', K, 'IE', ''],
    [0x17, null, S, 'I', 'initiate-scu-switch'],
    [0x18, null, S, 'I', 'finish-scu-switch'],
    [0x19, null, S, 'I', 'start-migration'],
  ])('%i', (code, bonType, processType, flow, text) => {
    expect(seen(receipt(implicit(code)))).toEqual([bonType, processType, flow, text])
  })

  it('refuses every code above 0019', () => {
    for (const code of [0x1a, 0x20, 0xff, 0x1000, 0xffff]) {
      expect(seen(receipt(implicit(code)))).toBe('refusal')
    }
  })
})

describe('receipt cases that look at their items', () => {
  const chargeItems = [charge(de(0x11), '1')]
  const payItems = [pay(de(0x1), '1')]
  const ie = 'IE'

  it('an order with payments is a Kassenbeleg-V1', () => {
    expect(seen(receipt(de(0x10), { chargeItems, payItems }))).toEqual(['AVBestellung', K, ie, ''])
  })

  it('internal information is one with charge and pay items, and none with one of them', () => {
    expect(seen(receipt(de(0x13), { chargeItems, payItems }))).toEqual(['AVSonstige', K, ie, ''])
    const text = [null, S, ie, 'info-internal']
    expect(seen(receipt(de(0x13), { chargeItems }))).toEqual(text)
    expect(seen(receipt(de(0x13), { payItems }))).toEqual(text)
  })

  it('training changes BON_TYP of a Kassenbeleg-V1 and of nothing else', () => {
    expect(seen(receipt(de(0x2_000c)))).toEqual(['AVTraining', K, ie, ''])
    expect(seen(receipt(de(0x2_0010), { chargeItems }))).toEqual([
      'AVBestellung',
      'Bestellung-V1',
      ie,
      '',
    ])
    expect(seen(receipt(de(0x2_0014)))).toEqual([null, S, ie, 'protocol'])
  })
})

const RATE = Decimal.of('19')
const BUCKET_OF_DIGIT = [0, 1, 2, 3, 4, 4, 4]

describe('charge item cases', () => {
  it.each([
    [0x01, 'Umsatz'],
    [0x11, 'Umsatz'],
    [0x19, 'Umsatz'],
    [0x21, 'Pfand'],
    [0x29, 'PfandRueckzahlung'],
    [0x31, 'Rabatt'],
    [0x39, 'Aufschlag'],
    [0x41, 'ZuschussUnecht'],
    [0x51, 'TrinkgeldAG'],
    [0x61, 'EinzweckgutscheinKauf'],
    [0x69, 'EinzweckgutscheinEinloesung'],
    [0x71, 'Forderungsentstehung'],
    [0x79, 'Forderungsaufloesung'],
    [0x81, 'Anzahlungseinstellung'],
    [0x89, 'Anzahlungsaufloesung'],
  ])('the group from %i has seven keys in order', (first, gvType) => {
    const rows = [0, 1, 2, 3, 4, 5, 6].map((at) => {
      const found = chargeCase(first + at)
      return [found.gvType, found.key, bucketOf(found, RATE)]
    })
    expect(rows).toEqual(BUCKET_OF_DIGIT.map((bucket, at) => [gvType, at + 1, bucket]))
  })

  it.each([
    [0x49, 'ZuschussEcht'],
    [0x59, 'TrinkgeldAN'],
    [0x60, 'MehrzweckgutscheinKauf'],
    [0x68, 'MehrzweckgutscheinEinloesung'],
    [0x90, 'Anfangsbestand'],
    [0x91, 'Privatentnahme'],
    [0x92, 'Privateinlage'],
    [0x93, 'Geldtransit'],
    [0x94, 'Lohnzahlung'],
    [0x95, 'Einzahlung'],
    [0x96, 'Auszahlung'],
    [0x97, 'DifferenzSollIst'],
    [0xa1, 'Umsatz'],
    [0xa2, 'Umsatz'],
  ])('%i is %s without tax', (code, gvType) => {
    const found = chargeCase(code)
    expect([found.gvType, found.key, bucketOf(found, RATE)]).toEqual([gvType, 5, 4])
  })

  it.each([
    ['19', 0],
    ['19.00', 0],
    ['7', 1],
    ['10.7', 2],
    ['5.5', 3],
    ['0', 4],
    ['16', 4],
    ['9.5', 4],
  ])('0000 with %s per cent stands in bucket %i, with key 7', (rate, bucket) => {
    const found = chargeCase(0)
    expect([found.gvType, bucketOf(found, Decimal.of(rate))]).toEqual(['Umsatz', bucket])
    expect(vatKeyOf(found, Decimal.of(rate))).toBe(7)
  })

  it('gives an unknown rate a key of its own', () => {
    expect(vatKeyOf(chargeCase(0x17), Decimal.of('14.25'))).toBe(2425)
    expect(vatKeyOf(chargeCase(0x17), Decimal.of('0'))).toBe(7)
    expect(vatKeyOf(chargeCase(0x11), Decimal.of('14.25'))).toBe(1)
  })
})

describe('pay item cases', () => {
  it.each([
    [0x00, 'Bar', 'Bar', 'never'],
    [0x01, 'Bar', 'Bar', 'never'],
    [0x02, 'Bar', 'Bar', 'always'],
    [0x03, 'Unbar', 'Unbar', 'given'],
    [0x04, 'Unbar', 'ECKarte', 'given'],
    [0x05, 'Unbar', 'Kreditkarte', 'given'],
    [0x06, 'Unbar', 'ElZahlungsdienstleister', 'given'],
    [0x07, 'Unbar', 'Guthabenkarte', 'given'],
    [0x08, 'Unbar', 'Unbar', 'given'],
    [0x09, 'Unbar', 'Unbar', 'given'],
    [0x0a, 'line', 'Keine', 'never'],
    [0x0b, 'Bar', 'Bar', 'never'],
    [0x0c, 'Bar', 'Bar', 'always'],
    [0x18, 'Bar', 'Bar', 'never'],
    [0xffff, 'Bar', 'Bar', 'never'],
  ])('%i is %s', (code, kind, zahlart, foreign) => {
    const found = payCase(code)
    expect([found.kind, found.zahlart, found.foreign, found.line]).toEqual([
      kind,
      zahlart,
      foreign,
      null,
    ])
  })

  it.each([
    [0x0d, 'MehrzweckgutscheinKauf', 'MehrzweckgutscheinEinloesung'],
    [0x0e, 'Forderungsaufloesung', 'Forderungsentstehung'],
    [0x0f, 'Anzahlungseinstellung', 'Anzahlungsaufloesung'],
    [0x10, 'TrinkgeldAN', 'TrinkgeldAN'],
    [0x11, 'ZuschussEcht', 'ZuschussEcht'],
    [0x12, 'Anfangsbestand', 'Anfangsbestand'],
    [0x13, 'Privateinlage', 'Privatentnahme'],
    [0x14, 'Geldtransit', 'Geldtransit'],
    [0x15, 'Lohnzahlung', 'Lohnzahlung'],
    [0x16, 'Einzahlung', 'Auszahlung'],
    [0x17, 'DifferenzSollIst', 'DifferenzSollIst'],
  ])('%i becomes a line by its sign', (code, negative, positive) => {
    expect(payCase(code)).toMatchObject({
      kind: 'line',
      zahlart: null,
      line: { negative, positive },
    })
  })
})
