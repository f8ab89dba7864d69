// Multipart bodies that no browser would send, cut at every byte: each gets an answer, the server
// goes on, and the next proper upload works.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainTemplate } from '../../../src/core/accounts/invitation/csv/template.js'
import { formOf, person } from '../../support/invitations.js'
import {
  asDealer,
  openUploads,
  sendUpload,
  type Upload,
  type UploadServer,
} from '../../support/upload-server.js'

let uploads: UploadServer
beforeAll(async () => {
  uploads = await openUploads()
}, 60_000)
afterAll(() => uploads.close())

const MINUTES = 180_000
const AT_ONCE = 24
const PDF = '%PDF-1.4\n%%EOF\n'

const HEADER = plainTemplate().split(/\r?\n/)[0] ?? ''
function csvOf(): string {
  const { company, contact } = person()
  const { name, email, addressLine1, postalCode, city, country } = company
  const at = `${name};${email};${addressLine1};;${postalCode};${city};${country};;;;;;;`
  return `${HEADER}\r\n${at};${contact.firstName};${contact.lastName};${contact.email};;;;\r\n`
}

/** Every address that takes a file, or might be thought to. */
const PLACES = {
  'the PDF of invitations': {
    line: 'POST /api/pos-operators-invitation/pdf',
    file: () => ({ name: 'a.pdf', content: PDF }),
    status: 204,
  },
  'the import of invitations': {
    line: 'POST /api/pos-operators-invitation/import/csv',
    file: () => ({ name: 'a.csv', content: csvOf() }),
    status: 200,
  },
} as const

type Place = (typeof PLACES)[keyof typeof PLACES]

const uploadTo = (place: Place, { body, headers }: ReturnType<typeof formOf>): Upload => ({
  line: place.line,
  headers: asDealer(uploads.dealers[0], headers),
  body,
})

function proper(place: Place): Upload {
  const { name, content } = place.file()
  return uploadTo(place, formOf(name, content))
}

const type = (boundary: string) => ({ 'content-type': `multipart/form-data; boundary=${boundary}` })
const part = (about: string, content: string) => `--x\r\n${about}\r\n\r\n${content}\r\n`
const fileAs = (field: string, name: string) =>
  `content-disposition: form-data; name="${field}"; filename="${name}"`

/** Whole bodies that are wrong in one way each; `name` and `content` are those of a proper file. */
function mutations(name: string, content: string): Record<string, ReturnType<typeof formOf>> {
  const good = part(fileAs('file', name), content)
  const end = '--x--\r\n'
  const made: Record<string, [body: string, headers?: Record<string, string>]> = {
    'another field': [part(fileAs('document', name), content) + end],
    'another field, without an end': [part(fileAs('document', name), content)],
    'another ending': [part(fileAs('file', 'a.exe'), content) + end],
    'another ending, without an end': [part(fileAs('file', 'a.exe'), content)],
    'no name of a file': [part('content-disposition: form-data; name="file"', content) + end],
    'no disposition': [part('content-type: text/plain', content) + end],
    'no field': [part(`content-disposition: form-data; filename="${name}"`, content) + end],
    'the part doubled': [good + good + end],
    'the part doubled, without an end': [good + good],
    'forty parts': [part(fileAs('other', name), content).repeat(40) + good + end],
    'forty fields': [part('content-disposition: form-data; name="f"', '1').repeat(40) + good + end],
    'a name of the language': [part(fileAs('__proto__', name), content) + good + end],
    'another name of the language': [part(fileAs('toString', name), content) + good + end],
    'a field that calls itself JSON': [
      part('content-disposition: form-data; name="j"\r\ncontent-type: application/json', '{') +
        good +
        end,
    ],
    'huge headers': [part(`${fileAs('file', name)}\r\nx-more: ${'x'.repeat(90_000)}`, content)],
    'many headers': [
      part(`${fileAs('file', name)}${'\r\nx: y'.repeat(5_000)}`, content.slice(0, 5)) + end,
    ],
    'another boundary': [good + end, type('y')],
    'an empty boundary': [good + end, type('')],
    'a boundary too long': [good + end, type('x'.repeat(5_000))],
    'no boundary': [good + end, { 'content-type': 'multipart/form-data' }],
    capitals: [good + end, { 'content-type': 'Multipart/Form-Data; Boundary=x' }],
    'another kind of form': [good + end, { 'content-type': 'multipart/mixed; boundary=x' }],
    'no form': ['no form at all'],
    nothing: [''],
    'the end alone': [end],
    'the end first': [end + good + end],
    'something in front': [`so be it\r\n${good}${end}`],
    'something behind': [`${good}${end}and more`],
    'only line feeds': [(good + end).replaceAll('\r\n', '\n')],
    zeros: [`${good.slice(0, 20)}${'\0'.repeat(50)}${good.slice(20)}${end}`],
  }
  return Object.fromEntries(
    Object.entries(made).map(([what, [body, headers = type('x')]]) => [
      what,
      { body: Buffer.from(body), headers: headers as ReturnType<typeof formOf>['headers'] },
    ]),
  )
}

async function allAtOnce(works: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...works]
  const one = async () => {
    for (let work = left.pop(); work !== undefined; work = left.pop()) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

async function expectLife(place: Place): Promise<void> {
  expect(uploads.server.isAlive, uploads.server.output).toBe(true)
  expect(await sendUpload(uploads.url, proper(place)), uploads.server.output).toBe(place.status)
}

describe.each(Object.entries(PLACES))('%s', (_name, place) => {
  it(
    'answers a form that is wrong in any way, and goes on',
    async () => {
      const { name, content } = place.file()
      for (const [what, form] of Object.entries(mutations(name, content))) {
        const status = await sendUpload(uploads.url, uploadTo(place, form))
        expect([place.status, 400, 413], `${what}: ${status}`).toContain(status)
        expect(uploads.server.isAlive, `${what}\n${uploads.server.output}`).toBe(true)
      }
      await expectLife(place)
    },
    MINUTES,
  )

  it.each(['whole', 'broken', 'closed'] as const)(
    'survives a form that is cut at any byte and %s',
    async (how) => {
      const { name, content } = place.file()
      const wrong = mutations(name, content)
      const forms = [
        formOf(name, content),
        wrong['another field, without an end'] ?? formOf(name, content),
        wrong['another ending, without an end'] ?? formOf(name, content),
        wrong['the part doubled'] ?? formOf(name, content),
      ]
      const works = forms.flatMap((form) =>
        Array.from({ length: form.body.length }, (_, cut) => async () => {
          const status = await sendUpload(uploads.url, uploadTo(place, form), { cut, how })
          const right = how === 'whole' ? [place.status, 400] : [0, place.status, 400]
          expect(right, `cut at ${cut}: ${status}\n${uploads.server.output}`).toContain(status)
        }),
      )
      await allAtOnce(works)
      await expectLife(place)
    },
    MINUTES,
  )
})

it(
  'places that take no form refuse one, cut at any byte, and go on',
  async () => {
    const lines = [
      'POST /v2/issue',
      'POST /v2/sign',
      'POST /v2/pay',
      'POST /json/v1/sign',
      'POST /xml/v1/sign',
      'POST /v1/IPOS',
      'POST /api/posoperators',
      'POST /api/pos-operators-invitation',
      'POST /api/posoperators/x/templates',
      'POST /00000000-0000-0000-0000-000000000000/00000000-0000-0000-0000-000000000000/upload',
    ]
    const form = formOf('a.pdf', PDF)
    const headers = asDealer(uploads.dealers[0], form.headers)
    const works = lines.flatMap((line) =>
      Array.from({ length: Math.ceil(form.body.length / 7) }, (_, at) => async () => {
        const cut = at * 7
        const how = at % 2 === 0 ? 'whole' : 'broken'
        const status = await sendUpload(
          uploads.url,
          { line, headers, body: form.body },
          { cut, how },
        )
        expect(status < 500 || status === 503, `${line}: ${status}`).toBe(true)
      }),
    )
    await allAtOnce(works)
    await expectLife(PLACES['the PDF of invitations'])
  },
  MINUTES,
)
