// A German till at its worst, on a TSE with P-384: every code of goods and payments, and whatever
// else a request can hold. All of it is signed, and nothing can be said against the exports.
// MIXED_FOLDER keeps them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { rowsOf, type TableRow } from '../market/de/support/archive.js'
import { faultsOfRules, faultsOfTse, type Tables } from '../support/de/story-dsfinvk-checks.js'
import { AMOUNTS, charge, type Edge, moments, pay, TEXTS } from '../support/de/story-edges.js'
import { DE } from '../support/de/story-items.js'
import { answerOf, GermanShop, IMPLICIT } from '../support/de/story-shop.js'
import { unzipped } from '../support/de/story-tse-checks.js'
import { Chance } from '../support/load.js'

let shop: GermanShop
let folder: string
let tables: Tables

beforeAll(async () => {
  shop = await GermanShop.open(new Chance(), { profile: 'P-384' })
  folder = process.env.MIXED_FOLDER ?? (await mkdtemp(join(tmpdir(), 'fiskalwerk-edges-')))
  await mkdir(folder, { recursive: true })
})
afterAll(async () => {
  await shop.close()
  if (process.env.MIXED_FOLDER === undefined) await rm(folder, { recursive: true })
})

/** Ticks (100 ns since the year 1) of 1970. */
const UNIX_EPOCH = 621_355_968_000_000_000n
let afterFirst = 0n
let count = 0

/** Signs; the identification of the receipt. */
async function sign({ name, word = IMPLICIT | 1n, request }: Edge): Promise<string> {
  count += 1
  const { status, text } = await shop.postRequest(0, {
    cbTerminalID: 'T1',
    cbReceiptReference: `r-${count}`,
    cbReceiptMoment: new Date().toISOString(),
    cbUser: 'Kim',
    cbChargeItems: [],
    cbPayItems: [],
    ...request,
    ftReceiptCase: DE | word,
  })
  expect(status, `${name}: ${text}`).toBe(200)
  const answer = answerOf(text)
  expect(answer.state & 0xffff_ffffn, name).toBe(0n)
  return answer.identification
}

// Table of ftChargeItemCase: first code of a group of seven, one for each VAT key
const GROUPS = [
  ...[[0x01, 'Umsatz'] as const, [0x11, 'Umsatz'] as const, [0x19, 'Umsatz'] as const],
  ...[[0x21, 'Pfand'] as const, [0x29, 'PfandRueckzahlung'] as const, [0x31, 'Rabatt'] as const],
  ...[[0x39, 'Aufschlag'] as const, [0x41, 'ZuschussUnecht'] as const],
  ...[[0x51, 'TrinkgeldAG'] as const, [0x61, 'EinzweckgutscheinKauf'] as const],
  ...[[0x69, 'EinzweckgutscheinEinloesung'] as const, [0x71, 'Forderungsentstehung'] as const],
  ...[[0x79, 'Forderungsaufloesung'] as const, [0x81, 'Anzahlungseinstellung'] as const],
  [0x89, 'Anzahlungsaufloesung'] as const,
]
const SINGLES: Record<number, string> = {
  73: 'ZuschussEcht 5', // 0049
  89: 'TrinkgeldAN 5', // 0059
  96: 'MehrzweckgutscheinKauf 5', // 0060
  104: 'MehrzweckgutscheinEinloesung 5', // 0068
  144: 'Anfangsbestand 5', // 0090 and on
  145: 'Privatentnahme 5',
  146: 'Privateinlage 5',
  147: 'Geldtransit 5',
  148: 'Lohnzahlung 5',
  149: 'Einzahlung 5',
  150: 'Auszahlung 5',
  151: 'DifferenzSollIst 5',
  161: 'Umsatz 5', // 00A1, 00A2
  162: 'Umsatz 5',
}
const RATE_OF_KEY = [0, 19, 7, 10.7, 5.5, 0, 0, 0]

/** What is not in the table is turnover whose tax nobody can tell. */
function goodsOf(code: number): string {
  const group = GROUPS.find(([first]) => code >= first && code < first + 7)
  const single = SINGLES[code]
  if (group !== undefined) return `${group[1]} ${code - group[0] + 1}`
  return single ?? 'Umsatz 7'
}

// Table of ftPayItemCase: ZAHLART_TYP, or GV_TYP of a negative and a positive amount
const PAYMENTS: readonly (string | readonly [string, string])[] = [
  ...['Bar', 'Bar', 'Bar', 'Unbar', 'ECKarte', 'Kreditkarte', 'ElZahlungsdienstleister'],
  ...['Guthabenkarte', 'Unbar', 'Unbar', 'Keine', 'Bar', 'Bar'],
  ['MehrzweckgutscheinKauf', 'MehrzweckgutscheinEinloesung'],
  ['Forderungsaufloesung', 'Forderungsentstehung'],
  ['Anzahlungseinstellung', 'Anzahlungsaufloesung'],
  ...[['TrinkgeldAN', 'TrinkgeldAN'] as const, ['ZuschussEcht', 'ZuschussEcht'] as const],
  ...[['Anfangsbestand', 'Anfangsbestand'] as const, ['Privateinlage', 'Privatentnahme'] as const],
  ...[['Geldtransit', 'Geldtransit'] as const, ['Lohnzahlung', 'Lohnzahlung'] as const],
  ...[['Einzahlung', 'Auszahlung'] as const, ['DifferenzSollIst', 'DifferenzSollIst'] as const],
  'Bar', // not in the table
]

/** Tagging of version 2. */
const V2 = DE | 0x2000_0000_0000n
const FRANCS = JSON.stringify({ CurrencyCode: 'CHF', ForeignCurrencyAmount: 1.27 })
const expected = new Map<string, string>()

describe('a till at its worst', () => {
  it('is signed whatever it sends', async () => {
    await sign({ name: 'start', word: IMPLICIT | 3n, request: {} })
    for (const edge of [...TEXTS, ...AMOUNTS, ...moments()]) await sign(edge)
    await sign({ name: 'first', request: { cbReceiptReference: 'first' } })
    await sign({ name: 'closing', word: IMPLICIT | 7n, request: {} })
    afterFirst = BigInt(Date.now()) * 10_000n + UNIX_EPOCH
  })

  it('may use every code of goods', async () => {
    for (let code = 0; code <= 0xa3; code += 1) {
      // not in the table, and what a program with doubles makes of 1 to 256: refused with a hint
      if ((DE | BigInt(code)) % 1000n === 0n) continue
      const goods = goodsOf(code)
      const VATRate = RATE_OF_KEY[Number(goods.split(' ')[1])] ?? 0
      const request = { cbChargeItems: [charge({ code, VATRate })], cbPayItems: [pay()] }
      const id = await sign({ name: goods, request })
      expected.set(id, `${goods} | Bar`)
    }
    await sign({ name: 'closing', word: IMPLICIT | 7n, request: {} })
  })

  it('may send every service, rate and flag of version 2', async () => {
    const rates = [19, 7, 0, 19, 10.7, 5.5, 0, 0, 0, 16]
    const flags = [0n, 2n, 4n, 8n, 0x10n, 0x20n]
    for (let service = 0n; service < 16n; service += 1n) {
      for (const flag of flags) {
        const cbChargeItems = rates.map((VATRate, vat) => ({
          ...charge({ VATRate }),
          ftChargeItemCase: V2 | (flag << 16n) | (service << 4n) | BigInt(vat),
        }))
        const paid = { ...pay({ Amount: 11.9 }), ftPayItemCase: V2 | 4n }
        const request = { cbChargeItems, cbPayItems: [paid] }
        await sign({ name: `service ${service} flag ${flag}`, word: V2 | 1n, request })
      }
    }
    for (let code = 0n; code < 16n; code += 1n) {
      for (const Amount of [-1.19, 1.19]) {
        const one = { ...pay({ Amount, Quantity: Math.sign(Amount) }), ftPayItemCase: V2 | code }
        const cbPayItems = [{ ...one, ftPayItemCaseData: FRANCS }]
        // an invoice for information: what is paid need not be what is sold
        await sign({ name: `pay ${code}`, word: V2 | 0x1000n, request: { cbPayItems } })
      }
    }
  })

  it('may use every code of payments, and the last closing is a migration', async () => {
    for (const [code, meaning] of PAYMENTS.entries()) {
      for (const [at, Amount] of [-1.19, 1.19].entries()) {
        const data = code === 2 || code === 12 ? { ftPayItemCaseData: FRANCS } : {}
        const pays = [pay({ code, Amount, ...data })]
        const isOwn = typeof meaning === 'string'
        if (!isOwn) pays.push(pay({ Amount: -Amount }))
        const cbChargeItems = isOwn ? [charge({ Amount, Quantity: Math.sign(Amount) })] : []
        const id = await sign({ name: `${code}`, request: { cbChargeItems, cbPayItems: pays } })
        expected.set(id, isOwn ? `Umsatz 1 | ${meaning}` : `${meaning[at]} 5 | Bar`)
      }
    }
    await sign({ name: 'again', request: { cbPreviousReceiptReference: 'first' } })
    await sign({ name: 'migration', word: IMPLICIT | 0x19n, request: {} })
  })

  it('leaves exports of which nothing at all can be said', async () => {
    for (const type of [2, 3]) {
      const bytes = await shop.journal(0, `type=0x444500000000000${type}`)
      const path = join(folder, type === 2 ? 'edges.zip' : 'edges.tar')
      await writeFile(path, bytes)
      const { findings, notices } = await verifyFile(path)
      expect.soft(findings).toEqual([])
      expect.soft(notices.map(({ code }) => code)).toEqual(['CERTIFICATE_UNTRUSTED'])
      if (type === 2) tables = tablesOf(bytes)
    }
    expect(tables('cashpointclosing').map(({ Z_NR }) => Z_NR)).toEqual(['1', '2', '3'])
    expect(tables('transactions').length).toBe(count - 4)
    expect(faultsOfRules(tables)).toEqual([])
    expect(faultsOfTse(tables)).toEqual([])
  })

  it('can be exported from any closing on; what is referred to may lie before it', async () => {
    const bytes = await shop.journal(0, `type=0x4445000000000002&from=${afterFirst}`)
    const path = join(folder, 'later.zip')
    await writeFile(path, bytes)
    const { findings, notices } = await verifyFile(path)
    expect(findings).toEqual([])
    expect(notices.map(({ code }) => code)).toEqual(['CERTIFICATE_UNTRUSTED'])
    const later = tablesOf(bytes)
    expect(later('cashpointclosing').map(({ Z_NR }) => Z_NR)).toEqual(['2', '3'])
    const [last] = later('references').slice(-1)
    const first = tables('transactions').findLast(({ Z_NR }) => Z_NR === '1')
    expect(last).toMatchObject({ REF_Z_NR: '1', REF_BON_ID: first?.BON_ID })
  })

  it('has every code under its business case, tax key and kind of payment', () => {
    const found = new Map<string, string>()
    const rows = (name: string, id: string) => tables(name).filter(({ BON_ID }) => BON_ID === id)
    for (const id of expected.keys()) {
      const [line] = rows('lines', id)
      const [vat] = rows('lines_vat', id)
      const [payment] = rows('datapayment', id)
      found.set(id, `${line?.GV_TYP} ${vat?.UST_SCHLUESSEL} | ${payment?.ZAHLART_TYP}`)
    }
    expect(found).toEqual(expected)
  })
})

function tablesOf(zip: Buffer): Tables {
  const files = new Map([...unzipped(zip)].map(([name, bytes]) => [name, bytes.toString('utf8')]))
  const read = new Map<string, TableRow[]>()
  return (name) => {
    const rows = read.get(name) ?? rowsOf(files, name)
    read.set(name, rows)
    return rows
  }
}
