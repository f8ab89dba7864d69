// Every record and file that a queue makes fits its schema, the log of events has its elements in
// order, and each rule that the emulated authority checks is told by its code.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { soapCall, submission, submittedIn } from '../../../src/device/es/verifactu.js'
import type { StoredRecord } from '../../../src/market/es/rows.js'
import { requestOf } from '../../../src/market/es/transmit.js'
import { serve } from '../../../src/simulator/es/authority.js'
import { emptyRegister } from '../../../src/simulator/es/register.js'
import {
  codesOf,
  coffee,
  customer,
  filledQueue,
  judge,
  later,
  startedQueue,
} from '../../verify/es/files.js'
import type { TestQueue } from './queue.js'

const schemaOf = (name: string) => ({
  fileName: name,
  contents: readFileSync(`docs/schemas/${name}`, 'utf8'),
})
const recordsOf = (queue: TestQueue): StoredRecord[] =>
  queue.rows.filter(({ kind }) => kind === 'R').map(({ content }) => JSON.parse(content))

async function errorsOf(files: string[], schema: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: files.map((contents, at) => ({ fileName: `${at}.xml`, contents })),
    schema: [schemaOf(schema)],
    preload: [schemaOf('verifactu.xsd')],
  })
  return errors.map(({ message }) => message)
}

const bodyOf = (envelope: string): string =>
  /<soapenv:Body>([\s\S]*)<\/soapenv:Body>/.exec(envelope)?.[1] ?? ''

describe('what a queue makes', () => {
  it('fits the schema of requests, signed records too', async () => {
    const queue = await filledQueue()
    const requests = recordsOf(queue).map((record) => bodyOf(requestOf(record, true)))
    expect(requests).toHaveLength(7)
    expect(await errorsOf(requests, 'verifactu-request.xsd')).toEqual([])
    const wrong = requests[0]?.replaceAll('IDVersion>', 'X>') ?? ''
    expect(await errorsOf([wrong], 'verifactu-request.xsd')).not.toEqual([])
    const signed = await filledQueue({ settings: { verifiable: false } })
    const xmls = recordsOf(signed).map(({ xml }) => xml)
    expect(await errorsOf(xmls, 'verifactu.xsd')).toEqual([])
    expect((await judge(await signed.books())).summary).toMatchObject({ signaturesVerified: 7 })
  })

  it('events are chained, signed, and summed up after six hours', async () => {
    const queue = await filledQueue({ settings: { verifiable: false } })
    later(queue, 7 * 60)
    await queue.run({ reference: 'z', kind: 1, charges: [coffee], pays: [[12.1]] })
    await queue.run({ reference: 'stop', kind: 0x4002 })
    const text = (await queue.books(undefined, 3n)).toString()
    const events: { Request: string }[] = JSON.parse(text)
    expect(events.map(({ Request }) => /<ev:TipoEvento>(\d\d)/.exec(Request)?.[1])).toEqual([
      ...['01', '10', '02'],
    ])
    const requests = events.map(({ Request }) => Request)
    expect(await errorsOf(requests, 'verifactu-events.xsd')).toEqual([])
    const [first, second] = requests
    const own = /<ev:HuellaEvento>([0-9A-F]{64})<\/ev:HuellaEvento><ds:Signature/
    const huella = own.exec(first ?? '')?.[1]
    expect(second).toContain(`<ev:HuellaEvento>${huella}</ev:HuellaEvento></ev:EventoAnterior>`)
    expect(second).toContain('<ev:NumeroDeRegistrosFacturacionAltaGenerados>6<')
  })

  it('exports of records and of events are events themselves', async () => {
    const queue = await filledQueue({ settings: { verifiable: false } })
    const all = { from: '0', to: '0' }
    later(queue)
    await queue.work('exported', { type: '0x4553200000000001', ...all })
    later(queue)
    await queue.work('exported', { type: '0x4553200000000003', ...all })
    // other journals are no export of them
    await queue.work('exported', { type: '0x4154000000000001', ...all })
    const text = (await queue.books(undefined, 3n)).toString()
    const requests = (JSON.parse(text) as { Request: string }[]).map(({ Request }) => Request)
    expect(requests.map((one) => /<ev:TipoEvento>(\d\d)/.exec(one)?.[1])).toEqual([
      '01',
      '08',
      '09',
    ])
    expect(await errorsOf(requests, 'verifactu-events.xsd')).toEqual([])
    const [first] = recordsOf(queue)
    expect(requests[1]).toContain(`<ev:Huella>${first?.mark}</ev:Huella>`)
    expect(requests[1]).toMatch(/AltaExportados>6<.*AnulacionExportados>1</)
    expect(requests[2]).toContain('<ev:NumeroDeRegEventoExportados>2<')
    // nothing is told where records are sent at once
    const sent = await filledQueue()
    await sent.work('exported', { type: '0x4553200000000001', ...all })
    expect(sent.state.events.count).toBe(0)
  })

  it.each(['Araba', 'Bizkaia', 'Gipuzkoa'])('files of %s fit, and verify', async (kind) => {
    const queue = await filledQueue({ kind })
    const records = recordsOf(queue)
    const issued = records.filter(({ operation }) => operation === 'Alta').map(({ xml }) => xml)
    const cancelled = records.filter(({ operation }) => operation !== 'Alta').map(({ xml }) => xml)
    expect([issued.length, cancelled.length]).toEqual([6, 1])
    expect(await errorsOf(issued, 'ticketbai.xsd')).toEqual([])
    expect(await errorsOf(cancelled, 'ticketbai-cancel.xsd')).toEqual([])
    const outcomes = queue.rows.filter((row) => row.kind === 'T')
    expect(outcomes.every(({ content }) => content.includes('"state":"Correcto"'))).toBe(true)
    expect(await judge(await queue.books())).toEqual({
      findings: [],
      summary: { records: 7, issued: 6, cancelled: 1, signaturesVerified: 7 },
    })
  })

  it('books of Bizkaia fit, of companies and of persons', async () => {
    for (const nif of ['B12345674', '12345678Z']) {
      const queue = await filledQueue({ kind: 'Bizkaia', unit: { nif } })
      const books = recordsOf(queue).map((record) => requestOf(record, false))
      const ends = books.map((book) => /xmlns:lroe="[^"]*_(\w+)Peticion_V[\d_]+\.xsd"/.exec(book))
      expect(ends.map((found) => found?.[1])).toEqual([
        ...['Alta', 'Alta', 'Alta', 'Alta', 'Alta', 'Anulacion', 'Alta'],
      ])
      // ours has no namespaces: their roots have one each
      const plain = books.map((book) =>
        book.replace(/ xmlns:lroe="[^"]*"/, '').replaceAll('lroe:', ''),
      )
      expect(await errorsOf(plain, 'ticketbai-book.xsd')).toEqual([])
    }
  })

  it('a recipient of another country has its supplies apart, and an IDOtro', async () => {
    const foreign = { ...customer, CustomerVATId: 'DE123456789', CustomerCountry: 'DE' }
    const queue = await startedQueue({ kind: 'Gipuzkoa' })
    const course = { text: 'Curso', amount: 12.1, kind: 0x23 }
    const charges = [{ text: 'Libro', amount: 50, kind: 0x1118 }, course]
    const made = await queue.run({
      ...{ reference: 'a', kind: 0x1002, customer: foreign, charges, pays: [[62.1]] },
    })
    expect(made.faults).toEqual([])
    const [{ xml } = { xml: '' }] = recordsOf(queue)
    expect(xml).toContain('<PrestacionServicios>')
    expect(xml).toContain('<IDType>02</IDType><ID>DE123456789</ID>')
    expect(await errorsOf([xml], 'ticketbai.xsd')).toEqual([])
  })
})

const now = new Date('2026-06-01T09:00:00Z')

/** The first record of a queue, changed, as the emulated authority takes it. */
async function told(change: (xml: string) => string, how: (body: string) => string = (one) => one) {
  const [record] = recordsOf(await filledQueue())
  const issuer = { nif: 'B12345674', name: 'Prueba' }
  const body = how(submission(issuer, [change(record?.xml ?? '')], { isIncident: false }))
  const register = emptyRegister()
  const answer = serve(register, { method: 'POST', body, now }, { waitSeconds: 0, most: 10 })
  return { ...answer, headers: {} }
}

const swap = (from: string | RegExp, to: string) => (xml: string) => {
  const changed = xml.replace(from, to)
  if (changed === xml) throw new Error(`nothing to change: ${from}`)
  return changed
}

const BASE = 'BaseImponibleOimporteNoSujeto'
const MARK = 'CalificacionOperacion'
const EXEMPT = 'OperacionExenta'
const CSV = /^A-[A-Z0-9]{14}$/
const ISSUER = /(<sum1:NIF>B1234567)4(<\/sum1:NIF><\/sum1:ObligadoEmision>)/

describe('the emulated authority', () => {
  it.each([
    ['1108', swap('<IDEmisorFactura>B12345674', '<IDEmisorFactura>A28083806')],
    ['1112', swap('>01-06-2026<', '>09-06-2026<')],
    ['1152', swap('>01-06-2026<', '>01-06-2023<')],
    ['1115', swap('>F2<', '>R5<')],
    ['1189', swap('>F2<', '>F1<')],
    ['1124', swap('<TipoImpositivo>21<', '<TipoImpositivo>20<')],
    ['1237', swap('>S1<', '>N1<')],
    ['1199', swap(`<${MARK}>S1</${MARK}>`, `<${EXEMPT}>E2</${EXEMPT}>`)],
    ['1130', swap('Café', 'a = b')],
    ['1291', swap(/<Huella>[0-9A-F]{64}/, '<Huella>abc')],
    ['1177', swap(/(EMULATION<\/NombreRazon><NIF>B1234567)4/, '$10')],
  ])('refuses the record with %s', async (code, change) => {
    const { state, lines } = submittedIn(await told(change))
    expect([state, lines[0]?.code]).toEqual(['Incorrecto', code])
  })

  it('takes no regime that its list does not have', async () => {
    const answer = await told(swap('<ClaveRegimen>01<', '<ClaveRegimen>12<'))
    expect(answer.text).toContain('Codigo[4102]')
  })

  it.each([
    ['2000', swap('>2.14<', '>2.15<')],
    ['2004', swap(/T\d\d:\d\d:\d\d\+02/, 'T23:00:00+02')],
    ['2005', swap('>13.14<', '>43.14<')],
  ])('accepts and tells %s', async (code, change) => {
    const { state, lines, csv } = submittedIn(await told(change))
    expect([state, lines[0]?.state]).toEqual(['ParcialmenteCorrecto', 'AceptadoConErrores'])
    expect([code, '2000']).toContain(lines[0]?.code)
    expect(csv).toMatch(CSV)
  })

  it.each([
    ['4102', (body: string) => body.replace('<IDVersion>1.0', '<IDVersion>2.0')],
    ['4103', (body: string) => body.slice(0, -20)],
    ['4116', (body: string) => body.replace(ISSUER, '$10$2')],
    ['4118', (body: string) => body.replaceAll('sum:RegFactuSistemaFacturacion', 'sum:Otra')],
  ])('refuses the whole request with %s', async (code, how) => {
    const reply = await told((xml) => xml, how)
    expect(() => submittedIn(reply)).toThrow(`Codigo[${code}]`)
  })

  it('knows a record again, and cancels once', async () => {
    const queue = await filledQueue()
    const register = emptyRegister()
    const askedOf = (record: StoredRecord) => {
      const { body } = soapCall(requestOf(record, false))
      return { method: 'POST', body: String(body), now }
    }
    const send = (record: StoredRecord) =>
      submittedIn({
        ...serve(register, askedOf(record), { waitSeconds: 60, most: 10 }),
        headers: {},
      })
    const records = recordsOf(queue)
    const states = [...records, ...records].map((record) => send(record).lines[0])
    expect(states.map((line) => line?.code)).toEqual([
      ...['', '', '', '', '', '', ''],
      ...['3000', '3000', '3000', '3000', '3000', '3001', '3000'],
    ])
    expect(send(records[0] as StoredRecord)).toMatchObject({ waitSeconds: 60, state: 'Incorrecto' })
    expect(states[7]?.duplicate).toBe('Correcta')
  })
})

describe('the verifier', () => {
  it.each([
    [swap('<CuotaTotal>2.14', '<CuotaTotal>2.10'), ['HUELLA_WRONG', 'TAX_WRONG']],
    [swap(`<${BASE}>1.00`, `<${BASE}>1.10`), ['TOTAL_WRONG']],
    [swap(/(<RegistroAnterior>.*?<NumSerieFactura>\w+-)1/, '$19'), ['CHAIN_LINK']],
    [swap('</RegistroAlta>', ''), ['XML_FORM', 'CHAIN_BEGIN', 'REFERENCE_UNKNOWN']],
  ])('finds what was changed, %#', async (change, codes) => {
    const journal = change((await (await filledQueue()).books()).toString())
    expect(codesOf(await judge(Buffer.from(journal)))).toEqual(codes)
  })

  it('finds a changed file of TicketBAI by its signature', async () => {
    const queue = await filledQueue({ kind: 'Araba' })
    const journal = swap('Caf\u00e9', 'Cafe')((await queue.books()).toString())
    expect(codesOf(await judge(Buffer.from(journal)))).toEqual(['SIGNATURE_INVALID'])
  })
})
