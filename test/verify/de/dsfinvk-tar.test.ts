// Orders of several lines, the grammar of index.xml, whose word counts, and a DSFinV-K beside the
// log of its TSE.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Finding, VerifyOptions } from '../../../src/verify/contract.js'
import { dsfinvkFile } from '../../../src/verify/de/verifiers.js'
import { type BonPlan, ExportMaker, type LinePlan } from '../../support/dsfinvk-maker.js'
import { type Export, edited, unzipped, zipped } from '../../support/dsfinvk-zip.js'
import { type TarMember, tarOf } from '../../support/tse-device.js'
import { brief, inPieces, verdictOf } from '../../support/verdicts.js'

const sample = readFileSync(new URL('../../market/de/samples/dsfinvk.zip', import.meta.url))
const example = (await unzipped(sample)).set('gdpdu-01-09-2004.dtd', Buffer.from('x'))

const SIGNED = '2;"Eisbecher ""Himbeere""";3.99\r1;"Eiskaffee";2.99'
const ORDER: BonPlan = {
  type: 'AVBestellung',
  pays: [{ cents: 0, type: 'Keine' }],
  processType: 'Bestellung-V1',
  data: SIGNED,
}

function made(plans: BonPlan[]): ExportMaker {
  const maker = new ExportMaker(example)
  maker.closing(plans)
  return maker
}

async function verdict(files: Export, options: VerifyOptions = {}) {
  return verdictOf(dsfinvkFile, await zipped(files), options)
}

describe('orders of several lines', () => {
  it('are proved with the CR between their lines in the quoted value', async () => {
    const { findings, notices, summary } = await verdict(made([{}, ORDER]).files())
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toMatchObject({ receipts: 2, proven: 2 })
  })

  it('and receipts are proved where the device signs processData in pieces', async () => {
    const plans = [{ inPieces: true }, { ...ORDER, inPieces: true }]
    const { findings, summary } = await verdict(made(plans).files())
    expect(findings).toEqual([])
    expect(summary).toMatchObject({ receipts: 2, proven: 2 })
    const files = edited(made(plans).files(), [['transactions_tse.csv', ';3.99\r', ';2.99\r']])
    expect((await verdict(files)).findings).toMatchObject([{ code: 'TSE_SIGNATURE' }])
  })

  it('are refused when a line is changed', async () => {
    const files = edited(made([ORDER]).files(), [['transactions_tse.csv', ';3.99\r', ';2.99\r']])
    expect((await verdict(files)).findings).toMatchObject([{ code: 'TSE_SIGNATURE' }])
  })

  it('are refused when they are left out or cut and the lines say something else', async () => {
    for (const shown of ['', SIGNED.padEnd(1000, 'x')]) {
      const { findings } = await verdict(made([{ ...ORDER, shown }]).files())
      expect(findings.map(({ code }) => code)).toEqual(['TSE_CUT'])
    }
  })
})

describe('index.xml by its DTD', () => {
  const cases: [string, string, string][] = [
    ['an element too many', '<Media>', '<Media><Media/>'],
    ['an element at another place', '<Version>1.0</Version>\n<DataSupplier>', '<DataSupplier>'],
    ['an unknown element', '<Version>1.0</Version>', '<Version>1.0</Version><Other/>'],
    ['text between elements', '<Media>', '<Media>text'],
    ['an attribute', '<Media>', '<Media number="1">'],
    ['another document type', '<!DOCTYPE DataSet', '<!DOCTYPE Data'],
    ['declarations of its own', '"gdpdu-01-09-2004.dtd">', '"x.dtd" [<!ENTITY a "b">]>'],
    [
      'a table without description of its columns',
      '<VariableLength>',
      '<FixedLength/><VariableLength>',
    ],
  ]
  it.each(cases)('%s is named', async (_, from, to) => {
    const { findings } = await verdict(edited(example, [['index.xml', from, to]]))
    expect(findings.map(({ code }) => code)).toContain('INDEX_DTD')
  })
})

describe('beside the log of the TSE', () => {
  const plans: BonPlan[] = [{}, ORDER, { lines: [{ gross: 250 }] }]

  async function compared(maker: ExportMaker, members: TarMember[], more: VerifyOptions = {}) {
    const tar = inPieces(await tarOf(members))
    return verdict(maker.files(), { tar, ...more })
  }

  it('the same transactions with the same values are accepted', async () => {
    const maker = made(plans)
    const { findings, notices, summary } = await compared(maker, maker.device.archive())
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toMatchObject({ proven: 3, tar: { transactions: 3, proven: 7 } })
  })

  it('a receipt that the export lacks is named by its transaction', async () => {
    const maker = made(plans)
    const first = maker.device.archive()
    maker.device.now -= 1
    maker.device.sale('Beleg^99.00_0.00_0.00_0.00_0.00^99.00:Bar')
    const { findings } = await compared(maker, maker.device.archive())
    expect(brief(findings)).toEqual(expect.arrayContaining(['TAR_ONLY TSE_TANR 4']))
    expect(first.length).toBeGreaterThan(0)
  })

  it('a receipt that the log lacks is named, in a part of a log as a notice', async () => {
    const maker = made(plans)
    const members = maker.device.members.slice(0, -2)
    const whole = await compared(maker, maker.device.archive(members))
    expect(whole.findings.map(({ code }) => code)).toEqual(['TAR_LACKS'])
    const part = await compared(maker, maker.device.archive(members), { partial: true })
    expect(part.findings).toEqual([])
    expect(part.notices.map(({ code }) => code)).toEqual(['TAR_LACKS'])
  })

  it.each([
    ['the time of the start', /(;\d+;\d+;"2026-01-01T)\d\d/, '$101'],
    ['the signed data', /"Beleg\^2\.50_/, '"Beleg^2.51_'],
    ['the number of the transaction', /;1;1;/, ';1;77;'],
  ])('a changed value is named: %s', async (_, from, to) => {
    const maker = made(plans)
    const text = maker.files().get('transactions_tse.csv')?.toString() ?? ''
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    const files = new Map(maker.files()).set('transactions_tse.csv', Buffer.from(changed))
    const tar = inPieces(await tarOf(maker.device.archive()))
    const { findings } = await verdict(files, { tar })
    const codes = findings.map(({ code }) => code)
    expect(codes).toContain(to.includes('77') ? 'TAR_LACKS' : 'TAR_DIFFERS')
  })

  const umlauts = 'ä'.repeat(1000)
  const long = (line: Partial<LinePlan>, shown: string): BonPlan => ({
    ...ORDER,
    lines: [{ gross: 1190, text: umlauts.slice(0, 255), ...line }],
    data: `1;"${umlauts}";11.90`,
    shown,
  })
  const cell = `1;"${umlauts}`.slice(0, 1000)

  async function codesOf(plan: BonPlan): Promise<string[]> {
    const maker = made([plan])
    const { findings } = await compared(maker, maker.device.archive())
    return findings.map(({ code }) => code)
  }

  it.each([
    ['cut', cell],
    ['left out', ''],
  ])('an order that is %s differs in nothing that is there', async (_, shown) => {
    expect(await codesOf(long({}, shown))).toEqual(['TSE_CUT'])
  })

  it.each<[string, Partial<LinePlan>, string]>([
    ['the text of a line', { text: `o${umlauts.slice(0, 254)}` }, ''],
    ['a text that is too short', { text: umlauts.slice(0, 254) }, ''],
    ['the price of a line', { gross: 1191 }, ''],
    ['the quantity of a line', { quantity: 2000 }, ''],
    ['the beginning', {}, cell.replace('1', '2')],
    ['a beginning that is shorter than its column', {}, `${cell.slice(0, 900)}${'o'.repeat(100)}`],
  ])('an order that is cut and differs in what is there is named: %s', async (_, line, shown) => {
    expect(await codesOf(long(line, shown))).toEqual(['TAR_DIFFERS', 'TSE_CUT'])
  })

  it('an order that ends within its column is compared as a whole', async () => {
    expect(await codesOf({ ...ORDER, shown: SIGNED.padEnd(1000, 'x') })).toContain('TAR_DIFFERS')
  })

  it('transactions of other tills, other closings and without receipt are no fault', async () => {
    const maker = made(plans)
    const { device } = maker
    device.register('KASSE-0002')
    const other = device.start({ client: 'KASSE-0002' })
    const finish = { type: 'SonstigerVorgang', text: 'x' }
    device.step('Finish', other, { ...finish, change: { client: 'KASSE-0002' } })
    device.step('Finish', device.start(), finish)
    device.now += 10_000_000
    device.sale()
    const { findings, notices } = await compared(maker, device.archive())
    expect(findings).toEqual([])
    expect(notices.map(({ code }) => code)).toEqual(['TAR_OUTSIDE', 'TAR_OTHER'])
  })

  it('a log that is not sound itself is refused with its own findings', async () => {
    const maker = made(plans)
    const [first, second, third, ...rest] = maker.device.members
    const members = [first, second, third].filter((one) => one !== undefined)
    const { findings } = await compared(maker, maker.device.archive([...members, ...rest.slice(1)]))
    expect(findings.map(({ code }) => code)).toContain('COUNTER_GAP')
  })
})

describe('whose word counts', () => {
  it('without given certificates a notice says that none is trusted', async () => {
    const codes: string[] = []
    const sink = { add: ({ code }: Finding) => void codes.push(code), clear: () => undefined }
    await dsfinvkFile.verify(inPieces(await zipped(made([{}]).files())), {}, sink)
    expect(codes).toEqual(['CERTIFICATE_UNTRUSTED'])
  })

  it('with given certificates only a TSE that they cover proves a receipt', async () => {
    const maker = made([{}])
    const [own] = maker.device.certificates()
    const right = own?.content.toString('base64') ?? ''
    const bytes = maker.files()
    expect((await verdict(bytes, { certificates: [right] })).summary).toMatchObject({ proven: 1 })
    const other = new ExportMaker(example).device.certificates()[0]?.content.toString('base64')
    const { findings, summary } = await verdict(bytes, { certificates: [other ?? ''] })
    expect(findings.map(({ code }) => code)).toEqual(['CERTIFICATE_DISTRUSTED'])
    expect(summary).toMatchObject({ proven: 0 })
  })
})
