// SOAP envelopes by hand: which operation a request is for, answers, and faults in the version of
// the request.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, type ErrorKind, type FiscalError, fail } from '../../errors.js'
import type { XmlCursor } from '../../lib/xml-cursor.js'
import { childOf, type XmlElement } from '../../lib/xml-read.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import { answerStraight } from './straight-answer.js'
import { errorTree, prepareRefusal, refusalFrom, statusOf } from './trace.js'
import { rootInSlices, rootOf } from './xml-body.js'

export type SoapVersion = '1.1' | '1.2'

export const ENVELOPES: Record<SoapVersion, string> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
}
const TYPES: Record<SoapVersion, string> = {
  '1.1': 'text/xml; charset=utf-8',
  '1.2': 'application/soap+xml; charset=utf-8',
}
/** Namespace of the operations of both services. */
export const OPERATIONS_NAMESPACE = 'http://tempuri.org/'
/** What senders add by themselves, marked as to be understood or not; it changes nothing. */
const ADDRESSING = [
  'http://www.w3.org/2005/08/addressing',
  'http://schemas.xmlsoap.org/ws/2004/08/addressing',
]

export interface SoapService {
  /** Actions are `{namespace}{portType}/{operation}`. */
  portType: string
  versions: readonly SoapVersion[]
  operations: readonly string[]
}

/** What an envelope asks for. */
export interface SoapCall {
  version: SoapVersion
  /** The operation without `v1/`. */
  operation: string
  /** Element or action name version 1. */
  isV1: boolean
}

export interface SoapRequest extends SoapCall {
  /** The element in the body. */
  element: XmlElement
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the envelope as soon as it was read, for the fault of what fails later. */
    soapVersion?: SoapVersion
  }
}

/** Throws XML_MALFORMED, SOAP_VERSION, SOAP_HEADER, SOAP_MALFORMED, SOAP_ACTION. */
export function readSoap(request: FastifyRequest, body: Buffer, service: SoapService): SoapRequest {
  return soapOf(request, rootOf(body, ENVELOPE), service)
}

/** The same of a large envelope in short pieces. */
export async function readSoapInSlices(
  request: FastifyRequest,
  body: Buffer,
  service: SoapService,
): Promise<SoapRequest> {
  return soapOf(request, await rootInSlices(body, ENVELOPE), service)
}

const ENVELOPE = 'a SOAP envelope'

function soapOf(request: FastifyRequest, envelope: XmlElement, service: SoapService): SoapRequest {
  const version = versionOf(envelope, service)
  request.soapVersion = version
  const part = (name: string) =>
    envelope.children.find((child) => child.name === name && child.uri === ENVELOPES[version])
  for (const header of part('Header')?.children ?? []) checkHeader(header, version)
  const content = part('Body')
  if (content === undefined) throw fail('SOAP_MALFORMED', { reason: 'there is no Body' })
  const [found, further] = content.children
  if (found === undefined) throw fail('SOAP_MALFORMED', { reason: 'the Body is empty' })
  if (further !== undefined) throw fail('SOAP_MALFORMED', { reason: 'the Body has two elements' })
  return { version, element: found, ...operationOf(found, actionOf(request), service) }
}

/** What the start of a usual envelope says. */
export interface EnteredSoap {
  version: SoapVersion
  /** Name and namespace of the element in the body. */
  element: Pick<XmlElement, 'name' | 'uri'>
}

/**
 * Reads an envelope without headers to the start of the element in its body; undefined for any
 * other one.
 */
export function enterSoap(cursor: XmlCursor, { versions }: SoapService): EnteredSoap | undefined {
  if (!enters(cursor) || !cursor.isNamed('Envelope')) return undefined
  const { uri } = cursor
  const version = versions.find((one) => ENVELOPES[one] === uri)
  if (version === undefined || !enters(cursor)) return undefined
  if (!cursor.isNamed('Body') || cursor.uri !== uri || !enters(cursor)) return undefined
  return { version, element: { name: cursor.name(), uri: cursor.uri } }
}

/** Reads a start tag that has an end tag. */
export function enters(cursor: XmlCursor): boolean {
  cursor.space()
  return cursor.opens() && !cursor.isEmpty && !cursor.isNil
}

/** Reads the end tags of so many elements. */
export function leaves(cursor: XmlCursor, depth: number): boolean {
  for (let count = 0; count < depth; count += 1) {
    cursor.space()
    if (!cursor.closes()) return false
  }
  return true
}

/** Of an envelope that was read to its end: throws SOAP_MALFORMED, SOAP_ACTION as readSoap does. */
export function calledSoap(
  request: FastifyRequest,
  { version, element: found }: EnteredSoap,
  service: SoapService,
): SoapCall {
  request.soapVersion = version
  return { version, ...operationOf(found, actionOf(request), service) }
}

function versionOf({ name, uri }: XmlElement, { versions: known }: SoapService): SoapVersion {
  const version = known.find((one) => ENVELOPES[one] === uri)
  if (name !== 'Envelope') throw fail('SOAP_MALFORMED', { reason: 'there is no Envelope' })
  if (version === undefined) throw fail('SOAP_VERSION', { expected: known.join(' or ') })
  return version
}

/** A header for us that must be understood, and that we do not know. */
function checkHeader({ name, uri, attributes }: XmlElement, version: SoapVersion): void {
  const own = attributes.filter((one) => one.uri === ENVELOPES[version])
  const read = (word: string) => own.find((one) => one.name === word)?.value.trim()
  if (!['1', 'true'].includes(read('mustUnderstand') ?? '')) return
  const actor = read(version === '1.1' ? 'actor' : 'role') ?? ''
  if (actor !== '' && !/\/(next|ultimateReceiver)$/.test(actor)) return
  if (!ADDRESSING.includes(uri)) throw fail('SOAP_HEADER', { header: name.slice(0, 100) })
}

/** The action without quotes; undefined where none is given. */
function actionOf({ headers }: FastifyRequest): string | undefined {
  const given = headers.soapaction
  const parameter = /;\s*action="?([^";]*)"?/i.exec(headers['content-type'] ?? '')?.[1]
  const text = (typeof given === 'string' ? given : parameter) ?? ''
  const action = text.trim().replace(/^(["'])(.*)\1$/, '$2')
  return action === '' ? undefined : action
}

const V1 = /^v1(?:_x002F_|\/)/i

/** The element decides; an action that says something else is refused. */
function operationOf(
  { name, uri }: EnteredSoap['element'],
  action: string | undefined,
  { operations, portType }: SoapService,
): { operation: string; isV1: boolean } {
  const operation = name.replace(V1, '')
  if (uri !== OPERATIONS_NAMESPACE) {
    const found = name.slice(0, 100)
    const reason = `the element ${found} is not in the namespace ${OPERATIONS_NAMESPACE}`
    throw fail('SOAP_MALFORMED', { reason })
  }
  if (!operations.includes(operation)) {
    const reason = `there is no operation ${name.slice(0, 100)}, only ${operations.join(', ')}`
    throw fail('SOAP_MALFORMED', { reason })
  }
  const start = `${OPERATIONS_NAMESPACE}${portType}/`
  const word = action?.startsWith(start) === true ? action.slice(start.length) : action
  if (word !== undefined && word.replace(V1, '') !== operation) {
    throw fail('SOAP_ACTION', { action: word.slice(0, 200), element: name })
  }
  return { operation, isV1: V1.test(name) || V1.test(word ?? '') }
}

/** What stands before and after the content of an answer. */
export function envelopeAround(version: SoapVersion): [start: string, end: string] {
  return [`<s:Envelope xmlns:s="${ENVELOPES[version]}"><s:Body>`, '</s:Body></s:Envelope>']
}

export function sendSoap(reply: FastifyReply, version: SoapVersion, content: string): FastifyReply {
  const [start, end] = envelopeAround(version)
  return reply
    .header('content-type', TYPES[version])
    .serializer((text: string) => text)
    .send(start + content + end)
}

/** The same where no hook has to change the answer. */
export function sendSoapStraight(
  reply: FastifyReply,
  version: SoapVersion,
  content: string,
): FastifyReply {
  const [start, end] = envelopeAround(version)
  return answerStraight(reply, TYPES[version], start + content + end)
}

/** Sends the pieces as they come. */
export function soapType(version: SoapVersion): string {
  return TYPES[version]
}

/** The sender's fault; all other kinds are ours. */
const SENDERS: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  ...(['invalid', 'unauthenticated', 'forbidden', 'missing', 'method'] as const),
  ...(['conflict', 'too-large', 'limited', 'refused'] as const),
])
/** Below SOAP: the envelope was not looked at, or not now. Everything else is a fault with 500. */
const TRANSPORT: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  ...(['unauthenticated', 'forbidden', 'method', 'too-large', 'limited', 'unavailable'] as const),
])
const OWN_CODES: Partial<Record<ErrorCode, string>> = {
  SOAP_VERSION: 'VersionMismatch',
  SOAP_HEADER: 'MustUnderstand',
}

type FaultSender = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** The errorHandler of a route. */
export function faultSender(service: SoapService): FaultSender {
  return (error, request, reply) => sendFault(error, request, { reply, service })
}

function sendFault(
  error: unknown,
  request: FastifyRequest,
  { reply, service }: { reply: FastifyReply; service: SoapService },
): void {
  const refusal = refusalFrom(error, request)
  const version = request.soapVersion ?? versionOfType(request, service)
  void prepareRefusal(reply, refusal).code(faultStatus(refusal))
  if (refusal.kind === 'unauthenticated') {
    void reply.header('www-authenticate', 'Basic realm="fiskalwerk", charset="UTF-8"')
  }
  sendSoap(reply, version, faultText(refusal, version, request.id))
}

export function faultStatus({ kind, code }: FiscalError): number {
  return TRANSPORT.has(kind) || code === 'ROUTE_UNKNOWN' ? statusOf[kind] : 500
}

/** As it is labelled, where the service knows that version. */
function versionOfType({ headers }: FastifyRequest, service: SoapService): SoapVersion {
  const is12 = /^\s*application\/soap\+xml/i.test(headers['content-type'] ?? '')
  return is12 && service.versions.includes('1.2') ? '1.2' : '1.1'
}

export function faultText(refusal: FiscalError, version: SoapVersion, traceId: string): string {
  const own = OWN_CODES[refusal.code]
  const detail = own === undefined ? detailOf(refusal, traceId) : undefined
  const isSender = SENDERS.has(refusal.kind)
  if (version === '1.1') {
    return element('s:Fault', {
      faultcode: `s:${own ?? (isSender ? 'Client' : 'Server')}`,
      faultstring: { '@xml:lang': 'en', '#text': refusal.message },
      ...(detail === undefined ? {} : { detail }),
    })
  }
  return element('s:Fault', {
    's:Code': { 's:Value': `s:${own ?? (isSender ? 'Sender' : 'Receiver')}` },
    's:Reason': { 's:Text': { '@xml:lang': 'en', '#text': refusal.message } },
    ...(detail === undefined ? {} : { 's:Detail': detail }),
  })
}

/** The members of the REST form. */
function detailOf(refusal: FiscalError, traceId: string): XmlTree {
  return { error: errorTree(refusal, traceId) }
}

/** The member of an operation, by its name in any case; undefined where it is not given. */
export function memberOf({ element: from }: SoapRequest, ...names: string[]) {
  return names.map((name) => childOf(from, name)).find((found) => found !== undefined)
}

/** An answer element in the namespace of the operations. */
export function operationAnswer(name: string, content: XmlTree): string {
  return element(name, { '@xmlns': OPERATIONS_NAMESPACE, ...content })
}
