import { describe, expect, it } from 'vitest'
import { cellsOf, filesOf, rowsOf } from './support/archive.js'
import { cash, charge, goods, pay, receipt, receiptCase } from './support/items.js'
import { type Members, Till, wireText } from './support/till.js'

/** The files of a closing with these receipts. */
async function exported(receipts: Members[], configuration = {}) {
  const till = new Till()
  for (const members of receipts) till.add(members)
  till.close()
  return filesOf(till.source({ configuration }))
}

const both = { charges: [goods(11.9)], pays: [cash(11.9)] }
const full = (code: number, flags = 0) =>
  receipt(both.charges, both.pays, { ftReceiptCase: receiptCase(code, flags) })

describe('the type of a slip (BON_TYP)', () => {
  it('follows the receipt case', async () => {
    const types: [code: number, type: string][] = [
      [0x00, 'Beleg'],
      [0x01, 'Beleg'],
      [0x0b, 'AVBelegabbruch'],
      [0x0c, 'Beleg'],
      [0x0d, 'Beleg'],
      [0x0e, 'AVRechnung'],
      [0x0f, 'AVTransfer'],
      [0x10, 'AVBestellung'],
      [0x11, 'Beleg'],
      [0x12, 'AVSachbezug'],
      [0x13, 'AVSonstige'],
      [0x15, 'AVSonstige'],
      [0x16, 'AVBelegstorno'],
    ]
    const files = await exported(types.map(([code]) => full(code)))
    expect(cellsOf(files, 'transactions', 'BON_TYP')).toEqual(types.map(([, type]) => type))
  })

  it('keeps operations, parts of transactions and protocols out of every file', async () => {
    const codes = [0x02, 0x03, 0x05, 0x06, 0x08, 0x09, 0x0a, 0x14, 0x17, 0x18]
    const files = await exported(codes.map((code) => full(code)))
    for (const table of ['transactions', 'lines', 'datapayment', 'transactions_tse', 'vat']) {
      expect(rowsOf(files, table), table).toEqual([])
    }
  })

  it('is AVTraining for training receipts, which count nowhere', async () => {
    const files = await exported([full(1, 0x2), full(0x0f, 0x2)])
    expect(cellsOf(files, 'transactions', 'BON_TYP UMS_BRUTTO')).toEqual([
      'AVTraining|11,90',
      'AVTraining|11,90',
    ])
    expect(rowsOf(files, 'businesscases')).toEqual([])
    expect(cellsOf(files, 'cashpointclosing', 'Z_SE_ZAHLUNGEN')).toEqual(['0,00'])
  })

  it('needs charge and pay items for an internal information', async () => {
    const half = receipt(both.charges, [], { ftReceiptCase: receiptCase(0x13) })
    const files = await exported([half, full(0x13)])
    expect(cellsOf(files, 'transactions', 'BON_ID BON_NAME')).toEqual(['ft1#IT2|Sonstiger Vorgang'])
  })

  it('leaves orders without payment out where the queue says so, and only those', async () => {
    const order = receipt(both.charges, [], { ftReceiptCase: receiptCase(0x10) })
    const receipts = [order, full(0x10), full(1)]
    const all = await exported(receipts)
    expect(cellsOf(all, 'transactions', 'BON_TYP')).toEqual([
      'AVBestellung',
      'AVBestellung',
      'Beleg',
    ])
    const less = await exported(receipts, { ExcludeDsfinvkOrders: true })
    expect(cellsOf(less, 'transactions', 'BON_ID BON_TYP')).toEqual([
      'ft1#IT2|AVBestellung',
      'ft2#IT3|Beleg',
    ])
  })
})

describe('pay items that are no payments', () => {
  it('become lines with key 5 and the opposite amount', async () => {
    const cases: [code: number, amount: number, type: string][] = [
      [0x0d, -50, 'MehrzweckgutscheinKauf'],
      [0x0d, 30, 'MehrzweckgutscheinEinloesung'],
      [0x0e, -8, 'Forderungsaufloesung'],
      [0x0e, 8, 'Forderungsentstehung'],
      [0x0f, -20, 'Anzahlungseinstellung'],
      [0x0f, 20, 'Anzahlungsaufloesung'],
      [0x10, -2, 'TrinkgeldAN'],
      [0x11, 3, 'ZuschussEcht'],
      [0x12, -250, 'Anfangsbestand'],
      [0x13, -5, 'Privateinlage'],
      [0x13, 5, 'Privatentnahme'],
      [0x14, 4200, 'Geldtransit'],
      [0x15, 100, 'Lohnzahlung'],
      [0x16, -1, 'Einzahlung'],
      [0x16, 1, 'Auszahlung'],
      [0x17, 0.5, 'DifferenzSollIst'],
    ]
    const files = await exported([
      receipt(
        [],
        cases.map(([code, amount]) => pay(code, amount)),
      ),
    ])
    expect(cellsOf(files, 'lines', 'POS_ZEILE GV_TYP')).toEqual(
      cases.map(([, , type], at) => `${at + 1}|${type}`),
    )
    const amount = (value: number) => (-value).toFixed(5).replace('.', ',')
    expect(cellsOf(files, 'lines_vat', 'UST_SCHLUESSEL POS_BRUTTO POS_NETTO POS_UST')).toEqual(
      cases.map(([, value]) => `5|${amount(value)}|${amount(value)}|0,00000`),
    )
    expect(cellsOf(files, 'datapayment', 'ZAHLART_TYP BASISWAEH_BETRAG')).toEqual(['Keine|0,00'])
  })

  it('are voucher, tip and cash movements whose sums fit the payments', async () => {
    const files = await exported([
      // sale of a voucher, its use, a tip to the employee, the owner takes money
      receipt([], [pay(0x0d, -50, { ftPayItemCaseData: '{"VoucherNr":"V-1"}' }), cash(50)]),
      receipt([goods(30)], [pay(0x0d, 30)]),
      receipt([goods(10)], [pay(0x10, -2), pay(5, 12)]),
      receipt([], [pay(0x13, 5), cash(-5)]),
    ])
    expect(cellsOf(files, 'transactions', 'UMS_BRUTTO')).toEqual([
      '50,00',
      '0,00',
      '12,00',
      '-5,00',
    ])
    expect(rowsOf(files, 'lines')[0]?.GUTSCHEIN_NR).toBe('V-1')
    expect(cellsOf(files, 'payment', 'ZAHLART_TYP Z_ZAHLART_BETRAG')).toEqual([
      'Bar|45,00',
      'Keine|0,00',
      'Kreditkarte|12,00',
    ])
    expect(cellsOf(files, 'cashpointclosing', 'Z_SE_ZAHLUNGEN Z_SE_BARZAHLUNGEN')).toEqual([
      '57,00|45,00',
    ])
  })
})

describe('payments', () => {
  it('have the kind of their case', async () => {
    const kinds: [code: number, type: string][] = [
      [0x0, 'Bar'],
      [0x1, 'Bar'],
      [0x3, 'Unbar'],
      [0x4, 'ECKarte'],
      [0x5, 'Kreditkarte'],
      [0x6, 'ElZahlungsdienstleister'],
      [0x7, 'Guthabenkarte'],
      [0x8, 'Unbar'],
      [0x9, 'Unbar'],
      [0xa, 'Keine'],
      [0xb, 'Bar'],
    ]
    const files = await exported([
      receipt(
        [],
        kinds.map(([code]) => pay(code, 1)),
      ),
    ])
    expect(cellsOf(files, 'datapayment', 'ZAHLART_TYP')).toEqual(kinds.map(([, type]) => type))
  })

  it('show foreign money in its own currency beside the base currency', async () => {
    const dollars = {
      ftPayItemCaseData:
        '{"CurrencyCode":"USD","ForeignCurrencyAmount":12.5,"BaseCurrencyAmount":11}',
    }
    const francs = { ftPayItemCaseData: '{"CurrencyCode":"CHF","ForeignCurrencyAmount":5}' }
    const euros = { ftPayItemCaseData: '{"CurrencyCode":"EUR","ForeignCurrencyAmount":7}' }
    const files = await exported([
      receipt(
        [goods(22)],
        [pay(2, 11, dollars), pay(5, 4.8, francs), pay(5, 7, euros), pay(0xc, -0.8, francs)],
      ),
    ])
    const columns = 'ZAHLART_TYP ZAHLWAEH_CODE ZAHLWAEH_BETRAG BASISWAEH_BETRAG'
    expect(cellsOf(files, 'datapayment', columns)).toEqual([
      'Bar|USD|12,50|11,00',
      'Kreditkarte|CHF|5,00|4,80',
      'Kreditkarte|EUR||7,00',
      'Bar|CHF|-5,00|-0,80',
    ])
    expect(cellsOf(files, 'cash_per_currency', 'ZAHLART_WAEH ZAHLART_BETRAG_WAEH')).toEqual([
      'USD|12,50',
      'CHF|-5,00',
    ])
  })

  it('take the sign of a negative quantity, and their name from the case data', async () => {
    const named = { ftPayItemCaseData: '{"ItemCaseName":"Kundenkarte"}', quantity: -1 }
    const files = await exported([receipt([], [pay(7, 3, named), pay(1, -3, { quantity: -1 })])])
    expect(cellsOf(files, 'datapayment', 'ZAHLART_NAME BASISWAEH_BETRAG')).toEqual([
      'Kundenkarte|-3,00',
      'pay 1|-3,00',
    ])
  })
})

describe('lines', () => {
  it('have the business case and the tax key of their charge item case', async () => {
    const cases: [code: number, rate: number, expected: string][] = [
      [0x01, 19, 'Umsatz|1'],
      [0x1a, 7, 'Umsatz|2'],
      [0x13, 8.4, 'Umsatz|3'],
      [0x14, 5.5, 'Umsatz|4'],
      [0x15, 0, 'Umsatz|5'],
      [0x16, 0, 'Umsatz|6'],
      [0x17, 0, 'Umsatz|7'],
      [0x1f, 14.25, 'Umsatz|2425'],
      [0x21, 19, 'Pfand|1'],
      [0x2a, 7, 'PfandRueckzahlung|2'],
      [0x31, 19, 'Rabatt|1'],
      [0x39, 19, 'Aufschlag|1'],
      [0x42, 7, 'ZuschussUnecht|2'],
      [0x49, 0, 'ZuschussEcht|5'],
      [0x51, 19, 'TrinkgeldAG|1'],
      [0x59, 0, 'TrinkgeldAN|5'],
      [0x60, 0, 'MehrzweckgutscheinKauf|5'],
      [0x61, 19, 'EinzweckgutscheinKauf|1'],
      [0x68, 0, 'MehrzweckgutscheinEinloesung|5'],
      [0x69, 19, 'EinzweckgutscheinEinloesung|1'],
      [0x71, 19, 'Forderungsentstehung|1'],
      [0x79, 19, 'Forderungsaufloesung|1'],
      [0x81, 19, 'Anzahlungseinstellung|1'],
      [0x8a, 7, 'Anzahlungsaufloesung|2'],
      [0x97, 0, 'DifferenzSollIst|5'],
      [0xa1, 0, 'Umsatz|5'],
      [0x00, 19, 'Umsatz|7'],
    ]
    const items = cases.map(([code, vatRate]) => charge(code, 1, { vatRate }))
    const files = await exported([receipt(items, [cash(27)])])
    const keys = cellsOf(files, 'lines_vat', 'UST_SCHLUESSEL')
    expect(cellsOf(files, 'lines', 'GV_TYP').map((type, at) => `${type}|${keys[at]}`)).toEqual(
      cases.map(([, , expected]) => expected),
    )
    expect(cellsOf(files, 'vat', 'UST_SCHLUESSEL UST_SATZ')).toEqual([
      ...['1|19,00', '2|7,00', '3|8,40', '4|5,50', '5|0,00', '6|0,00', '7|0,00', '2425|14,25'],
    ])
    expect(cellsOf(files, 'cashregister', 'KEINE_UST_ZUORDNUNG')).toEqual(['1'])
  })

  it('count a negative quantity and keep the price positive', async () => {
    const files = await exported([
      receipt(
        [
          goods(11.9, { quantity: -2 }),
          goods(-11.9, { quantity: -2 }),
          goods(-11.9, { quantity: 2, unitPrice: -5.95 }),
          // position cancellation: as it was sent
          goods(11.9, { quantity: -2, ftChargeItemCase: 0x4445_0000_0020_0011n }),
        ],
        [cash(-23.8)],
      ),
    ])
    expect(cellsOf(files, 'lines', 'MENGE STK_BR P_STORNO')).toEqual([
      '-2,000|5,95000|0',
      '-2,000|5,95000|0',
      '-2,000|5,95000|0',
      '2,000|5,95000|0',
    ])
    expect(cellsOf(files, 'lines_vat', 'POS_BRUTTO POS_UST')).toEqual([
      '-11,90000|-1,90000',
      '-11,90000|-1,90000',
      '-11,90000|-1,90000',
      '11,90000|1,90000',
    ])
  })

  it('take the tax that was sent, else compute it to five decimals', async () => {
    const files = await exported([
      receipt(
        [
          goods(10),
          goods(-10),
          goods(10, { vatAmount: 1.6 }),
          goods(10, { vatAmount: 1.6, quantity: -1 }),
          charge(0x15, 10, { vatRate: 19 }),
        ],
        [cash(0)],
      ),
    ])
    // 10 - 10 / 1.19 = 1.596638…
    expect(cellsOf(files, 'lines_vat', 'POS_BRUTTO POS_NETTO POS_UST')).toEqual([
      '10,00000|8,40336|1,59664',
      '-10,00000|-8,40336|-1,59664',
      '10,00000|8,40000|1,60000',
      '-10,00000|-8,40000|-1,60000',
      '10,00000|10,00000|0,00000',
    ])
    expect(
      cellsOf(files, 'transactions_vat', 'UST_SCHLUESSEL BON_BRUTTO BON_NETTO BON_UST'),
    ).toEqual(['1|0,00000|0,00000|0,00000', '5|10,00000|10,00000|0,00000'])
  })

  it('say what was sold, where, and in which unit', async () => {
    const data = wireText({
      ...{ ItemCaseName: 'Mittagstisch', VoucherNr: 'G 7', TerminalId: 'Bar 2' },
      SubItems: [
        {
          ...{ ProductNumber: 'P1', GTIN: '4000', Description: 'Pommes', Amount: 1.19 },
          ProductGroup: { ProductGroupId: '9', ProductGroupName: 'Beilagen' },
          ...{ Quantity: 2, UnitQuantity: 0.5, Unit: 'Portion' },
          ftSubChargeItemCase: 0x4445_0000_0000_0011n,
        },
      ],
    })
    const files = await exported([
      receipt(
        [
          goods(20, {
            ...{ quantity: 4, unitQuantity: 0.5, unit: 'kg', productBarcode: '4006381333931' },
            ...{ productGroup: 'Getränke', ftChargeItemCaseData: data },
            ftChargeItemCase: 0x4445_0000_0001_0011n,
          }),
        ],
        [cash(20)],
      ),
    ])
    expect(rowsOf(files, 'lines')[0]).toMatchObject({
      ...{ GV_NAME: 'Mittagstisch', GUTSCHEIN_NR: 'G 7', POS_TERMINAL_ID: 'Bar 2', INHAUS: '0' },
      // CRC-32 (IEEE) of the UTF-8 bytes, by Python's zlib
      ...{ WARENGR: 'Getränke', WARENGR_ID: '253251973', GTIN: '4006381333931', EINHEIT: 'kg' },
      ...{ MENGE: '4,000', FAKTOR: '0,500', STK_BR: '2,50000' },
    })
    expect(rowsOf(files, 'subitems')[0]).toMatchObject({
      ...{ POS_ZEILE: '1', ZI_ART_NR: 'P1', ZI_GTIN: '4000', ZI_NAME: 'Pommes' },
      ...{ ZI_WARENGR_ID: '9', ZI_WARENGR: 'Beilagen', ZI_MENGE: '2,000', ZI_FAKTOR: '0,500' },
      ...{ ZI_EINHEIT: 'Portion', ZI_UST_SCHLUESSEL: '1', ZI_BASISPREIS_BRUTTO: '1,19000' },
      ...{ ZI_BASISPREIS_NETTO: '1,00000', ZI_BASISPREIS_UST: '0,19000' },
    })
    expect(cellsOf(files, 'slaves', 'TERMINAL_ID TERMINAL_SERIENNR')).toEqual([
      'T1|T1',
      'Bar 2|Bar 2',
    ])
  })
})
