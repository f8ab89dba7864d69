// The authority's web service for series of documents, emulated: it reads the message that a
// program would send, checks it as the manual says, and keeps a register of series.
import {
  constants,
  createDecipheriv,
  createHash,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import { z } from 'zod'
import {
  membersOf,
  OPERATIONS,
  type Operation,
  SECURITY_NAMESPACE,
  SERVICE_NAMESPACE,
  SOAP_NAMESPACE,
} from '../../device/pt/series.js'
import { find, parseXml, type XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'

const registered = z.object({
  ...{ nif: z.string(), serie: z.string(), tipoSerie: z.string(), classeDoc: z.string() },
  ...{ tipoDoc: z.string(), numInicialSeq: z.string(), dataInicioPrevUtiliz: z.string() },
  ...{ numCertSWFatur: z.string(), meioProcessamento: z.string(), codValidacaoSerie: z.string() },
  ...{ dataRegisto: z.string(), estado: z.enum(['A', 'N', 'F']), dataEstado: z.string() },
  seqUltimoDocEmitido: z.string().optional(),
})
type Registered = z.infer<typeof registered>

export const register = z.object({
  series: z.array(registered),
  /** Hashes of the newest nonces: a message counts once. */
  nonces: z.array(z.object({ hash: z.string(), at: z.int() })),
})
export type Register = z.infer<typeof register>

export const EMPTY_REGISTER: Register = { series: [], nonces: [] }

/** More than a register of an emulation ever gets; then it says 5000. */
const MOST_SERIES = 1000
const VALID_MS = 5 * 60 * 1000

/** Codes that belong to a class, as the specification of AT lists them. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  SI: ['FT', 'FS', 'FR', 'ND', 'NC'],
  MG: ['GR', 'GT', 'GA', 'GC', 'GD'],
  WD: ['CM', 'CC', 'FC', 'FO', 'NE', 'OU', 'OR', 'PF', 'RP', 'RE', 'CS', 'LD', 'RA'],
  PY: ['RC', 'RG'],
}

export interface Authority {
  register: Register
  /** Of the sub-user that may call. */
  username: string
  password: string
  key: KeyObject
  now: Date
}

/** The answer as text; `register` of the authority has moved where something was done. */
export function serve(authority: Authority, message: string): string {
  let root: XmlElement
  try {
    root = parseXml(message)
  } catch {
    return fault('the message is no XML')
  }
  if (root.name !== 'Envelope' || root.uri !== SOAP_NAMESPACE) return fault('no SOAP 1.1 envelope')
  const refused = securityFault(authority, root)
  if (refused !== undefined) return fault(refused)
  const body = find(root, 'Body')?.children[0]
  const name = body?.name ?? ''
  if (body === undefined || body.uri !== SERVICE_NAMESPACE || !isOperation(name)) {
    return fault(`no such operation: ${name}`)
  }
  if (!isInOrder(body, OPERATIONS[name])) return answer(name, ['4000', 'XML inválido.'])
  const nif = authority.username.split('/')[0] ?? ''
  return DO[name](authority, { ...membersOf(body), nif })
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name)
}

/** Children are not qualified, and come in the order of the schema. */
function isInOrder({ children }: XmlElement, names: readonly string[]): boolean {
  let at = -1
  return children.every(({ name, uri }) => {
    const next = names.indexOf(name)
    const fits = uri === '' && next > at
    at = next
    return fits
  })
}

// ------------------------------------------------------------------------------- who is calling

function securityFault(authority: Authority, root: XmlElement): string | undefined {
  const token = find(root, 'UsernameToken')
  if (token === undefined || token.uri !== SECURITY_NAMESPACE) return 'no UsernameToken'
  const { Username, Password = '', Nonce = '', Created = '' } = membersOf(token)
  let secret: Buffer
  let created: number
  let password: string
  try {
    secret = unwrapped(authority.key, Buffer.from(Nonce, 'base64'))
    created = Date.parse(opened(secret, Created))
    password = opened(secret, Password)
  } catch {
    return 'the token cannot be decrypted'
  }
  const now = authority.now.getTime()
  if (!(Math.abs(now - created) <= VALID_MS)) return 'Created is older than five minutes'
  if (Username !== authority.username || password !== authority.password) return 'not known'
  const hash = createHash('sha256').update(secret).digest('base64')
  const { nonces } = authority.register
  if (nonces.some((one) => one.hash === hash)) return 'the nonce was used before'
  const kept = nonces.filter(({ at }) => now - at <= VALID_MS)
  authority.register = { ...authority.register, nonces: [...kept, { hash, at: now }] }
  return undefined
}

/** PKCS #1 v1.5 by hand: Node does not decrypt it by itself. Throws where it is something else. */
function unwrapped(key: KeyObject, nonce: Buffer): Buffer {
  const bytes = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, nonce)
  const end = bytes.indexOf(0, 2)
  if (bytes[0] !== 0 || bytes[1] !== 2 || end < 0) throw new Error('no block of type 2')
  return bytes.subarray(end + 1)
}

function opened(secret: Buffer, base64: string): string {
  const decipher = createDecipheriv('aes-128-ecb', secret, null)
  const bytes = Buffer.from(base64, 'base64')
  return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8')
}

// ------------------------------------------------------------------------------- what is done

type Members = Readonly<Record<string, string>>

const DO: Readonly<Record<Operation, (authority: Authority, members: Members) => string>> = {
  registarSerie,
  finalizarSerie: (authority, members) => {
    const found = activeOf(authority, members)
    if (found === undefined) return answer('finalizarSerie', ['4005', 'A série não está ativa.'])
    const last = members.seqUltimoDocEmitido ?? ''
    if (!/^\d{1,25}$/.test(last) || BigInt(last) < BigInt(found.numInicialSeq)) {
      return answer('finalizarSerie', ['4047', 'Último número inferior ao inicial.'])
    }
    const done = move(authority, found, { estado: 'F', seqUltimoDocEmitido: last })
    return answer('finalizarSerie', ['2004', 'Série finalizada com sucesso.'], [done])
  },
  anularSerie: (authority, members) => {
    const found = activeOf(authority, members)
    if (members.motivo !== 'ER') return answer('anularSerie', ['4051', 'Motivo inválido.'])
    if (found === undefined || members.declaracaoNaoEmissao !== 'true') {
      return answer('anularSerie', ['4004', 'A série não pode ser anulada.'])
    }
    const done = move(authority, found, { estado: 'N' })
    return answer('anularSerie', ['2003', 'Série anulada com sucesso.'], [done])
  },
  consultarSeries: (
    { register: { series } },
    { dataRegistoDe: from, dataRegistoAte: to, ...by },
  ) => {
    if (from !== undefined && to !== undefined && from > to) {
      return answer('consultarSeries', ['4048', 'Intervalo de datas inválido.'])
    }
    const found = series.filter(
      (one) =>
        Object.entries(by).every(([name, value]) => same(Reflect.get(one, name), value)) &&
        one.dataRegisto >= (from ?? '') &&
        one.dataRegisto <= (to ?? '9999'),
    )
    return answer('consultarSeries', ['2002', 'Consulta efetuada com sucesso.'], found)
  },
}

const same = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase()

function registarSerie(authority: Authority, members: Members): string {
  const { register: state, now } = authority
  const wrong = registrationFault(authority, members)
  if (wrong !== undefined) return answer('registarSerie', wrong)
  const date = lisbonDay(now)
  const made = registered.parse({
    ...members,
    codValidacaoSerie: codeOf(members),
    ...{ dataRegisto: date, estado: 'A', dataEstado: now.toISOString().slice(0, 19) },
  })
  authority.register = { ...state, series: [...state.series, made] }
  const text =
    'Série registada com sucesso. A situação ficou ativa e foi atribuído o seguinte código ' +
    `de validação : ${made.codValidacaoSerie}`
  return answer('registarSerie', ['2001', text], [made])
}

const SERIES = /^(?=.{1,35}$)[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*$/
const NEEDED = OPERATIONS.registarSerie

function registrationFault(
  { register: { series }, now }: Authority,
  given: Members,
): [string, string] | undefined {
  const { serie = '', tipoSerie = '', classeDoc = '', tipoDoc = '' } = given
  if (NEEDED.some((name) => (given[name] ?? '') === ''))
    return ['4002', 'Campo obrigatório em falta.']
  const fits =
    SERIES.test(serie) &&
    /^[NFR]$/.test(tipoSerie) &&
    /^0*[1-9]\d{0,24}$/.test(given.numInicialSeq ?? '') &&
    /^\d{4}-\d\d-\d\d$/.test(given.dataInicioPrevUtiliz ?? '') &&
    /^\d{1,4}$/.test(given.numCertSWFatur ?? '') &&
    /^(PI|PF|OM)$/.test(given.meioProcessamento ?? '')
  if (!fits) return ['4003', 'Campo inválido.']
  if (!Object.hasOwn(TYPES, classeDoc)) return ['4045', 'Classe de documento desconhecida.']
  if (TYPES[classeDoc]?.includes(tipoDoc) !== true) return ['4046', 'O tipo não pertence à classe.']
  if (tipoSerie !== 'R' && (given.dataInicioPrevUtiliz ?? '') < lisbonDay(now)) {
    return ['4049', 'A data de início é anterior à data atual.']
  }
  const isThere = series.some(
    (one) => one.nif === given.nif && one.tipoDoc === tipoDoc && same(one.serie, serie),
  )
  if (isThere) return ['4001', 'Série já registada.']
  return series.length >= MOST_SERIES ? ['5000', 'Erro técnico.'] : undefined
}

function activeOf({ register: { series } }: Authority, given: Members): Registered | undefined {
  const names = ['nif', 'serie', 'classeDoc', 'tipoDoc', 'codValidacaoSerie'] as const
  return series.find(
    (one) => one.estado === 'A' && names.every((name) => same(one[name], given[name] ?? '')),
  )
}

function move(authority: Authority, found: Registered, change: Partial<Registered>): Registered {
  const dataEstado = authority.now.toISOString().slice(0, 19)
  const done = { ...found, ...change, dataEstado }
  const series = authority.register.series.map((one) => (one === found ? done : one))
  authority.register = { ...authority.register, series }
  return done
}

const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 10

/** The same for the same series: what the real ones mean is not published. */
export function codeOf({ nif, tipoDoc, serie }: Members): string {
  const hash = createHash('sha256').update(`${nif};${tipoDoc};${serie?.toLowerCase()}`).digest()
  return [...hash.subarray(0, CODE_LENGTH)]
    .map((byte) => LETTERS.charAt(byte % LETTERS.length))
    .join('')
}

function lisbonDay(now: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(now)
}

// --------------------------------------------------------------------------------- what is said

const INFO = [
  ...['serie', 'tipoSerie', 'classeDoc', 'tipoDoc', 'numInicialSeq', 'dataInicioPrevUtiliz'],
  ...['seqUltimoDocEmitido', 'meioProcessamento', 'numCertSWFatur', 'codValidacaoSerie'],
  ...['dataRegisto', 'estado', 'dataEstado', 'nif'],
]

function answer(
  operation: Operation,
  [code, message]: readonly [string, string],
  series: readonly Registered[] = [],
): string {
  const infoSerie = series.map((one) => {
    const info: Record<string, string> = {}
    for (const name of INFO) {
      const value: string | undefined = Reflect.get(one, name)
      if (value !== undefined) info[name === 'nif' ? 'nifComunicou' : name] = value
    }
    return info
  })
  const infoResultOper = { codResultOper: code, msgResultOper: message }
  return envelope({
    [`at:${operation}Response`]: { [`${operation}Resp`]: { infoSerie, infoResultOper } },
  })
}

function fault(text: string): string {
  return envelope({ 'S:Fault': { faultcode: 'S:Client', faultstring: text } })
}

function envelope(body: XmlTree): string {
  const names = { '@xmlns:S': SOAP_NAMESPACE, '@xmlns:at': SERVICE_NAMESPACE }
  return element('S:Envelope', { ...names, 'S:Body': body })
}
