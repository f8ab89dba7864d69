// Messages of the web service with which series of documents are communicated (SeriesWSService of
// the Autoridade Tributária, SOAP 1.1): written, and their answers read.
import { constants, createCipheriv, type KeyObject, publicEncrypt } from 'node:crypto'
import { find, type XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { DeviceError } from '../device.js'
import { readXml } from '../remote.js'

export const SERVICE_NAMESPACE = 'http://at.gov.pt/'
/** The draft of WS-Security that the service asks for. */
export const SECURITY_NAMESPACE = 'http://schemas.xmlsoap.org/ws/2002/12/secext'
export const SOAP_NAMESPACE = 'http://schemas.xmlsoap.org/soap/envelope/'

/** Members of each operation in the order of the schema. */
export const OPERATIONS = {
  registarSerie: [
    ...['serie', 'tipoSerie', 'classeDoc', 'tipoDoc', 'numInicialSeq'],
    ...['dataInicioPrevUtiliz', 'numCertSWFatur', 'meioProcessamento'],
  ],
  finalizarSerie: [
    ...['serie', 'classeDoc', 'tipoDoc', 'codValidacaoSerie'],
    ...['seqUltimoDocEmitido', 'justificacao'],
  ],
  anularSerie: [
    ...['serie', 'classeDoc', 'tipoDoc', 'codValidacaoSerie'],
    ...['motivo', 'declaracaoNaoEmissao'],
  ],
  consultarSeries: [
    ...['serie', 'tipoSerie', 'classeDoc', 'tipoDoc', 'codValidacaoSerie', 'dataRegistoDe'],
    ...['dataRegistoAte', 'estado', 'meioProcessamento'],
  ],
} as const
export type Operation = keyof typeof OPERATIONS

export interface SeriesRequest {
  operation: Operation
  members: Readonly<Record<string, string>>
}

export interface SeriesAnswer {
  /** codResultOper: 2001 to 2004 are successes. */
  code: string
  message: string
  /** infoSerie, each as its members. */
  series: readonly Readonly<Record<string, string>>[]
}

/** What the producer of a program got from the authority. */
export interface Credentials {
  /** `<NIF>/<number of the sub-user>`. */
  username: string
  password: string
  authorityKey: KeyObject
}

interface Moment {
  /** A fresh AES key of 16 bytes. */
  secret: Buffer
  now: Date
}

export function envelopeOf(
  { operation, members }: SeriesRequest,
  { username, password, authorityKey }: Credentials,
  { secret, now }: Moment,
): string {
  const sealed = (text: string): string => {
    const cipher = createCipheriv('aes-128-ecb', secret, null)
    return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
  }
  const nonce = publicEncrypt({ key: authorityKey, padding: constants.RSA_PKCS1_PADDING }, secret)
  const token: XmlTree = {
    'wss:Username': username,
    'wss:Password': sealed(password),
    'wss:Nonce': nonce.toString('base64'),
    'wss:Created': sealed(now.toISOString()),
  }
  const body: XmlTree = {}
  for (const name of OPERATIONS[operation]) {
    const value = members[name]
    if (value !== undefined) body[name] = value
  }
  return element('S:Envelope', {
    '@xmlns:S': SOAP_NAMESPACE,
    '@xmlns:wss': SECURITY_NAMESPACE,
    '@xmlns:at': SERVICE_NAMESPACE,
    'S:Header': { 'wss:Security': { 'wss:UsernameToken': token } },
    'S:Body': { [`at:${operation}`]: body },
  })
}

/** Throws DeviceError for a fault and for what is no answer. */
export function answerOf(text: string, operation: Operation): SeriesAnswer {
  const root = readXml(text, 'the answer of the authority cannot be read')
  const fault = find(root, 'faultstring')
  if (fault !== undefined) throw new DeviceError(`the authority says: ${fault.text.trim()}`)
  const result = find(root, `${operation}Resp`)
  const outcome = result && find(result, 'infoResultOper')
  const code = outcome && find(outcome, 'codResultOper')?.text
  if (result === undefined || code === undefined) {
    throw new DeviceError('the answer of the authority says nothing')
  }
  const series = result.children.filter(({ name }) => name === 'infoSerie')
  return {
    code,
    message: (outcome && find(outcome, 'msgResultOper')?.text) ?? '',
    series: series.map(membersOf),
  }
}

/** Texts of the elements of an element, by their names. */
export function membersOf({ children }: XmlElement): Record<string, string> {
  return Object.fromEntries(children.map(({ name, text }) => [name, text]))
}
