// The cash point closings (Kassenabschlüsse) of an export with their master data and sums.

import { quote } from '../text.js'
import { plainOf } from './amounts.js'
import type { DsfinvkCode } from './dsfinvk-rules.js'
import { eachRow, type Report, type Row, type TableSource } from './table-reader.js'
import type { Trust } from './trust.js'
import { type TseUnit, TseUnits } from './tse-units.js'
import { rateFault } from './vat-keys.js'

/** Gross, net, VAT. */
export type Sums = [bigint, bigint, bigint]

export interface Closing {
  row: Row
  kasse: string
  number: string
  /** Base currency of the cash register. */
  currency: string
  terminals: Set<string>
  agencies: Set<string>
  /** Key → percent in five decimals; undefined: it is no number. */
  rates: Map<string, bigint | undefined>
  tse: Map<string, TseUnit>
  registers: number
  locations: number
  /** What the closing says about itself. */
  business: Map<string, Sums>
  payments: Map<string, bigint>
  cash: Map<string, bigint>
}

export type Sources = ReadonlyMap<string, TableSource>

/** The closing-level tables; a year has some hundred closings. */
export class Closings {
  readonly all = new Map<string, Closing>()
  readonly report: Report
  private readonly sources: Sources
  private readonly units: TseUnits

  constructor(sources: Sources, { report, trust }: { report: Report; trust: Trust }) {
    this.sources = sources
    this.report = report
    this.units = new TseUnits(report, trust)
  }

  async load(): Promise<void> {
    await eachRow(this.sources.get('cashpointclosing.csv'), this.report, (row) => this.closing(row))
    this.judgeNumbers()
    await this.each('location.csv', (closing) => {
      closing.locations += 1
    })
    await this.each('cashregister.csv', (closing, row) => {
      closing.registers += 1
      closing.currency = row.get('KASSE_BASISWAEH_CODE')
    })
    await this.each('slaves.csv', (closing, row) => closing.terminals.add(row.get('TERMINAL_ID')))
    await this.each('pa.csv', (closing, row) => {
      closing.agencies.add(row.get('AGENTUR_ID'))
      this.oneOf(row, 'AGENTUR_STNR', 'AGENTUR_USTID')
    })
    await this.each('tse.csv', (closing, row) => {
      closing.tse.set(row.get('TSE_ID'), this.units.unit(row))
    })
    await this.each('vat.csv', (closing, row) => this.rate(closing, row))
    await this.each('businesscases.csv', (closing, row) => {
      const sums = ['Z_UMS_BRUTTO', 'Z_UMS_NETTO', 'Z_UST'].map((name) => row.units(name) ?? 0n)
      const [gross = 0n, net = 0n, vat = 0n] = sums
      this.netPlusVat(row, [gross, net, vat])
      addSums(closing.business, businessKey(row), [gross, net, vat])
    })
    await this.each('payment.csv', (closing, row) => {
      addTo(closing.payments, paymentKey(row), row.units('Z_ZAHLART_BETRAG') ?? 0n)
    })
    await this.each('cash_per_currency.csv', (closing, row) => {
      addTo(closing.cash, row.get('ZAHLART_WAEH'), row.units('ZAHLART_BETRAG_WAEH') ?? 0n)
    })
    this.judgeRows()
  }

  /** The closing of a row; undefined after a finding. */
  of(row: Row): Closing | undefined {
    const closing = this.all.get(closingKey(row))
    if (!this.has('cashpointclosing.csv')) return undefined
    if (closing?.row.get('Z_ERSTELLUNG') === row.get('Z_ERSTELLUNG')) return closing
    const found = `Z_NR ${row.get('Z_NR')} of ${row.get('Z_KASSE_ID')}, ${row.get('Z_ERSTELLUNG')}`
    this.add('CLOSING_UNKNOWN', row, `expected a closing of cashpointclosing.csv, found ${found}`)
    return undefined
  }

  has(file: string): boolean {
    return this.sources.has(file)
  }

  /** A key that a row names and a master table of its closing must have. */
  mustHave(
    row: Row,
    key: { column: string; code: DsfinvkCode; file: string },
    known: { has(value: string): boolean },
  ): void {
    const value = row.get(key.column)
    if (known.has(value) || !this.has(key.file)) return
    this.add(key.code, row, `${key.column}: expected one of ${key.file}, found ${quote(value)}`)
  }

  netPlusVat(row: Row, [gross, net, vat]: Sums): void {
    if (net + vat === gross) return
    const found = `${plainOf(net)} and ${plainOf(vat)}`
    const text = `expected net and VAT of ${plainOf(gross)}, found ${found}`
    this.add('NET_PLUS_VAT', row, text)
  }

  add(code: DsfinvkCode, row: Row, text: string): void {
    this.report.add(code, row.owner, `${row.place}: ${text}`)
  }

  private async each(file: string, take: (closing: Closing, row: Row) => void): Promise<void> {
    await eachRow(this.sources.get(file), this.report, (row) => {
      const closing = this.of(row)
      if (closing !== undefined) take(closing, row)
    })
  }

  private closing(row: Row): void {
    const key = closingKey(row)
    this.oneOf(row, 'STNR', 'USTID')
    if (this.all.has(key)) {
      this.add('CLOSING_DOUBLED', row, `expected Z_NR ${row.get('Z_NR')} once, found it again`)
      return
    }
    this.all.set(key, {
      row,
      kasse: row.get('Z_KASSE_ID'),
      number: row.get('Z_NR'),
      currency: 'EUR',
      terminals: new Set(),
      agencies: new Set(['', '0']),
      rates: new Map(),
      tse: new Map(),
      registers: 0,
      locations: 0,
      business: new Map(),
      payments: new Map(),
      cash: new Map(),
    })
  }

  private oneOf(row: Row, first: string, second: string): void {
    if (row.get(first) !== '' || row.get(second) !== '') return
    this.add('FIELD_MANDATORY', row, `expected ${first} or ${second}, found neither`)
  }

  private judgeNumbers(): void {
    const last = new Map<string, bigint>()
    for (const { row, kasse, number } of this.all.values()) {
      if (!/^\d+$/.test(number)) continue
      const before = last.get(kasse)
      last.set(kasse, BigInt(number))
      if (before === undefined || BigInt(number) === before + 1n) continue
      this.add('CLOSING_NUMBER', row, `expected Z_NR ${before + 1n}, found ${number} (1000)`)
    }
  }

  private judgeRows(): void {
    for (const { row, registers, locations } of this.all.values()) {
      if (registers !== 1 && this.has('cashregister.csv')) {
        const text = `expected one row in cashregister.csv, found ${registers}`
        this.add('CLOSING_ROWS', row, text)
      }
      if (locations === 0 && this.has('location.csv')) {
        this.add('CLOSING_ROWS', row, 'expected a row in location.csv, found none')
      }
    }
  }

  private rate(closing: Closing, row: Row): void {
    const key = row.get('UST_SCHLUESSEL')
    const rate = row.units('UST_SATZ')
    closing.rates.set(key, rate)
    const expected = rate === undefined ? undefined : rateFault(key, rate)
    if (expected === undefined) return
    const text = `expected ${expected} for key ${quote(key)}, found ${row.get('UST_SATZ')} (5011)`
    this.add('VAT_RATE', row, text)
  }
}

export function closingKey(row: Row): string {
  return `${row.get('Z_KASSE_ID')}\n${row.get('Z_NR')}`
}

export function businessKey(row: Row, vatKey = row.get('UST_SCHLUESSEL')): string {
  return [row.get('GV_TYP'), row.get('GV_NAME'), row.get('AGENTUR_ID') || '0', vatKey].join('\n')
}

export function paymentKey(row: Row): string {
  return [row.get('ZAHLART_TYP'), row.get('ZAHLART_NAME')].join('\n')
}

export function addTo(map: Map<string, bigint>, key: string, amount: bigint): void {
  map.set(key, (map.get(key) ?? 0n) + amount)
}

export function addSums(map: Map<string, Sums>, key: string, [gross, net, vat]: Sums): void {
  const [a, b, c] = map.get(key) ?? [0n, 0n, 0n]
  map.set(key, [a + gross, b + net, c + vat])
}
