// What tills send and nobody expects: blank and endless texts, rates that do not fit their case,
// quantities of nothing, fractions of cents. The rows stay whole and agree with each other.
import { describe, expect, it } from 'vitest'
import { cellsOf, type Files, filesOf } from './support/archive.js'
import { cash, charge, goods, pay, receipt, receiptCase } from './support/items.js'
import { DE, type Members, Till } from './support/till.js'

async function exported(...receipts: Members[]): Promise<Files> {
  const till = new Till()
  for (const one of receipts) till.add(one)
  till.close()
  return filesOf(till.source())
}

const sale = (changes: Members = {}) => receipt([goods(1.19)], [cash(1.19)], changes)
const data = (value: object) => JSON.stringify(value)

describe('texts', () => {
  it('that become equal in a cell are one terminal and one allocation group', async () => {
    const long = 'x'.repeat(50)
    const files = await exported(
      sale({ cbTerminalID: 'T1\t' }),
      sale({ cbTerminalID: `${long}1`, cbReceiptReference: `${long}1`, cbArea: `${long}2` }),
      sale({ cbTerminalID: `${long}2`, cbReceiptReference: ' \r\n' }),
    )
    expect(cellsOf(files, 'slaves', 'TERMINAL_ID')).toEqual(['T1', long])
    expect(cellsOf(files, 'allocation_groups', 'BON_ID ABRECHNUNGSKREIS')).toEqual([
      'ft0#IT1|order-1',
      `ft1#IT2|${long}`,
    ])
  })

  it('that become equal in a cell are one row of the sums of a closing', async () => {
    const named = (ItemCaseName: string) => ({ ftChargeItemCaseData: data({ ItemCaseName }) })
    const long = 'y'.repeat(60)
    const files = await exported(
      receipt(
        [goods(1, named('A')), goods(2, named('A ')), goods(4, named('A\n'))],
        [
          cash(1, { description: 'Kasse' }),
          cash(2, { description: 'Kasse\t' }),
          cash(1, { description: `${long}1` }),
          cash(3, { description: `${long}2` }),
        ],
      ),
    )
    expect(cellsOf(files, 'businesscases', 'GV_NAME Z_UMS_BRUTTO')).toEqual(['A|7,00000'])
    expect(cellsOf(files, 'payment', 'ZAHLART_NAME Z_ZAHLART_BETRAG')).toEqual([
      'Kasse|3,00',
      `${long}|4,00`,
    ])
  })

  it('that must be there are, also where only blanks were sent', async () => {
    const part = { Description: 'Reis', Quantity: 1, Amount: 1 }
    const parts = data({ SubItems: [part, { ...part, GTIN: '4006381333931' }] })
    const items = [
      goods(1, { description: ' \r\n' }),
      charge(0x60, 5, { description: '', ftChargeItemCaseData: parts }),
    ]
    const files = await exported(
      receipt(items, [pay(0xd, -2, { description: '' }), cash(8)], {
        ...{ ftReceiptCase: receiptCase(0x15), cbUser: 'Kim' },
        ftReceiptCaseData: data({ ReceiptName: ' ', UserId: ' \t' }),
      }),
    )
    expect(cellsOf(files, 'lines', 'ARTIKELTEXT')).toEqual([
      ...['Umsatz', 'MehrzweckgutscheinKauf', 'MehrzweckgutscheinKauf'],
    ])
    expect(cellsOf(files, 'subitems', 'ZI_ART_NR')).toEqual(['-', '4006381333931'])
    // the second cell: printf %s Kim | sha256sum
    expect(cellsOf(files, 'transactions', 'BON_NAME BEDIENER_ID')).toEqual([
      'Sonstiger Vorgang|d25949ef9e762fe7',
    ])
  })

  it('of references elsewhere have a kind and a number, or there is no row', async () => {
    const reference = (value: object) => sale({ ftReceiptCaseData: data(value) })
    const files = await exported(
      reference({ RefType: 'externerechnung', RefReceiptId: ' R-1 ' }),
      reference({ RefType: 'Angebot', RefReceiptId: 'A-2' }),
      reference({ RefType: 'Angebot', RefName: 'vom Mai', RefReceiptId: 'A-3' }),
      reference({ RefType: 'ExterneRechnung', RefReceiptId: ' ' }),
      reference({ RefType: 'Transaktion', RefReceiptId: 'ft1#IT2', RefMoment: 'gestern' }),
    )
    expect(cellsOf(files, 'references', 'REF_TYP REF_NAME REF_DATUM REF_BON_ID')).toEqual([
      'ExterneRechnung|||R-1',
      'ExterneSonstige|Angebot||A-2',
      'ExterneSonstige|vom Mai||A-3',
      'Transaktion|||ft1#IT2',
    ])
  })
})

describe('the tax of a line', () => {
  it('is that of its key in vat.csv, whatever rate came with it', async () => {
    const files = await exported(
      receipt(
        [
          goods('11.90', { vatRate: 7 }),
          goods('11.90', { vatRate: 0 }),
          charge(0x12, '10.70', { vatRate: 19 }),
          charge(0x14, '10.55', { vatRate: 19 }),
          charge(0x15, '10', { vatRate: 19 }),
          charge(0x13, '10.78', { vatRate: 19 }),
        ],
        [cash('65.83')],
      ),
    )
    expect(cellsOf(files, 'lines_vat', 'UST_SCHLUESSEL POS_UST')).toEqual([
      ...['1|1,90000', '1|1,90000', '2|0,70000', '4|0,55000', '5|0,00000', '3|0,78000'],
    ])
    expect(cellsOf(files, 'vat', 'UST_SCHLUESSEL UST_SATZ')).toEqual([
      ...['1|19,00', '2|7,00', '3|7,80', '4|5,50', '5|0,00'],
    ])
  })

  it('has an individual key only for a rate that a key can say', async () => {
    const unknown = (amount: string, vatRate: number) => charge(0x17, amount, { vatRate })
    const files = await exported(
      receipt(
        [unknown('11.426', 14.255), unknown('1', 0.004), unknown('1', -5), unknown('11.6', 16)],
        [cash('25.03')],
      ),
    )
    expect(cellsOf(files, 'lines_vat', 'UST_SCHLUESSEL POS_UST')).toEqual([
      ...['2426|1,42600', '7|0,00000', '7|0,00000', '2600|1,60000'],
    ])
    expect(cellsOf(files, 'vat', 'UST_SCHLUESSEL UST_SATZ')).toEqual([
      ...['7|0,00', '2426|14,26', '2600|16,00'],
    ])
  })

  it('is that of its own rate where an item has no case', async () => {
    const items = [19, 7, 0].map((vatRate) => charge(0, '10', { vatRate }))
    const files = await exported(receipt(items, [cash(30)]))
    // 10 - 10 / 1.19, 10 - 10 / 1.07
    expect(cellsOf(files, 'lines_vat', 'UST_SCHLUESSEL POS_UST')).toEqual([
      ...['7|1,59664', '7|0,65421', '7|0,00000'],
    ])
    expect(cellsOf(files, 'vat', 'UST_SCHLUESSEL UST_SATZ')).toEqual(['7|0,00'])
    expect(cellsOf(files, 'cashregister', 'KEINE_UST_ZUORDNUNG')).toEqual(['1'])
  })

  it('has every key in vat.csv, those of parts as well', async () => {
    const SubItems = [{ ftSubChargeItemCase: DE.toString().replace(/\d{2}$/, '30'), Amount: 1.07 }]
    const files = await exported(
      receipt([goods(5, { ftChargeItemCaseData: data({ SubItems }) })], [cash(5)]),
    )
    expect(cellsOf(files, 'subitems', 'ZI_UST_SCHLUESSEL ZI_BASISPREIS_UST')).toEqual(['2|0,07000'])
    expect(cellsOf(files, 'vat', 'UST_SCHLUESSEL UST_SATZ')).toEqual(['1|19,00', '2|7,00'])
  })
})

describe('quantities', () => {
  // MENGE x STK_BR / FAKTOR is POS_BRUTTO to the cent: rule 5070 of the receipt validation
  const cases: [name: string, sent: Members, amount: number, cells: string][] = [
    ['nothing that costs is one', { quantity: 0 }, 5, '1,000|1,000|5,00000'],
    ['nothing that is given back is minus one', { quantity: 0 }, -5, '-1,000|1,000|5,00000'],
    ['nothing for nothing stays nothing', { quantity: 0 }, 0, '0,000|1,000|0,00000'],
    ['too little for three decimals is one', { quantity: 0.0004 }, 20, '1,000|1,000|20,00000'],
    ['the price fits the cut quantity', { quantity: 0.3333 }, 999, '0,333|1,000|3000,00000'],
    ['a price too small is that of 1000', { quantity: 90000 }, 45.5, '90000,000|1000,000|0,50556'],
    ['a factor of 0 counts as 1', { quantity: 2, unitQuantity: 0 }, 5, '2,000|1,000|2,50000'],
    ['a factor has no sign', { quantity: 2, unitQuantity: -2 }, 5, '2,000|2,000|5,00000'],
    ['the price fits the cut factor', { unitQuantity: 0.3333 }, 1, '1,000|0,333|0,33300'],
    ['a price has no sign', { quantity: 2, unitPrice: -5 }, -10, '-2,000|1,000|5,00000'],
  ]
  it.each(cases)('%s', async (_name, sent, amount, cells) => {
    const files = await exported(receipt([goods(amount, sent)], [cash(amount)]))
    expect(cellsOf(files, 'lines', 'MENGE FAKTOR STK_BR')).toEqual([cells])
  })
})

describe('fractions of cents', () => {
  it('are rounded for a kind and currency together, as in processData', async () => {
    const francs = (amount: string, foreign: string) =>
      pay(2, amount, {
        ftPayItemCaseData: data({ CurrencyCode: 'CHF', ForeignCurrencyAmount: foreign }),
      })
    const files = await exported(
      receipt(
        [goods('9.03')],
        [
          ...[cash('1.005'), cash('1.005'), pay(4, '1.005'), pay(5, '1.005')],
          ...[francs('2.505', '3.005'), francs('2.505', '3.005')],
        ],
      ),
    )
    const columns = 'ZAHLART_TYP ZAHLWAEH_BETRAG BASISWAEH_BETRAG'
    expect(cellsOf(files, 'datapayment', columns)).toEqual([
      ...['Bar||1,01', 'Bar||1,00', 'ECKarte||1,01', 'Kreditkarte||1,00'],
      ...['Bar|3,01|2,51', 'Bar|3,00|2,50'],
    ])
    expect(cellsOf(files, 'cash_per_currency', 'ZAHLART_WAEH ZAHLART_BETRAG_WAEH')).toEqual([
      ...['EUR|2,01', 'CHF|6,01'],
    ])
  })
})
