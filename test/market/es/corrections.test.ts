// A record that was wrong is said once more under the same number (subsanación): a new link of the
// chain, with the same amounts; and what cannot be corrected so is refused.
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { EsDevice } from '../../../src/device/es/unit.js'
import { serve } from '../../../src/simulator/es/authority.js'
import { emptyRegister, type Register } from '../../../src/simulator/es/register.js'
import { coffee, customer, judge, later, newQueue } from '../../verify/es/files.js'
import type { Sent, TestQueue } from './queue.js'

let queue: TestQueue
let register: Register

beforeEach(async () => {
  queue = await newQueue()
  register = emptyRegister()
  const own = queue.device as EsDevice
  queue.device = {
    ...own,
    call: async ({ body }) => {
      const asked = { method: 'POST', body: String(body), now: queue.moment }
      return { ...serve(register, asked, { waitSeconds: 0, most: 100 }), headers: {} }
    },
  }
  await queue.run({ reference: 'start', kind: 0x4001 })
  later(queue)
})

const invoice: Sent = {
  ...{ reference: 'a', kind: 0x1001, customer, charges: [coffee], pays: [[12.1]] },
}
const repair = (ES: object, more: Partial<Sent> = {}): Sent => ({
  ...{ ...invoice, reference: 'b', previous: 'a' },
  more: { ftReceiptCaseData: JSON.stringify({ ES: { Subsanacion: 'S', ...ES } }) },
  ...more,
})
const requestOf = (outcome: { stateData: string | null }): string =>
  JSON.parse(outcome.stateData ?? '{}').ES.GovernmentAPI.Request
const ruleOf = ({ faults }: { faults: readonly { message: string }[] }) =>
  /EEEE_(\w+)/.exec(faults[0]?.message ?? '')?.[1]

it('a recipient of another country has letters that the list of the authority has', async () => {
  const place = { CustomerName: 'X', CustomerStreet: 'Y 1', CustomerZip: '1' }
  const told: string[] = []
  for (const [at, CustomerCountry] of ['EL', 'GB', 'UK', 'GF'].entries()) {
    const abroad = { ...place, CustomerTaxId: '123', CustomerCountry }
    const outcome = await queue.run({ ...invoice, reference: `x${at}`, customer: abroad })
    const [, code = ''] = /<CodigoPais>(\w+)</.exec(outcome.stateData ?? '') ?? []
    told.push(ruleOf(outcome) ?? code)
    later(queue)
  }
  expect(told).toEqual(['GR', 'GB', 'CustomerIdentifierMissing', 'CustomerIdentifierMissing'])
  const union = { ...place, CustomerVATId: 'XI123456789', CustomerCountry: 'XI' }
  const outcome = await queue.run({ ...invoice, reference: 'xi', customer: union })
  expect(outcome.stateData).toContain('<IDType>02</IDType><ID>XI123456789</ID>')
})

it('the corrected record has the same number, and is a new link of the chain', async () => {
  const first = await queue.run(invoice)
  later(queue)
  const named = { ...customer, CustomerName: 'Cliente Nuevo, S.A.' }
  const second = await queue.run(repair({}, { customer: named }))
  expect(second.faults).toEqual([])
  const [, number] = first.identification.split('#')
  expect(second.identification.split('#')[1]).toBe(number)
  const request = requestOf(second)
  expect(request).toContain('<Subsanacion>S</Subsanacion><TipoFactura>F1</TipoFactura>')
  expect(request).toContain('Cliente Nuevo, S.A.')
  expect(queue.state.records).toBe(2)
  later(queue)
  const next = await queue.run({ ...invoice, reference: 'c' })
  expect(next.identification).toMatch(/-2$/)
  // it can be cancelled as it was before, once
  later(queue)
  const ended = await queue.run({ ...invoice, reference: 'd', previous: 'a', kind: 0x4_1001 })
  expect(ended.faults).toEqual([])
  expect(ruleOf(await queue.run(repair({})))).toBe('PreviousReceiptIsVoided')
  const { findings, summary } = await judge(await queue.books())
  expect(findings).toEqual([])
  expect(summary).toMatchObject({ records: 4 })
})

it('one that was refused says so, else the authority does not know it', async () => {
  await queue.run(invoice)
  later(queue)
  register = emptyRegister()
  const unknown = await queue.run(repair({}))
  expect(unknown.faults[0]?.message).toContain('(3002)')
  later(queue)
  const taken = await queue.run(repair({ RechazoPrevio: 'X' }, { reference: 'e' }))
  expect(taken.faults).toEqual([])
  expect(requestOf(taken)).toContain('<RechazoPrevio>X</RechazoPrevio>')
})

it.each([
  [
    'CorrectionItemsMismatch',
    repair({}, { charges: [{ ...coffee, amount: 24.2 }], pays: [[24.2]] }),
  ],
  ['CorrectionItemsMismatch', repair({}, { kind: 1 })],
  ['CorrectionUnknown', repair({ RechazoPrevio: 'Q' })],
  ['CorrectionUnknown', repair({ Subsanacion: 'N', RechazoPrevio: 'X' })],
  ['CorrectionUnknown', repair({ Subsanacion: 'maybe' })],
  ['CorrectionOfInvoiceOnly', repair({}, { kind: 0x4_1001 })],
  ['PreviousReceiptNotFound', repair({}, { previous: 'nobody' })],
])('refused: %s', async (rule, sent) => {
  await queue.run(invoice)
  later(queue)
  expect(ruleOf(await queue.run(sent))).toBe(rule)
  expect(queue.state.records).toBe(1)
})

/** The province knows nothing of the newest invoice. */
function forget(queue: TestQueue): void {
  const unit = JSON.parse(queue.scu.state)
  const { there } = unit.register
  for (const series of Object.keys(there)) there[series] = there[series].replace(/-\d+$/, '')
  unit.register.recent.pop()
  Object.assign(queue.scu, { state: JSON.stringify(unit) })
}

describe('files of a province (Zuzendu)', () => {
  const named = { ...customer, CustomerName: 'Cliente Nuevo, S.A.' }
  const filled = async (kind: string): Promise<TestQueue> => {
    const other = await newQueue({ kind })
    await other.run({ reference: 'start', kind: 0x4001 })
    for (const reference of ['z', 'a']) {
      later(other)
      await other.run({ ...invoice, reference })
    }
    later(other)
    return other
  }

  it.each([
    ['Araba', {}, 'MODIFICAR'],
    ['Gipuzkoa', { RechazoPrevio: 'X' }, 'SUBSANAR'],
  ])('%s %j: the number and place of the file before, %s', async (kind, how, action) => {
    const other = await filled(kind)
    const [first] = other.outcomes.slice(-1)
    const { last } = other.state
    const made = await other.run(repair(how, { customer: named }))
    expect(made.faults).toEqual([])
    expect(made.identification.split('#')[1]).toBe(first?.identification.split('#')[1])
    const [before, xml] = [first, made].map((one) => requestOf(one ?? { stateData: null }))
    const part = (text = '', name = '') => new RegExp(`<${name}>.*?</${name}>`).exec(text)?.[0]
    expect(xml).toContain(`<IDVersion>1.0</IDVersion><Accion>${action}</Accion>`)
    expect(xml).toContain('Cliente Nuevo, S.A.')
    expect(part(xml, 'HuellaTBAI')).toBe(part(before, 'HuellaTBAI'))
    expect(part(xml, 'HuellaTBAI')).toContain('<EncadenamientoFacturaAnterior>')
    const signature = part(before, 'ds:SignatureValue')?.replace(/<[^>]*>|\s/g, '') ?? ''
    expect(xml).toContain(`<SignatureValueFirmaFactura>${signature.slice(0, 100)}<`)
    const schema = readFileSync('docs/schemas/ticketbai-correct.xsd', 'utf8')
    const { errors } = await validateXML({ xml: xml ?? '', schema })
    expect(errors).toEqual([])
    // the chain is that of issued files; code and QR code are still those of the first one
    expect(other.state.last).toEqual(last)
    const shown = (one = made) => one.signatures.slice(0, 2).map(({ data }) => data)
    expect(shown(made)).toEqual(shown(first))
    later(other)
    const next = await other.run({ ...invoice, reference: 'c' })
    expect(next.faults).toEqual([])
    const ended = await other.run({ ...invoice, reference: 'd', previous: 'a', kind: 0x4_1001 })
    expect(ended.faults).toEqual([])
    const outcomes = other.rows.filter((row) => row.kind === 'T')
    expect(outcomes.filter(({ content }) => !content.includes('"Correcto"'))).toEqual([])
    expect(await judge(await other.books())).toEqual({
      findings: [],
      summary: { records: 5, issued: 3, cancelled: 1, signaturesVerified: 5 },
    })
  })

  it('what the province does not have, or has cancelled, is not corrected there', async () => {
    const other = await filled('Araba')
    const unit = JSON.parse(other.scu.state)
    const told = async (change: (register: Register) => void): Promise<string> => {
      const copy = structuredClone(unit)
      change(copy.register)
      Object.assign(other.scu, { state: JSON.stringify(copy) })
      return (await other.run(repair({}))).faults[0]?.message ?? ''
    }
    const nothing = await told((register) => {
      register.there = {}
    })
    expect(nothing).toContain('008')
    const cancelled = await told((register) => {
      register.cancelled = register.there
    })
    expect(cancelled).toContain('009')
  })

  it.each([
    ['one that the book has', {}, 'M00'],
    ['one that was refused', { RechazoPrevio: 'X' }, 'A00'],
  ])('a book of Bizkaia has the file once more: %s, %j, %s', async (_what, how, operation) => {
    const other = await filled('Bizkaia')
    const [first] = other.outcomes.slice(-1)
    const { last } = other.state
    if (operation === 'A00') forget(other)
    const made = await other.run(repair(how, { customer: named }))
    expect(made.faults).toEqual([])
    const [, number] = made.identification.split('#')
    expect(number).toBe(first?.identification.split('#')[1])
    expect(requestOf(made)).toContain(`<Operacion>${operation}</Operacion>`)
    const [before, xml] = [first, made].map((one) => {
      const packed = /<TicketBai>([^<]*)/.exec(requestOf(one ?? { stateData: null }))?.[1] ?? ''
      return Buffer.from(packed, 'base64').toString('utf8')
    })
    const print = (text = '') => /<HuellaTBAI>.*?<\/HuellaTBAI>/.exec(text)?.[0]
    expect(xml).toContain('Cliente Nuevo, S.A.')
    expect(print(xml)).toBe(print(before))
    expect(print(xml)).toContain('<EncadenamientoFacturaAnterior>')
    const schema = readFileSync('docs/schemas/ticketbai.xsd', 'utf8')
    expect((await validateXML({ xml: xml ?? '', schema })).errors).toEqual([])
    // the book has this file from now on: its code is printed; the chain goes on from the first one
    const code = made.signatures[0]?.data ?? ''
    const signature = /<ds:SignatureValue[^>]*>([^<]*)/.exec(xml ?? '')?.[1]?.replace(/\s/g, '')
    expect(code).toContain(`-${signature?.slice(0, 13)}-`)
    expect(other.state.last).toEqual(last)
    later(other)
    expect((await other.run({ ...invoice, reference: 'c' })).faults).toEqual([])
    const end = { ...invoice, reference: 'd', previous: 'a', kind: 0x4_1001 }
    expect((await other.run(end)).faults).toEqual([])
    expect(await judge(await other.books())).toEqual({
      findings: [],
      summary: { records: 5, issued: 3, cancelled: 1, signaturesVerified: 5 },
    })
  })

  it('a book of Bizkaia corrects nothing that it does not have', async () => {
    const other = await filled('Bizkaia')
    forget(other)
    const refused = await other.run(repair({}, { customer: named }))
    expect(refused.faults[0]?.message).toContain('B4_2000004')
  })

  it('a file with the number of another one, in another place, is found', async () => {
    const other = await filled('Bizkaia')
    const books = (await other.books()).toString()
    const [one = '', two = ''] = books.slice(1, -1).split(/(?<="Version":"V0"}),/)
    const { findings } = await judge(Buffer.from(`[${one},${two},${one}]`))
    // the first file is in its place: it may have been sent once more
    expect(findings).toEqual([])
    const packed = /<TicketBai>([^<]*)/.exec(two)?.[1] ?? ''
    const xml = Buffer.from(packed, 'base64').toString('utf8')
    const moved = xml.replace(/<NumFactura>\d+</, '<NumFactura>1<')
    const wrong = two.replace(packed, Buffer.from(moved).toString('base64'))
    const found = await judge(Buffer.from(`[${one},${wrong}]`))
    expect(found.findings.map(({ code }) => code)).toContain('NUMBER_TWICE')
  })
})
