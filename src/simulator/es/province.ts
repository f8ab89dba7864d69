// The services of the three Basque provinces, emulated: files of TicketBAI are checked by schema,
// signature and rules, and kept; in Bizkaia they come inside the book LROE.
import { createHash, X509Certificate } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { type FileKind, paths, policies } from '../../device/es/policies.js'
import { CANCEL, CORRECT, ISSUE } from '../../device/es/ticketbai.js'
import type { EsCall, Province } from '../../device/es/unit.js'
import { textOf } from '../../device/es/verifactu.js'
import { newSignature } from '../../device/es/xml-signature.js'
import { find, parseXml, type XmlElement } from '../../lib/xml-read.js'
import { element } from '../../lib/xml-write.js'
import { shapeFault } from '../shape.js'
import { type Id, isThere, keyOf, put, type Register, recentOf, remember } from './register.js'
import { child, own, sortable } from './rules.js'
import { isTaxNumber } from './tax-number.js'
import { tbaiShapes } from './tbai-schema.js'

export interface Sent {
  province: Province
  call: EsCall
  now: Date
  /** How many files are remembered with all that is known of them. */
  most: number
}

export interface Answer {
  status: number
  text: string
  headers: Record<string, string>
}

/** Decision: numbers of this emulation; the full lists of the provinces are not public here. */
const CODES = {
  shape: ['001', 'El fichero no cumple el esquema.'],
  signature: ['002', 'La firma no es válida.'],
  policy: ['003', 'La política de firma no es la de la Hacienda Foral.'],
  software: ['004', 'Falta la licencia o la entidad desarrolladora.'],
  known: ['005', 'El fichero ya ha sido recibido.'],
  issuer: ['006', 'NIF del emisor no identificado.'],
  future: ['007', 'La fecha de expedición es posterior a la actual.'],
  missing: ['008', 'No existe la factura que se anula.'],
  cancelled: ['009', 'La factura ya está anulada.'],
  chain: ['010', 'Posible rotura del encadenamiento.'],
} as const
type Remark = keyof typeof CODES

interface Verdict {
  isTaken: boolean
  remarks: readonly Remark[]
  id: Id
}

export function serveProvince(register: Register, sent: Sent): Answer {
  if (sent.province === 'Bizkaia') return serveBook(register, sent)
  const { path } = sent.call
  const what =
    paths[sent.province].correct === path ? 'correct' : isCancel(path) ? 'cancel' : 'issue'
  const verdict = takeFile(register, bytesOf(sent.call), { ...sent, what })
  const { isTaken, remarks, id } = verdict
  const output = {
    ...(isTaken && what === 'issue'
      ? { IdentificadorTBAI: `TBAI-${id.nif}-`.padEnd(39, '0') }
      : {}),
    FechaRecepcion: spoken(sent.now),
    Estado: isTaken ? '00' : '01',
    Descripcion: isTaken ? 'Recibido' : 'Rechazado',
    Azalpena: isTaken ? 'Jasota' : 'Baztertuta',
    ResultadosValidacion: remarks.map((remark) => {
      const [Codigo, Descripcion] = CODES[remark]
      return { Codigo, Descripcion, Azalpena: Descripcion }
    }),
    ...(isTaken ? { CSV: `TBAI${register.requests}` } : {}),
  }
  // by its public schema the answer has the namespace of the files
  const text = element('T:TicketBaiResponse', { '@xmlns:T': ISSUE, Salida: output })
  return { status: 200, text: `<?xml version="1.0" encoding="UTF-8"?>${text}`, headers: {} }
}

const isCancel = (path: string): boolean => /baja$|anulaciones\/$/.test(path)
const bytesOf = ({ body }: EsCall): Buffer => (typeof body === 'string' ? Buffer.from(body) : body)

/** `15-06-2026 10:30:15` */
function spoken(now: Date): string {
  const [day = '', time = ''] = now.toISOString().slice(0, 19).split('T')
  return `${day.split('-').toReversed().join('-')} ${time}`
}

// ------------------------------------------------------------------------------------- one file

interface Taking extends Sent {
  what: FileKind
}

const NAMESPACES: Readonly<Record<FileKind, string>> = {
  ...{ issue: ISSUE, cancel: CANCEL, correct: CORRECT },
}

const NOBODY: Id = { nif: '', number: '', date: '' }
const refusal = (remark: Remark, id = NOBODY): Verdict => ({
  isTaken: false,
  remarks: [remark],
  id,
})

function takeFile(register: Register, bytes: Buffer, taking: Taking): Verdict {
  register.requests += 1
  const text = bytes.toString('utf8')
  let root: XmlElement
  try {
    root = parseXml(text)
  } catch {
    return refusal('shape')
  }
  // books have the file itself, whatever is said of it
  const what = taking.province === 'Bizkaia' && taking.what === 'correct' ? 'issue' : taking.what
  const uriOf = (_type: string, name: string) => (name === 'Signature' ? undefined : '')
  const isShaped =
    root.uri === NAMESPACES[what] &&
    shapeFault(root, what, { shapes: tbaiShapes, uriOf }) === undefined
  if (!isShaped) return refusal('shape')
  const id = idOf(root)
  if (!isSigned(text, root)) return refusal('signature', id)
  const policy = policies[taking.province]
  const told = find(root, 'SigPolicyId')
  const hash = find(root, 'SigPolicyHash')
  const isPolicy =
    told !== undefined &&
    hash !== undefined &&
    textOf(told, 'Identifier') === policy.id &&
    policy.digests.includes(textOf(hash, 'DigestValue'))
  if (!isPolicy) return refusal('policy', id)
  const software = find(root, 'Software')
  if (software === undefined || !isTaxNumber(textOf(software, 'NIF')))
    return refusal('software', id)
  if (!isTaxNumber(id.nif)) return refusal('issuer', id)
  if (sortable(id.date) > dayIn(taking.now)) return refusal('future', id)
  if (taking.what === 'issue') return issue(register, root, { ...taking, id, text })
  return what === 'cancel' ? cancel(register, id) : correct(register, id)
}

const dayIn = (now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(now)

function idOf(root: XmlElement): Id {
  const head = find(root, 'CabeceraFactura') ?? root
  const series = own(head, 'SerieFactura')
  return {
    nif: textOf(find(root, 'Emisor') ?? root, 'NIF'),
    number: `${series}-${own(head, 'NumFactura')}`,
    date: own(head, 'FechaExpedicionFactura'),
  }
}

function cancel(register: Register, id: Id): Verdict {
  if (!isThere(register.there, id)) return refusal('missing', id)
  if (isThere(register.cancelled, id)) return refusal('cancelled', id)
  put(register.cancelled, id)
  return { isTaken: true, remarks: [], id }
}

/** Of one that is there; the same file once more changes nothing. */
function correct(register: Register, id: Id): Verdict {
  if (!isThere(register.there, id)) return refusal('missing', id)
  if (isThere(register.cancelled, id)) return refusal('cancelled', id)
  return { isTaken: true, remarks: [], id }
}

interface Issuing extends Taking {
  id: Id
  text: string
}

function issue(register: Register, root: XmlElement, { id, text, most }: Issuing): Verdict {
  const print = createHash('sha256').update(text).digest('hex')
  // another file under a number that is used is wrong; the same one once more is known
  const before = recentOf(register, id)
  if (isThere(register.there, id)) {
    return refusal(before === undefined || before.huella === print ? 'known' : 'shape', id)
  }
  const mark = textOf(root, 'SignatureValue').replace(/\s/g, '').slice(0, 100)
  const device = `${id.nif}|${textOf(root, 'NumSerieDispositivo')}`
  const link = textOf(root, 'SignatureValueFirmaFacturaAnterior')
  const isBroken = (register.chains[device] ?? '') !== link
  register.chains[device] = mark
  put(register.there, id)
  const known = {
    key: keyOf(id),
    ...id,
    huella: print,
    state: 'Correcta',
    code: '',
    csv: '',
  } as const
  remember(register, known, most)
  return { isTaken: true, remarks: isBroken ? ['chain'] : [], id }
}

/** By the certificate in it; all three references are looked at. */
function isSigned(text: string, root: XmlElement): boolean {
  try {
    const der = Buffer.from(textOf(root, 'X509Certificate'), 'base64')
    const node = /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(text)?.[0] ?? ''
    const signed = newSignature({ publicCert: new X509Certificate(der).toString() })
    signed.loadSignature(node)
    const references = signed.getReferences().map(({ uri }) => uri ?? '')
    const isWhole = references.length === 3 && references.includes('')
    return isWhole && signed.checkSignature(text)
  } catch {
    return false
  }
}

// ------------------------------------------------------------------------------------- Bizkaia

const BOOK_CODES: Readonly<Record<Remark, string>> = {
  ...{ shape: 'B4_2000001', signature: 'B4_2000005', policy: 'B4_2000070' },
  ...{ software: 'B4_2000063', known: 'B4_2000003', issuer: 'B4_2000010' },
  ...{ future: 'B4_2000012', missing: 'B4_2000004', cancelled: 'B4_2000006', chain: 'B4_2000080' },
}

const OPERATIONS: Readonly<Record<string, FileKind>> = {
  ...{ A00: 'issue', AN0: 'cancel', M00: 'correct' },
}

function serveBook(register: Register, { province, call, now, most }: Sent): Answer {
  const whole = (code: string, message: string): Answer => ({
    status: 200,
    text: '',
    headers: {
      'eus-bizkaia-n3-tipo-respuesta': 'Incorrecto',
      'eus-bizkaia-n3-codigo-respuesta': code,
      'eus-bizkaia-n3-mensaje-respuesta': message,
    },
  })
  let text: string
  let root: XmlElement
  try {
    text = gunzipSync(bytesOf(call)).toString('utf8')
    root = parseXml(text)
  } catch {
    return whole('B4_1000003', 'No se puede descomprimir o leer el fichero')
  }
  const data = headerData(call.headers?.['eus-bizkaia-n3-data'])
  const head = child(root, 'Cabecera')
  if (data === undefined || head === undefined) return whole('B4_1000026', 'Cabecera no valida')
  const party = child(head, 'ObligadoTributario') ?? head
  const [nif, model, year] = [own(party, 'NIF'), own(head, 'Modelo'), own(head, 'Ejercicio')]
  if (data.nif !== nif) return whole('B4_1000022', 'NIF de la cabecera distinto')
  if (data.name !== own(party, 'ApellidosNombreRazonSocial')) {
    return whole('B4_1000030', 'Nombre de la cabecera distinto')
  }
  if (data.model !== model || (model === '240') === /^[\dKLMXYZ]/.test(nif)) {
    return whole('B4_1000006', 'Modelo incorrecto')
  }
  const what = OPERATIONS[own(head, 'Operacion')]
  if (what === undefined) return whole('B4_1000026', 'Operacion no valida')
  const isCancelling = what === 'cancel'
  const list = root.children.find(({ name }) => name !== 'Cabecera')
  const rows = (list?.children ?? []).map((row) => {
    const file = Buffer.from(own(row, isCancelling ? 'AnulacionTicketBai' : 'TicketBai'), 'base64')
    const verdict = takeFile(register, file, { province, call, now, most, what })
    const isYear = verdict.id.date === '' || (verdict.id.date.endsWith(year) && data.year === year)
    return isYear ? verdict : refusal('future', verdict.id)
  })
  return bookAnswer(rows, { nif, now, isCancelling })
}

function headerData(text: string | undefined) {
  try {
    const { inte, drs } = JSON.parse(text ?? '') as {
      inte: { nif: string; nrs: string }
      drs: { mode: string; ejer: string }
    }
    return { nif: inte.nif, name: inte.nrs, model: drs.mode, year: drs.ejer }
  } catch {
    return undefined
  }
}

function bookAnswer(
  rows: readonly Verdict[],
  { nif, now, isCancelling }: { nif: string; now: Date; isCancelling: boolean },
): Answer {
  const taken = rows.filter(({ isTaken }) => isTaken).length
  const type =
    taken === rows.length ? 'Correcto' : taken === 0 ? 'Incorrecto' : 'ParcialmenteCorrecto'
  const registros = rows.map(({ isTaken, remarks, id }) => {
    const [remark] = remarks
    const state = !isTaken
      ? 'Incorrecto'
      : isCancelling
        ? 'Anulado'
        : remark
          ? 'AceptadoConErrores'
          : 'Correcto'
    const told =
      remark === undefined
        ? {}
        : {
            CodigoErrorRegistro: BOOK_CODES[remark],
            DescripcionErrorRegistroES: CODES[remark][1],
            DescripcionErrorRegistroEU: CODES[remark][1],
          }
    const situation = { EstadoRegistro: state, ...told }
    return { Identificador: { IDFactura: { NumFactura: id.number } }, SituacionRegistro: situation }
  })
  const schema = isCancelling ? 'AnulacionRespuesta' : 'AltaRespuesta'
  const space = `LROE_PJ_240_1_1_FacturasEmitidas_ConSG_${schema}_V1_0_1.xsd`
  const text = element(`l:LROEPJ240FacturasEmitidasConSG${schema}`, {
    '@xmlns:l': `https://www.batuz.eus/fitxategiak/batuz/LROE/esquemas/${space}`,
    DatosPresentacion: { FechaPresentacion: spoken(now), NIFPresentador: nif },
    Registros: { Registro: registros },
  })
  const headers = {
    'eus-bizkaia-n3-tipo-respuesta': type,
    ...(type === 'Incorrecto' && { 'eus-bizkaia-n3-codigo-respuesta': 'B4_1000002' }),
  }
  return { status: 200, text: `<?xml version="1.0" encoding="UTF-8"?>${text}`, headers }
}
