// DSFinV-K exports: the published example holds, and whatever somebody changes is named.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dsfinvkFile } from '../../../src/verify/de/verifiers.js'
import { type Export, edited, rowsOf, unzipped, zipped } from '../../support/dsfinvk-zip.js'
import { brief, isRecognised, verdictOf } from '../../support/verdicts.js'

const sample = readFileSync(new URL('../../market/de/samples/dsfinvk.zip', import.meta.url))
const files = await unzipped(sample)
const DTD = 'gdpdu-01-09-2004.dtd'
const BON = 'ft1#IT2'

async function judged(changed: Export): Promise<string[]> {
  return brief((await verdictOf(dsfinvkFile, await zipped(changed))).findings)
}

type Edit = [file: string, from: string, to: string]

describe('the published example', () => {
  it('has no finding; that its DTD is missing is a notice', async () => {
    for (const size of [64, 1000, 1 << 20]) {
      const { findings, notices, summary } = await verdictOf(dsfinvkFile, sample, {
        pieceSize: size,
      })
      expect(findings).toEqual([])
      expect(brief(notices)).toEqual([`DTD_MISSING ${DTD}`])
      expect(summary).toEqual({ closings: 1, receipts: 1, proven: 1 })
    }
  })

  it('with a DTD has no notice either', async () => {
    const whole = new Map(files).set(DTD, Buffer.from('<!ELEMENT DataSet ANY>'))
    const { findings, notices } = await verdictOf(dsfinvkFile, await zipped(whole))
    expect([...findings, ...notices]).toEqual([])
  })

  it('is recognised by its content, other files and other ZIPs are not', async () => {
    expect(await isRecognised(dsfinvkFile, sample)).toBe(true)
    for (const head of ['', '{', 'info.csv', 'P', 'PK\u0003\u0004', 'PK\u0005\u0006']) {
      expect(await isRecognised(dsfinvkFile, Buffer.from(head))).toBe(false)
    }
    const foreign = await zipped(new Map([['word/document.xml', Buffer.from('<a/>')]]))
    expect(await isRecognised(dsfinvkFile, foreign)).toBe(false)
  })
})

describe('container and tables', () => {
  const cases: [string, Edit[], string[]][] = [
    ['a header', [['vat.csv', 'UST_SATZ', 'SATZ']], ['CSV_HEADER vat.csv']],
    [
      'a column in index.xml',
      [['index.xml', '<Name>UST_SATZ</Name>', '<Name>SATZ</Name>']],
      ['INDEX_COLUMNS index.xml'],
    ],
    [
      'a length in index.xml',
      [['index.xml', '<MaxLength>50<', '<MaxLength>51<']],
      ['INDEX_COLUMNS index.xml'],
    ],
    [
      'a table left out in index.xml',
      [['index.xml', '<URL>pa.csv</URL>', '<URL>pb.csv</URL>']],
      ['INDEX_TABLE index.xml', 'INDEX_TABLE index.xml'],
    ],
    [
      'the decimal symbol',
      [['index.xml', '<DecimalSymbol>,</DecimalSymbol>', '<DecimalSymbol>.</DecimalSymbol>']],
      ['INDEX_TABLE index.xml'],
    ],
    ['an open tag in index.xml', [['index.xml', '</Media>', '']], ['INDEX_FORM index.xml']],
    [
      'a row without CR',
      [['location.csv', '"DE123456789"\r\n', '"DE123456789"\n']],
      ['CSV_FORM location.csv row 2'],
    ],
    [
      'a last row without CRLF',
      [['location.csv', '"DE123456789"\r\n', '"DE123456789"']],
      ['CSV_FORM location.csv row 2'],
    ],
    [
      'a quote that is not doubled',
      [['lines.csv', '"Brot"', '"Br"ot"']],
      [
        'CSV_FORM lines.csv row 3',
        `LINE_UNKNOWN ${BON}`,
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
      ],
    ],
    [
      'a value too many',
      [['location.csv', '"DE123456789"\r\n', '"DE123456789";""\r\n']],
      ['CSV_FORM location.csv row 2', 'CLOSING_ROWS cashpointclosing.csv row 2'],
    ],
    [
      'a text that is too long',
      [['lines.csv', '"Brot"', `"${'B'.repeat(256)}"`]],
      [`FIELD_LENGTH ${BON}`],
    ],
    ['a decimal point', [['vat.csv', '19,00', '19.00']], ['FIELD_NUMBER vat.csv row 2']],
    [
      'a mandatory value',
      [['location.csv', '"Berlin"', '""']],
      ['FIELD_MANDATORY location.csv row 2'],
    ],
    [
      'neither STNR nor USTID',
      [['cashpointclosing.csv', '"11/222/33333";"DE123456789"', '"";""']],
      ['FIELD_MANDATORY cashpointclosing.csv row 2'],
    ],
    [
      'an unknown BON_TYP',
      [['transactions.csv', '"Beleg"', '"Bon"']],
      [
        `FIELD_VALUE ${BON}`,
        `TSE_DATA ${BON}`,
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
        'CLOSING_PAYMENTS cashpointclosing.csv row 2',
        'CLOSING_PAYMENTS cashpointclosing.csv row 2',
        'CLOSING_CASH cashpointclosing.csv row 2',
        'CLOSING_PAYMENTS cashpointclosing.csv row 2',
        'CLOSING_CASH cashpointclosing.csv row 2',
      ],
    ],
    [
      'an unknown GV_TYP',
      [['lines.csv', '"T1";"Umsatz"', '"T1";"Umsaetze"']],
      [
        `FIELD_VALUE ${BON}`,
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
      ],
    ],
    [
      'a country of two letters',
      [['location.csv', '"DEU"', '"DE"']],
      ['FIELD_VALUE location.csv row 2'],
    ],
    [
      'a time that is none',
      [['transactions.csv', '2026-01-01T09:01:12.000Z', '2026-13-01T09:01:12.000Z']],
      [`FIELD_TIME ${BON}`],
    ],
    [
      'a local time of the TSE',
      [['transactions_tse.csv', '09:01:12.000Z', '10:01:12.000+01:00']],
      [`FIELD_TIME ${BON}`],
    ],
  ]
  it.each(cases)('%s is named', async (_, changes, expected) => {
    expect(await judged(edited(files, changes))).toEqual(expected)
  })

  it.each(['vat.csv', 'references.csv', 'index.xml'])('%s missing is named', async (name) => {
    const without = new Map(files)
    without.delete(name)
    expect(await judged(without)).toEqual([`MEMBER_MISSING ${name}`])
  })

  it('a member more, of whatever name, is named and not read', async () => {
    for (const name of ['readme.txt', 'Lines.csv', 'sub/lines.csv']) {
      const more = new Map(files).set(name, Buffer.from('x'))
      expect(await judged(more)).toEqual([`MEMBER_UNKNOWN ${name}`])
    }
  })

  it('a member whose name leads outside is named', async () => {
    const bytes = await zipped(new Map(files).set('aa/bb/passwd', Buffer.from('x')))
    let at = bytes.indexOf('aa/bb/passwd')
    for (; at >= 0; at = bytes.indexOf('aa/bb/passwd', at + 1)) bytes.write('../../passwd', at)
    const { findings } = await verdictOf(dsfinvkFile, bytes)
    expect(brief(findings)).toEqual(['MEMBER_UNKNOWN ../../passwd'])
  })

  it('a member that is there twice is named', async () => {
    const twice: [string, Buffer][] = [
      ...files,
      ['vat.csv', files.get('vat.csv') ?? Buffer.alloc(0)],
    ]
    const { findings } = await verdictOf(dsfinvkFile, await zipped(twice))
    expect(brief(findings)).toEqual(['ZIP_MEMBER vat.csv'])
  })

  it('fewer decimals, grouping and blanks are notices', async () => {
    const changes: Edit[] = [
      ['lines.csv', '11,90000', '11,90'],
      ['lines.csv', '"Brot"', '"Brot "'],
    ]
    const { findings, notices } = await verdictOf(dsfinvkFile, await zipped(edited(files, changes)))
    expect(findings).toEqual([])
    expect(brief(notices)).toEqual([
      `DTD_MISSING ${DTD}`,
      `FIELD_DECIMALS ${BON}`,
      `FIELD_BLANKS ${BON}`,
    ])
  })

  it('other bytes than UTF-8 are named', async () => {
    const text = (files.get('location.csv') ?? Buffer.alloc(0)).toString('utf8')
    const latin = Buffer.from(text.replace('Berlin', 'Köln'), 'latin1')
    const found = await judged(new Map(files).set('location.csv', latin))
    expect(found).toEqual(['CSV_FORM location.csv'])
  })
})

describe('keys', () => {
  const cases: [string, Edit[], string[]][] = [
    [
      'a BON_ID of no receipt',
      [['allocation_groups.csv', BON, 'ft9#IT9']],
      ['BON_UNKNOWN ft9#IT9'],
    ],
    [
      'a Z_NR of no closing',
      [['allocation_groups.csv', 'Z";1;', 'Z";2;']],
      [`CLOSING_UNKNOWN ${BON}`, `BON_UNKNOWN ${BON}`],
    ],
    [
      'another Z_ERSTELLUNG',
      [['vat.csv', '10:00:00', '10:00:01']],
      ['CLOSING_UNKNOWN vat.csv row 2', `VAT_UNKNOWN ${BON}`, `VAT_UNKNOWN ${BON}`],
    ],
    [
      'a POS_ZEILE of no line',
      [['lines_vat.csv', '"2";2;', '"3";2;']],
      [`LINE_UNKNOWN ${BON}`, 'CLOSING_BUSINESS cashpointclosing.csv row 2'],
    ],
    [
      'a POS_ZEILE twice',
      [['lines.csv', '"2";""', '"1";""']],
      [
        `LINE_DOUBLED ${BON}`,
        `LINE_UNKNOWN ${BON}`,
        `LINE_PRICE ${BON}`,
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
      ],
    ],
    [
      'a TSE_ID of no TSE',
      [['transactions_tse.csv', `"${BON}";1;`, `"${BON}";2;`]],
      [`TSE_UNKNOWN ${BON}`],
    ],
    [
      'a TERMINAL_ID of no terminal',
      [['transactions.csv', '"T1"', '"T2"']],
      [`TERMINAL_UNKNOWN ${BON}`],
    ],
    [
      'an AGENTUR_ID of no agency',
      [['lines.csv', '"0";0;"4711"', '"0";3;"4711"']],
      [
        `AGENCY_UNKNOWN ${BON}`,
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
        'CLOSING_BUSINESS cashpointclosing.csv row 2',
      ],
    ],
    [
      'no register',
      [['cashregister.csv', `${rowsOf(files, 'cashregister.csv')[0]}\r\n`, '']],
      ['CLOSING_ROWS cashpointclosing.csv row 2'],
    ],
    [
      'another first receipt',
      [['cashpointclosing.csv', `"${BON}"`, '"ft0#IT1"']],
      ['CLOSING_RANGE cashpointclosing.csv row 2'],
    ],
  ]
  it.each(cases)('%s is named', async (_, changes, expected) => {
    expect(await judged(edited(files, changes))).toEqual(expected)
  })
})
