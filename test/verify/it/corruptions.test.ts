// Each kind of corruption of an Italian journal gives exactly its finding.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { notices, rules } from '../../../src/verify/it/rules.js'
import { judge, startedQueue } from '../../market/it/queue.js'

let lines: string[] = []

beforeAll(async () => {
  const queue = await startedQueue({ kind: 'server', lastZ: 11 })
  const charges = [
    { text: 'Caffe', amount: 7, kind: 0x11 },
    { text: 'Acqua', amount: 3, kind: 0x13 },
  ]
  const turned = charges.map((one) => ({ ...one, amount: -one.amount }))
  const customer = { CustomerId: 'RSSMRA80A01H501U' }
  const data = { servizi_lotteriadegliscontrini_gov_it: { codicelotteria: 'ABCDEFGN' } }
  const more = { ftReceiptCaseData: JSON.stringify(data) }
  for (const reference of ['a', 'b', 'c']) {
    await queue.run({ ...{ reference, kind: 1, charges, pays: [[10, 4]] }, customer, more })
  }
  const [water] = turned.slice(1)
  await queue.run({
    ...{ reference: 'd', kind: 0x100_0001, previous: 'a', pays: [[-3, 1]] },
    charges: water === undefined ? [] : [water],
  })
  const whole = { charges: turned, pays: [[-10, 1]] as [number, number][] }
  await queue.run({ ...whole, reference: 'e', kind: 0x4_0001, previous: 'b' })
  await queue.run({ reference: 'z', kind: 0x2011 })
  await queue.run({ reference: 'f', kind: 1, charges, pays: [[10, 4]] })
  await queue.run({ reference: 'y', kind: 0x2011 })
  lines = queue.journal().trim().split('\n')
})

/** Lines in this order, chained anew. */
function chained(changed: string[]): string {
  let previous = ''
  return changed
    .map((line) => {
      const made = line.replace(/"previous":"[0-9a-f]*"/, `"previous":"${previous}"`)
      previous = createHash('sha256').update(made).digest('hex')
      return `${made}\n`
    })
    .join('')
}

const swap = (at: number, from: string | RegExp, to: string) => (all: string[]) => {
  const line = all[at] ?? ''
  const changed = line.replace(from, to)
  if (changed === line) throw new Error(`nothing to change: ${from}`)
  return chained(all.with(at, changed))
}
const without = (at: number) => (all: string[]) => chained(all.toSpliced(at, 1))

type Case = [code: keyof typeof rules, change: (all: string[]) => string, count?: number]
const cases: Case[] = [
  ['LINE_FORM', (all) => `${chained(all)}nothing\n`],
  ['EMPTY', () => ''],
  [
    'CHAIN_LINK',
    (all) => `${all.toSpliced(1, 1, (all[1] ?? '').replace('Caffe', 'Caffo')).join('\n')}\n`,
  ],
  ['CHAIN_BEGIN', (all) => `${all.slice(7).join('\n')}\n`],
  ['Z_ORDER', (all) => chained([...all, all.at(-1) ?? ''])],
  ['DOCUMENT_Z', swap(6, '"z":13', '"z":12')],
  ['DOCUMENT_ORDER', swap(2, '"doc":3', '"doc":2'), 2],
  ['DOCUMENT_GAP', without(2)],
  ['TIME_DECREASES', swap(2, /"moment":"2026/, '"moment":"2025')],
  ['TOTAL_WRONG', swap(2, '"total":"1000"', '"total":"999"')],
  [
    'RATE_WRONG',
    swap(2, /\["item","Caffe","1","700","10"\]/, '["item","Caffe","1","700","22"]'),
    2,
  ],
  ['TAX_WRONG', swap(2, '["10","700","64"]', '["10","700","63"]')],
  ['PAYMENT_WRONG', swap(2, '["card","Contanti","1000"]', '["card","Contanti","1001"]')],
  ['TAX_ID_WRONG', swap(2, 'RSSMRA80A01H501U', 'RSSMRA80A01H501V')],
  ['LOTTERY_WRONG', swap(2, 'ABCDEFGN', 'ABCDEFG')],
  ['REFERENCE_MISSING', swap(4, /"reference":\{[^}]*\}/, '"reference":null')],
  ['REFERENCE_UNKNOWN', swap(3, /("reference":\{"serial":"[^"]+","z":12,"doc":)1/, '$19')],
  ['REFERENCE_DONE', swap(4, /("reference":\{"serial":"[^"]+","z":12,"doc":)2/, '$14')],
  ['REFERENCE_AMOUNT', swap(4, /("reference":\{"serial":"[^"]+","z":12,"doc":)2/, '$11')],
  ['SHA_MISSING', swap(2, /"sha":"[0-9a-f]+"/, '"sha":""')],
]

describe('a journal of an RT', () => {
  it('is accepted as it is', async () => {
    expect(await judge(`${lines.join('\n')}\n`)).toEqual({
      findings: [],
      summary: { documents: 6, closings: 2, devices: 1 },
    })
  })

  it.each(cases)('%s is found, and nothing else', async (code, change, count = 1) => {
    const { findings } = await judge(change(lines))
    expect(new Set(findings.map((one) => one.code))).toEqual(new Set([code]))
    expect(findings.length).toBeLessThanOrEqual(count)
    expect(findings.every(({ notice }) => notice === true)).toBe(notices.has(code))
  })

  it('every rule has its corruption', () => {
    expect(cases.map(([code]) => code).toSorted()).toEqual(Object.keys(rules).toSorted())
  })
})
