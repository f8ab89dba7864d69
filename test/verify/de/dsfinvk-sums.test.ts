// Sums and signatures of DSFinV-K exports: whatever somebody changes is named.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dsfinvkFile } from '../../../src/verify/de/verifiers.js'
import { type Export, edited, rowsOf, unzipped, zipped } from '../../support/dsfinvk-zip.js'
import { brief, verdictOf } from '../../support/verdicts.js'

const sample = readFileSync(new URL('../../market/de/samples/dsfinvk.zip', import.meta.url))
const files = await unzipped(sample)
const BON = 'ft1#IT2'

async function judged(changed: Export): Promise<string[]> {
  return brief((await verdictOf(dsfinvkFile, await zipped(changed))).findings)
}

type Edit = [file: string, from: string, to: string]

describe('sums', () => {
  const cases: [string, Edit[], string[]][] = [
    [
      'net and VAT of a line',
      [['lines_vat.csv', '10,00000;1,90000', '10,00000;1,91000']],
      [`NET_PLUS_VAT ${BON}`, `BON_VAT_SUMS ${BON}`, 'CLOSING_BUSINESS cashpointclosing.csv row 2'],
    ],
    [
      'VAT that is not the rate',
      [
        ['lines_vat.csv', '10,00000;1,90000', '11,12000;0,78000'],
        ['transactions_vat.csv', '10,00000;1,90000', '11,12000;0,78000'],
        ['businesscases.csv', '10,00000;1,90000', '11,12000;0,78000'],
      ],
      [`VAT_AMOUNT ${BON}`],
    ],
    [
      'a rate that does not fit its key',
      [['vat.csv', '7,00', '8,00']],
      ['VAT_RATE vat.csv row 3', `VAT_AMOUNT ${BON}`],
    ],
    [
      'VAT of the receipt',
      [['transactions_vat.csv', '5,35000;5,00000;0,35000', '5,36000;5,00000;0,36000']],
      [`BON_VAT_SUMS ${BON}`],
    ],
    [
      'the turnover',
      [['transactions.csv', '17,25', '17,24']],
      [`BON_TURNOVER ${BON}`, `BON_PAYMENTS ${BON}`],
    ],
    [
      'a payment',
      [['datapayment.csv', ';;7,25', ';;7,24']],
      [
        `BON_PAYMENTS ${BON}`,
        `TSE_PAYMENTS ${BON}`,
        'CLOSING_PAYMENTS cashpointclosing.csv row 2',
        'CLOSING_PAYMENTS cashpointclosing.csv row 2',
      ],
    ],
    ['a price', [['lines.csv', '5,35000', '5,37000']], [`LINE_PRICE ${BON}`]],
    [
      'a sum of businesscases.csv',
      [['businesscases.csv', '5,35000;5,00000;0,35000', '5,36000;5,01000;0,35000']],
      ['CLOSING_BUSINESS cashpointclosing.csv row 2'],
    ],
    [
      'a sum of payment.csv',
      [['payment.csv', '7,25', '7,26']],
      ['CLOSING_PAYMENTS cashpointclosing.csv row 2'],
    ],
    [
      'a sum of cash_per_currency.csv',
      [['cash_per_currency.csv', '10,00', '10,01']],
      ['CLOSING_CASH cashpointclosing.csv row 2'],
    ],
    [
      'Z_SE_ZAHLUNGEN',
      [['cashpointclosing.csv', '17,25', '17,26']],
      ['CLOSING_PAYMENTS cashpointclosing.csv row 2'],
    ],
    [
      'Z_SE_BARZAHLUNGEN',
      [['cashpointclosing.csv', '10,00', '10,01']],
      ['CLOSING_CASH cashpointclosing.csv row 2'],
    ],
    [
      'a void without reference',
      [['transactions.csv', '"T1";"0"', '"T1";"1"']],
      [`VOID_UNREFERENCED ${BON}`],
    ],
  ]
  it.each(cases)('%s: named where it is', async (_, changes, expected) => {
    expect(await judged(edited(files, changes))).toEqual(expected)
  })
})

describe('what is unusual and lawful', () => {
  const cases: [string, Edit[], string][] = [
    [
      'a receipt that ends before it begins',
      [['transactions.csv', '09:01:00.000Z', '09:02:00.000Z']],
      `BON_TIMES ${BON}`,
    ],
    [
      'a line of a terminal that is not described',
      [['lines.csv', '"T1";"Umsatz"', '"T2";"Umsatz"']],
      `LINE_TERMINAL ${BON}`,
    ],
    [
      'a quantity whose further decimals the table has not',
      [
        ['lines.csv', '1,000;1,000', '0,333;1,000'],
        ['lines.csv', ';11,90000', ';35,70000'],
      ],
      `LINE_ROUNDED ${BON}`,
    ],
  ]
  it.each(cases)('%s is a notice', async (_, changes, expected) => {
    const changed = await zipped(edited(files, changes))
    const { findings, notices } = await verdictOf(dsfinvkFile, changed)
    expect(findings).toEqual([])
    expect(brief(notices)).toContain(expected)
  })
})

it('a closing that is there twice is named', async () => {
  const name = 'cashpointclosing.csv'
  const [row = ''] = rowsOf(files, name)
  expect(await judged(edited(files, [[name, row, `${row}\r\n${row}`]]))).toContain(
    'CLOSING_DOUBLED cashpointclosing.csv row 3',
  )
})

describe('signatures', () => {
  const signature = 'vq3w/dRtQ660jHypry4Wn3dEYlLeymWJKGuSKZU3mJ'
  const cases: [string, Edit[], string[]][] = [
    [
      'a byte of the signature',
      [['transactions_tse.csv', signature, `w${signature.slice(1)}`]],
      [`TSE_SIGNATURE ${BON}`],
    ],
    [
      'the signature counter',
      [['transactions_tse.csv', '"Kassenbeleg-V1";7;', '"Kassenbeleg-V1";8;']],
      [`TSE_SIGNATURE ${BON}`],
    ],
    [
      'the transaction number',
      [['transactions_tse.csv', `"${BON}";1;2;`, `"${BON}";1;3;`]],
      [`TSE_SIGNATURE ${BON}`],
    ],
    [
      'the time of the finish',
      [['transactions_tse.csv', '09:01:12.000Z', '09:01:13.000Z']],
      [`TSE_SIGNATURE ${BON}`],
    ],
    [
      'a finish before its start',
      [['transactions_tse.csv', '09:01:00.000Z', '09:02:00.000Z']],
      [`TSE_TIMES ${BON}`],
    ],
    [
      'an amount of the signed data',
      [['transactions_tse.csv', '11.90_', '12.90_']],
      [`TSE_SIGNATURE ${BON}`, `TSE_AMOUNTS ${BON}`],
    ],
    [
      'signed data that are no such data',
      [['transactions_tse.csv', '"Beleg^11.90_', '"Beleg^11,90_']],
      [`TSE_SIGNATURE ${BON}`, `TSE_DATA ${BON}`],
    ],
    [
      'no signature and no reason',
      [
        [
          'transactions_tse.csv',
          rowsOf(files, 'transactions_tse.csv')[0]?.split(';')[10] ?? '',
          '""',
        ],
      ],
      [`TSE_MISSING ${BON}`],
    ],
    ['the serial number of the TSE', [['tse.csv', 'c8f303', 'c8f304']], ['TSE_KEY tse.csv row 2']],
    ['a key that is none', [['tse.csv', 'BO+Tt8', 'AO+Tt8']], ['TSE_KEY tse.csv row 2']],
    [
      'a certificate that is none',
      [['tse.csv', 'MIIB4zCC', 'MIIB4zCD']],
      ['TSE_KEY tse.csv row 2'],
    ],
    [
      'an algorithm that was not used',
      [['tse.csv', 'plain-SHA256', 'plain-SHA384']],
      [`TSE_SIGNATURE ${BON}`],
    ],
    [
      'a time format that was not used',
      [['tse.csv', '"unixTime"', '"utcTime"']],
      [`TSE_SIGNATURE ${BON}`],
    ],
  ]
  it.each(cases)('%s is named', async (_, changes, expected) => {
    expect(await judged(edited(files, changes))).toEqual(expected)
  })

  it('a receipt with a reason instead of a signature is accepted', async () => {
    const rest = /;1;2;"2026-01-01T09:01:00\.000Z".*"\r\n$/
    const text = (files.get('transactions_tse.csv') ?? '').toString()
    const failed = text.replace(rest, ';1;;"";"";"";;"";"TSE ausgefallen";""\r\n')
    expect(failed).not.toBe(text)
    expect(await judged(new Map(files).set('transactions_tse.csv', Buffer.from(failed)))).toEqual(
      [],
    )
  })

  it('signed data left out cannot be proven: a notice', async () => {
    const data = 'Beleg^11.90_5.35_0.00_0.00_0.00^10.00:Bar_7.25:Unbar'
    const bytes = await zipped(edited(files, [['transactions_tse.csv', `"${data}"`, '""']]))
    const { findings, notices } = await verdictOf(dsfinvkFile, bytes)
    expect(findings).toEqual([])
    expect(brief(notices)).toContain(`TSE_UNPROVEN ${BON}`)
  })
})
