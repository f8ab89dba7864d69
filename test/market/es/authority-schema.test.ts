// What the authority of VeriFactu is asked, and all that its emulation and that of a province
// answer, fits the schemas written from their own: requests with records that are taken, taken with
// errors, refused, sent twice and cancelled, and pages of what is known.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { paths } from '../../../src/device/es/policies.js'
import { query, submission } from '../../../src/device/es/verifactu.js'
import type { StoredRecord } from '../../../src/market/es/rows.js'
import { serve } from '../../../src/simulator/es/authority.js'
import { serveProvince } from '../../../src/simulator/es/province.js'
import { emptyRegister } from '../../../src/simulator/es/register.js'
import { filledQueue } from '../../verify/es/files.js'

const schemaOf = (name: string) => ({
  fileName: name,
  contents: readFileSync(`docs/schemas/${name}`, 'utf8'),
})
const bodyOf = (envelope: string): string =>
  /<(\w+):Body>([\s\S]*)<\/\1:Body>/.exec(envelope)?.[2] ?? ''

async function errorsOf(envelopes: readonly string[], schema: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: envelopes.map((one, at) => ({ fileName: `${at}.xml`, contents: bodyOf(one) })),
    schema: [schemaOf(schema)],
    preload: [schemaOf('verifactu.xsd')],
  })
  return errors.map(({ message }) => message)
}

const issuer = { nif: 'B12345674', name: 'Prueba' }
const now = new Date('2026-06-01T09:00:00Z')

it('questions and answers fit their schemas', async () => {
  const { rows } = await filledQueue()
  const xmls = rows
    .filter(({ kind }) => kind === 'R')
    .map(({ content }) => (JSON.parse(content) as StoredRecord).xml)
  const register = emptyRegister()
  const ask = (body: string) =>
    serve(register, { method: 'POST', body, now }, { waitSeconds: 60, most: 100 }).text
  const send = (records: readonly string[]) =>
    ask(submission(issuer, records, { isIncident: true }))
  const [first = '', ...rest] = xmls
  const answers = [
    send([first, ...rest]),
    send([first]),
    send([first.replace(/(<NumSerieFactura>[^<]+)/, '$1X').replace('>13.14<', '>43.14<')]),
    send([first.replace(/(<NumSerieFactura>[^<]+)/, '$1Y').replace('>F2<', '>F1<')]),
  ]
  const said = answers.join('')
  for (const word of [
    '>ParcialmenteCorrecto<',
    '>Incorrecto<',
    '>AceptadoConErrores<',
    '<tik:Esta',
  ]) {
    expect(said).toContain(word)
  }
  expect(await errorsOf(answers, 'verifactu-response.xsd')).toEqual([])
  const date = '01-06-2026'
  const after = { nif: issuer.nif, number: 'none', date }
  const questions = [
    query(issuer, { date }),
    query(issuer, { date, number: 'none' }),
    query(issuer, { date, after }),
  ]
  expect(await errorsOf(questions, 'verifactu-query.xsd')).toEqual([])
  const pages = questions.map(ask)
  for (const word of ['>ConDatos<', '>SinDatos<', '>Anulada<', '>AceptadaConErrores<']) {
    expect(pages.join('')).toContain(word)
  }
  expect(await errorsOf(pages, 'verifactu-found.xsd')).toEqual([])
})

it('answers of a province fit theirs: taken, taken again, broken, cancelled', async () => {
  const { rows } = await filledQueue({ kind: 'Araba' })
  const records: StoredRecord[] = rows
    .filter(({ kind }) => kind === 'R')
    .map(({ content }) => JSON.parse(content))
  const register = emptyRegister()
  const { issue, cancel } = paths.Araba
  const send = (path: string, body: string) => {
    const call = { path, type: 'application/xml', body }
    return serveProvince(register, { province: 'Araba', call, now, most: 100 }).text
  }
  const sent = records.map(({ operation, xml }) => send(operation === 'Alta' ? issue : cancel, xml))
  const [first] = records
  const answers = [...sent, send(issue, first?.xml ?? ''), send(issue, '<x/>')]
  const states = answers.map((text) => /<Estado>(\d\d)</.exec(text)?.[1])
  expect(states).toEqual([...records.map(() => '00'), '01', '01'])
  expect(answers.join('')).toMatch(/<Codigo>005<.*<Codigo>001</s)
  const { errors } = await validateXML({
    xml: answers.map((contents, at) => ({ fileName: `${at}.xml`, contents })),
    schema: [schemaOf('ticketbai-response.xsd')],
  })
  expect(errors.map(({ message }) => message)).toEqual([])
})

it('a member in another place is told', async () => {
  const [question] = [query(issuer, { date: '01-06-2026' })]
  const wrong = question.replace(/(<sum1:Ejercicio>.*?)(<sum1:Periodo>.*?<\/sum1:Periodo>)/, '$2$1')
  expect(wrong).not.toBe(question)
  expect(await errorsOf([wrong], 'verifactu-query.xsd')).not.toEqual([])
})
