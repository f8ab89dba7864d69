// Receipts of all kinds in DSFinV-K exports, many of them, and files that are no export.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { dsfinvkFile } from '../../../src/verify/de/verifiers.js'
import { type BonPlan, ExportMaker } from '../../support/dsfinvk-maker.js'
import { type Export, edited, unzipped, zipped } from '../../support/dsfinvk-zip.js'
import { brief, type Verdict, verdictOf } from '../../support/verdicts.js'

const sample = readFileSync(new URL('../../market/de/samples/dsfinvk.zip', import.meta.url))
const example = new Map(await unzipped(sample)).set('gdpdu-01-09-2004.dtd', Buffer.from('<!-- -->'))

async function verdict(files: Export): Promise<Verdict> {
  return verdictOf(dsfinvkFile, await zipped(files))
}

async function judged(files: Export): Promise<string[]> {
  const { findings, notices } = await verdict(files)
  return brief([...findings, ...notices])
}

function made(...closings: BonPlan[][]): Export {
  const maker = new ExportMaker(example)
  for (const plans of closings) maker.closing(plans)
  return maker.files()
}

describe('lawful receipts are accepted', () => {
  const cases: [string, BonPlan][] = [
    [
      'several rates',
      { lines: [{ gross: 1190 }, { gross: 535, key: '2' }, { gross: 100, key: '5' }] },
    ],
    [
      'average and individual rates',
      {
        lines: [
          { gross: 1107, key: '3' },
          { gross: 1055, key: '4' },
          { gross: 5000, key: '2425' },
        ],
      },
    ],
    [
      'foreign currency',
      {
        lines: [{ gross: 8332 }],
        pays: [
          { cents: 1000 },
          { cents: 520, currency: 'CHF', foreign: 500 },
          { cents: 382, currency: 'USD', foreign: 500 },
          { cents: 6430, type: 'ECKarte' },
        ],
      },
    ],
    [
      'a voucher that is sold and one that pays',
      {
        lines: [{ gross: 3000 }, { gross: -3000, key: '5', type: 'MehrzweckgutscheinEinloesung' }],
        pays: [{ cents: 0, type: 'Keine' }],
      },
    ],
    ['change given', { pays: [{ cents: 2000 }, { cents: -810 }] }],
    ['a return', { lines: [{ gross: -1190 }] }],
    ['a tenth of a third', { lines: [{ gross: 333, quantity: 333 }] }],
    ['own consumption', { type: 'AVSachbezug', pays: [{ cents: 1190, type: 'Keine' }] }],
    ['training', { type: 'AVTraining' }],
    [
      'an aborted receipt',
      { type: 'AVBelegabbruch', lines: [], pays: [{ cents: 0, type: 'Keine' }] },
    ],
    [
      'an order with a name in quotes',
      {
        type: 'AVBestellung',
        pays: [{ cents: 0, type: 'Keine' }],
        processType: 'Bestellung-V1',
        data: '2;"Eisbecher ""Himbeere""";3.99\r1;"Eiskaffee";2.99',
        shown: '2;"Eisbecher ""Himbeere""";3.99 1;"Eiskaffee";2.99',
      },
    ],
    ['a receipt of a failed device', { failed: 'Kommunikation mit der TSE fehlgeschlagen' }],
  ]
  it.each(cases)('%s', async (_, plan) => {
    expect(await judged(made([{}, plan, {}]))).toEqual([])
  })

  it('several closings, one without receipts, and a void that refers to its receipt', async () => {
    const maker = new ExportMaker(example)
    const [first = ''] = maker.closing([{}, {}], 7)
    maker.closing([])
    const [sold = ''] = maker.closing([{}])
    maker.closing([{ lines: [{ gross: -1190 }], isVoid: true, refersTo: sold }, {}])
    const files = maker.files()
    expect(await judged(files)).toEqual([`REFERENCE_UNKNOWN ${lastVoid(files)}`])
    const right = edited(files, [['references.csv', `;10;"${sold}"`, `;9;"${sold}"`]])
    const { findings, notices, summary } = await verdict(right)
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toEqual({ closings: 4, receipts: 5, proven: 5 })
    expect(first).not.toBe(sold)
  })
})

/** BON_ID of the receipt with BON_STORNO 1. */
function lastVoid(files: Export): string {
  const row = (files.get('transactions.csv') ?? '').toString().split('\r\n')
  return row.find((text) => text.includes('"T1";"1"'))?.split('"')[5] ?? ''
}

describe('what does not hold is named at its receipt', () => {
  const cases: [string, BonPlan, string[]][] = [
    [
      'turnover in another bucket',
      { data: 'Beleg^0.00_11.90_0.00_0.00_0.00^11.90:Bar' },
      ['TSE_AMOUNTS'],
    ],
    [
      'a cent less turnover',
      { data: 'Beleg^11.89_0.00_0.00_0.00_0.00^11.90:Bar' },
      ['TSE_AMOUNTS'],
    ],
    [
      'another kind of payment',
      { data: 'Beleg^11.90_0.00_0.00_0.00_0.00^11.90:Unbar' },
      ['TSE_PAYMENTS', 'TSE_PAYMENTS'],
    ],
    [
      'another kind of receipt',
      { data: 'AVTraining^11.90_0.00_0.00_0.00_0.00^11.90:Bar' },
      ['TSE_DATA'],
    ],
    ['more paid than sold', { pays: [{ cents: 1200 }] }, ['BON_PAYMENTS']],
    [
      'an order that was changed',
      {
        type: 'AVBestellung',
        pays: [{ cents: 0, type: 'Keine' }],
        processType: 'Bestellung-V1',
        data: '1;"Eiskaffee";2.99',
        shown: '1;"Eiskaffee";3.99',
      },
      ['TSE_SIGNATURE'],
    ],
  ]
  it.each(cases)('%s', async (_, plan, codes) => {
    const maker = new ExportMaker(example)
    const [, second] = maker.closing([{}, plan, {}])
    expect(await judged(maker.files())).toEqual(codes.map((code) => `${code} ${second}`))
  })

  it('a closing left out', async () => {
    const maker = new ExportMaker(example)
    maker.closing([{}])
    maker.closing([{}], 3)
    expect(await judged(maker.files())).toEqual(['CLOSING_NUMBER cashpointclosing.csv row 3'])
  })

  it('a receipt left out in all tables', async () => {
    const maker = new ExportMaker(example)
    const [first = '', second = '', third = ''] = maker.closing([{}, {}, {}])
    const files = maker.files()
    for (const [name, content] of files) {
      if (!name.endsWith('.csv') || name === 'cashpointclosing.csv') continue
      const rows = content
        .toString()
        .split('\r\n')
        .filter((row) => !row.includes(`"${second}"`))
      files.set(name, Buffer.from(rows.join('\r\n')))
    }
    const place = 'cashpointclosing.csv row 2'
    expect(await judged(files)).toEqual(
      ['BUSINESS', 'PAYMENTS', 'CASH', 'PAYMENTS', 'CASH'].map(
        (code) => `CLOSING_${code} ${place}`,
      ),
    )
    expect([first, third]).not.toContain(second)
  })

  it('a receipt doubled, a signature used twice', async () => {
    const maker = new ExportMaker(example)
    const [first = '', second = ''] = maker.closing([{}, {}])
    const files = maker.files()
    const bons = (files.get('transactions.csv') ?? '').toString()
    const [, row = ''] = bons.split('\r\n')
    const twice = new Map(files).set('transactions.csv', Buffer.from(`${bons}${row}\r\n`))
    expect(await judged(twice)).toEqual([`BON_DOUBLED ${first}`, `BON_NUMBER ${first}`])
    const signed = (files.get('transactions_tse.csv') ?? '').toString().split('\r\n')
    const copied = [signed[0], signed[1], signed[1]?.replace(first, second), ''].join('\r\n')
    const reused = new Map(files).set('transactions_tse.csv', Buffer.from(copied))
    expect(await judged(reused)).toEqual([`TSE_COUNTER ${second}`, `TSE_TRANSACTION ${second}`])
  })

  it('rows that stand behind those of a later receipt', async () => {
    const maker = new ExportMaker(example)
    const [first = ''] = maker.closing([{}, {}])
    const files = maker.files()
    const rows = (files.get('allocation_groups.csv') ?? '').toString().split('\r\n')
    const [header, one, two] = rows
    files.set('allocation_groups.csv', Buffer.from([header, two, one, ''].join('\r\n')))
    expect(await judged(files)).toEqual([`ROW_ORDER ${first}`])
  })
})

describe('many receipts', () => {
  it('are verified one by one: memory does not follow their number', async () => {
    const maker = new ExportMaker(example)
    for (let day = 0; day < 10; day += 1) maker.closing(Array.from({ length: 300 }, () => ({})))
    const bytes = await zipped(maker.files())
    const before = process.memoryUsage().heapUsed
    const { findings, summary } = await verdictOf(dsfinvkFile, bytes)
    expect(findings).toEqual([])
    expect(summary).toEqual({ closings: 10, receipts: 3000, proven: 3000 })
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(96 * 1024 * 1024)
  })
})

describe('files that are no export', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an empty archive of another kind', Buffer.alloc(1024)],
    ['bytes of chance', Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(5000)])],
    ['half an archive', sample.subarray(0, sample.length / 2)],
    ['an archive without its end', sample.subarray(0, -10)],
    ['bytes behind the end', Buffer.concat([sample, Buffer.from('x')])],
  ])('%s: one clear finding', async (_, bytes) => {
    expect(brief((await verdictOf(dsfinvkFile, bytes)).findings)).toEqual(['ZIP_BROKEN'])
  })

  it('an archive without members misses all of them', async () => {
    const { findings } = await verdict(new Map())
    expect(findings).toHaveLength(21)
    expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['MEMBER_MISSING']))
  })

  it('one changed byte in the data of any member is refused', async () => {
    const zip = await fromBufferPromise(sample, { lazyEntries: true })
    for await (const entry of zip.eachEntry()) {
      const head = entry.relativeOffsetOfLocalHeader
      const names = sample.readUInt16LE(head + 26) + sample.readUInt16LE(head + 28)
      for (const part of [0, 0.3, 0.6, 0.9]) {
        const bytes = Buffer.from(sample)
        const at = head + 30 + names + Math.floor(entry.compressedSize * part)
        bytes[at] = (bytes[at] ?? 0) ^ 0x55
        const { findings } = await verdictOf(dsfinvkFile, bytes)
        const places = findings.map(({ receipt }) => receipt.replace(/ row \d+$/, ''))
        expect(places, entry.fileName).toContain(entry.fileName)
      }
    }
  })

  it('a changed byte in the directory never throws', async () => {
    for (let at = sample.length - 1500; at < sample.length; at += 7) {
      const bytes = Buffer.from(sample)
      bytes[at] = (bytes[at] ?? 0) ^ 0x55
      const { summary } = await verdictOf(dsfinvkFile, bytes)
      expect(Object.keys(summary)).toEqual(['closings', 'receipts', 'proven'])
    }
  })

  it('a bomb is named and not unpacked', async () => {
    const bomb = new Map(example).set('vat.csv', Buffer.alloc(64 << 20, '1'))
    const found = await judged(bomb)
    expect(found[0]).toBe('ZIP_MEMBER vat.csv')
  })

  it('a member that is larger than it says is named', async () => {
    const bytes = await zipped(example)
    const at = bytes.lastIndexOf('vat.csv', bytes.lastIndexOf('businesscases.csv')) - 46
    bytes.writeUInt32LE(20, at + 24)
    const { findings } = await verdictOf(dsfinvkFile, bytes)
    expect(brief(findings)[0]).toBe('ZIP_BROKEN vat.csv')
  })

  it('a row without end is named and not held', async () => {
    const endless = Buffer.from(randomBytes(400_000).toString('hex'))
    const header = (example.get('vat.csv') ?? '').toString().split('\r\n')[0]
    const files = new Map(example).set(
      'vat.csv',
      Buffer.concat([Buffer.from(`${header}\r\n`), endless]),
    )
    const found = await judged(files)
    expect(found[0]).toBe('CSV_FORM vat.csv')
  })
})
