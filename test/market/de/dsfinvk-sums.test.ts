import { describe, expect, it } from 'vitest'
import { type Files, filesOf, rowsOf, type TableRow } from './support/archive.js'
import { charge, pay, receipt, receiptCase } from './support/items.js'
import { type Members, Till } from './support/till.js'

/** A repeatable row of numbers: Park and Miller's generator. */
function numbers(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const RATES = [
  { code: 0x11, rate: 19, key: 1, type: 'Umsatz' },
  { code: 0x12, rate: 7, key: 2, type: 'Umsatz' },
  { code: 0x31, rate: 19, key: 1, type: 'Rabatt' },
  { code: 0x16, rate: 0, key: 6, type: 'Umsatz' },
  { code: 0x22, rate: 7, key: 2, type: 'Pfand' },
  { code: 0x1f, rate: 14.25, key: 2425, type: 'Umsatz' },
]
const PAYMENTS = [
  { code: 1, type: 'Bar' },
  { code: 4, type: 'ECKarte' },
  { code: 5, type: 'Kreditkarte' },
]

interface Expected {
  cases: Map<string, bigint[]>
  payments: Map<string, bigint>
  gross: bigint[]
}

/** Gross and tax in units of 0.00001, from cents and percent, by whole numbers only. */
function taxed(cents: bigint, rate: number): { gross: bigint; tax: bigint } {
  const gross = cents * 1000n
  const hundredths = BigInt(Math.round(rate * 100))
  const [above, below] = [gross * hundredths, 10_000n + hundredths]
  const sign = above < 0n ? -1n : 1n
  return { gross, tax: (sign * (2n * above * sign + below)) / (2n * below) }
}

/** Receipts by chance, and what their closing has to add up to. */
function makeReceipts(till: Till, count: number, seed: number): Expected {
  const next = numbers(seed)
  const expected: Expected = { cases: new Map(), payments: new Map(), gross: [] }
  for (let at = 0; at < count; at += 1) {
    const counts = next(10) > 0
    const charges: Members[] = []
    let total = 0n
    for (let line = 0; line <= next(4); line += 1) {
      const kind = RATES[next(RATES.length)] ?? RATES[0]
      if (kind === undefined) throw new Error('no rates')
      const cents = BigInt(next(20_000)) - 5000n
      const back = next(4) === 0
      const sent = { vatRate: kind.rate, quantity: back ? -1 : 1 + next(3) }
      charges.push(charge(kind.code, Number(cents) / 100, sent))
      const effective = back && cents > 0n ? -cents : cents
      total += effective
      if (counts) addCase(expected, `${kind.type}|${kind.key}`, taxed(effective, kind.rate))
    }
    const kind = PAYMENTS[next(PAYMENTS.length)] ?? { code: 1, type: 'Bar' }
    const before = expected.payments.get(kind.type)
    if (counts) expected.payments.set(kind.type, (before ?? 0n) + total)
    const pays = [pay(kind.code, Number(total) / 100)]
    till.add(receipt(charges, pays, { ftReceiptCase: receiptCase(1, counts ? 0 : 2) }))
    expected.gross.push(total)
  }
  return expected
}

function addCase(to: Expected, name: string, amount: { gross: bigint; tax: bigint }): void {
  const [gross = 0n, tax = 0n] = to.cases.get(name) ?? []
  to.cases.set(name, [gross + amount.gross, tax + amount.tax])
}

/** `-12,34500` in units of its last place. */
const units = (text: string | undefined): bigint => BigInt((text ?? '').replace(',', ''))
const sumOf = (rows: TableRow[], column: string): bigint =>
  rows.reduce((sum, row) => sum + units(row[column]), 0n)

const ofClosing = (files: Files, table: string, number: number) =>
  rowsOf(files, table).filter((row) => row.Z_NR === String(number))

async function twoClosings(seed: number) {
  const till = new Till()
  const expected = [makeReceipts(till, 60, seed)]
  till.close()
  expected.push(makeReceipts(till, 40, seed + 1))
  till.close()
  return { expected, files: await filesOf(till.source({ pageSize: 17 })) }
}

describe('sums, recomputed from the requests', () => {
  it.each([11, 42, 2026])('are exact in every closing (receipts %i)', async (seed) => {
    const { expected, files } = await twoClosings(seed)
    expected.forEach(({ cases, payments, gross }, at) => {
      const number = at + 1
      const found = ofClosing(files, 'businesscases', number).map((row) => [
        `${row.GV_TYP}|${row.UST_SCHLUESSEL}`,
        [units(row.Z_UMS_BRUTTO), units(row.Z_UST)],
      ])
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(cases))
      const paid = ofClosing(files, 'payment', number).map((row) => [
        row.ZAHLART_TYP,
        units(row.Z_ZAHLART_BETRAG),
      ])
      expect(Object.fromEntries(paid)).toEqual(
        Object.fromEntries(Array.from(payments).filter(([type]) => type !== '')),
      )
      const [closing] = ofClosing(files, 'cashpointclosing', number)
      const all = Array.from(payments.values()).reduce((sum, one) => sum + one, 0n)
      expect(units(closing?.Z_SE_ZAHLUNGEN)).toBe(all)
      expect(units(closing?.Z_SE_BARZAHLUNGEN)).toBe(payments.get('Bar') ?? 0n)
      const bons = ofClosing(files, 'transactions', number)
      expect(bons.map((row) => units(row.UMS_BRUTTO))).toEqual(gross)
    })
  })

  it('agree between the files, as an auditor adds them up', async () => {
    const { files } = await twoClosings(7)
    for (const row of rowsOf(files, 'lines_vat')) {
      expect(units(row.POS_NETTO) + units(row.POS_UST)).toBe(units(row.POS_BRUTTO))
    }
    for (const row of rowsOf(files, 'transactions_vat')) {
      expect(units(row.BON_NETTO) + units(row.BON_UST)).toBe(units(row.BON_BRUTTO))
      // rounded to cents
      expect(units(row.BON_UST) % 1000n).toBe(0n)
    }
    const counted = new Set(
      rowsOf(files, 'transactions')
        .filter(({ BON_TYP }) => BON_TYP === 'Beleg')
        .map(({ BON_ID }) => BON_ID),
    )
    const ofBeleg = (table: string) =>
      rowsOf(files, table).filter(({ BON_ID }) => counted.has(BON_ID))
    const cases = rowsOf(files, 'businesscases')
    expect(sumOf(cases, 'Z_UMS_BRUTTO')).toBe(sumOf(ofBeleg('lines_vat'), 'POS_BRUTTO'))
    expect(sumOf(cases, 'Z_UMS_NETTO')).toBe(sumOf(ofBeleg('lines_vat'), 'POS_NETTO'))
    expect(sumOf(rowsOf(files, 'payment'), 'Z_ZAHLART_BETRAG')).toBe(
      sumOf(ofBeleg('datapayment'), 'BASISWAEH_BETRAG'),
    )
  })

  it('have a price for every line that gives its amount within a cent', async () => {
    const { files } = await twoClosings(99)
    const amounts = rowsOf(files, 'lines_vat')
    rowsOf(files, 'lines').forEach((row, at) => {
      // three and five decimals: eight together
      const product = (units(row.MENGE) * units(row.STK_BR)) / 1000n
      const difference = product - units(amounts[at]?.POS_BRUTTO)
      expect(difference < 1000n && difference > -1000n, row.BON_ID).toBe(true)
    })
  })
})
