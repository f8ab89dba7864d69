// The independent verifier of journals of Spain: written from the law, it shares no code with what
// signs.
import { createHash, verify, X509Certificate } from 'node:crypto'
import type { FileVerifier, ReadPart } from '../contract.js'

const HEAD = 'es-journal 1'

/** Code → what must hold. */
export const rules = {
  LINE_FORM: 'a line is a certificate or a compact JWS',
  SIGNATURE_INVALID: 'the signature belongs to the document and to the certificate before it',
  CHAIN_BROKEN: 'a document names the SHA-256 of the one before',
  NUMBER_GAP: 'documents are numbered one by one from 1',
} as const

export const journalFile: FileVerifier = {
  name: 'journal of Spain',
  recognises: ({ head }) => head.toString('utf8').startsWith(`${HEAD}\n`),
  contentCodes: new Set(),
  takes: new Set(),
  async verify(read, _options, sink) {
    let certificate: X509Certificate | undefined
    let number = 0
    let hash = ''
    const report = (code: keyof typeof rules, receipt: string, text: string) =>
      sink.add({ code, receipt, text })
    for await (const line of linesOf(read)) {
      if (line === HEAD) continue
      const der = /^certificate (.+)$/.exec(line)?.[1]
      if (der !== undefined) {
        certificate = certificateOf(der)
        continue
      }
      const [header = '', body = '', signature = ''] = line.split('.')
      const payload = payloadOf(body)
      if (payload === undefined) {
        report('LINE_FORM', '', `expected a document behind number ${number}`)
        continue
      }
      const place = String(payload.number)
      const data = Buffer.from(`${header}.${body}`)
      const bytes = Buffer.from(signature, 'base64url')
      const isSigned =
        certificate !== undefined &&
        verify('sha256', data, { key: certificate.publicKey, dsaEncoding: 'ieee-p1363' }, bytes)
      if (!isSigned) report('SIGNATURE_INVALID', place, 'expected a signature of the certificate')
      if (payload.number !== number + 1) report('NUMBER_GAP', place, `expected ${number + 1}`)
      if (payload.previous !== hash) report('CHAIN_BROKEN', place, 'expected the hash before it')
      number = payload.number
      hash = createHash('sha256').update(data).digest('base64')
    }
    return { documents: number }
  },
}

async function* linesOf(read: ReadPart): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of read()) {
    const lines = (rest + Buffer.from(piece).toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function certificateOf(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

interface Payload {
  number: number
  previous: string
}

function payloadOf(body: string): Payload | undefined {
  try {
    const { number, previous } = JSON.parse(Buffer.from(body, 'base64url').toString())
    return typeof number === 'number' && typeof previous === 'string' ? { number, previous } : undefined
  } catch {
    return undefined
  }
}
