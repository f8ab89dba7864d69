// Group B over SOAP 1.1 and 1.2: Echo, Sign and a streamed Journal at the address of the queue, and
// its WSDL.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { begun } from '../../lib/begun.js'
import { LARGE } from '../../lib/slices.js'
import { isNil, type XmlElement } from '../../lib/xml-read.js'
import type { XmlTree } from '../../lib/xml-write.js'
import { DATA_NAMESPACE, XSI_NAMESPACE } from '../../model/receipt-xml.js'
import { responseMembers } from '../../model/response-xml.js'
import { mostWanted } from '../../render/accept.js'
import { basicAsHeaders } from '../shared/basic.js'
import { header } from '../shared/caller.js'
import { leavingOf } from '../shared/leaving.js'
import {
  calledSoap,
  envelopeAround,
  faultSender,
  memberOf,
  OPERATIONS_NAMESPACE,
  operationAnswer,
  readSoap,
  readSoapInSlices,
  type SoapCall,
  type SoapRequest,
  sendSoap,
  sendSoapStraight,
  soapType,
} from '../shared/soap.js'
import { wsdlRoute } from '../shared/wsdl.js'
import { bytesOf } from '../shared/xml-body.js'
import {
  type Caller,
  callerAtOnce,
  callerOf,
  holdingIts,
  namesKnownQueue,
  namesQueue,
  pathQueueId,
} from './auth.js'
import { otherMethod, preflightRoute } from './browsers.js'
import { middlewareService } from './contract.js'
import type { MiddlewareDeps } from './deps.js'
import { ECHO_NAMESPACE, messageOf, textOf } from './echo.js'
import { looksLike } from './form.js'
import { journal } from './journal.js'
import {
  largeReceiptOfXml,
  type ReadReceipt,
  receiptOfUsualXml,
  receiptOfXml,
  sign,
} from './sign.js'
import { usualSign } from './usual-xml.js'

export function soapRoutes(app: FastifyInstance, deps: MiddlewareDeps): void {
  const root = app.prefix === '' ? '/' : ''
  for (const url of [root, '/:queue']) {
    app.route({
      method: 'POST',
      url,
      bodyLimit: deps.bodyLimit,
      errorHandler: faultSender(middlewareService),
      onRequest: (request, _reply, done) => {
        basicAsHeaders(request)
        done()
      },
      preHandler: (request, reply, done) => {
        if (isNoSoap(deps, request)) reply.callNotFound()
        else done()
      },
      handler: (request, reply) => answer(deps, request, reply),
    })
    wsdlRoute(app, {
      url,
      service: middlewareService,
      address: deps.address,
      check: (request) => void pathQueueId(deps, request),
    })
  }
  preflightRoute(app, deps.browsers, { path: '/:queue', isShared: false })
  app.route({
    method: ['GET', 'PUT', 'DELETE', 'PATCH'],
    url: '/:queue',
    handler: (request, reply) => {
      // a reader has lost the end of a receipt's address
      const reads = mostWanted(header(request, 'accept')) === 'text/html'
      if (reads || !namesKnownQueue(deps, request)) return reply.callNotFound()
      throw otherMethod(request)
    },
  })
}

/** No XML, for an address that is no queue: the call was meant for somebody else. */
function isNoSoap(deps: MiddlewareDeps, request: FastifyRequest): boolean {
  return !namesKnownQueue(deps, request) && looksLike(request) !== 'xml'
}

async function answer(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // a path that is no queue is refused whatever the body says
  pathQueueId(deps, request)
  // what is asked for the body says, and journals are asked of former queues as well
  const atOnce = callerAtOnce(deps, request)
  if (atOnce !== undefined) return answerOf(deps, request, { reply, caller: atOnce })
  const caller = deps.authentication ? await callerOf(deps, request, { former: true }) : undefined
  return answerOf(deps, request, { reply, caller })
}

interface Answering {
  reply: FastifyReply
  caller: Caller | undefined
}

/** Not async: the elements of the body must not stay in memory while the receipt is signed. */
function answerOf(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  answering: Answering,
): Promise<FastifyReply> {
  const body = bytesOf(request)
  if (body.length >= LARGE) return answerLarge(deps, request, answering)
  const usual = usualSign(body)
  if (usual !== undefined) {
    const call = calledSoap(request, usual, middlewareService)
    refuseFormer(call, answering)
    const asked = { ...call, name: usual.element.name }
    return signed(deps, request, { ...answering, asked, receipt: receiptOfUsualXml(usual.receipt) })
  }
  const soap = readSoap(request, body, middlewareService)
  refuseFormer(soap, answering)
  if (soap.operation !== 'Sign') return unsigned(deps, request, { ...answering, soap })
  const receipt = receiptOfXml(dataOf(soap))
  return signed(deps, request, { ...answering, asked: askedOf(soap), receipt })
}

/** Only journals are read of a queue that has left the cash box. */
function refuseFormer({ operation }: SoapCall, { caller }: Answering): void {
  if (operation !== 'Journal' && caller !== undefined) holdingIts(caller)
}

function answerLarge(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  answering: Answering,
): Promise<FastifyReply> {
  const reading = readSoapInSlices(request, bytesOf(request), middlewareService)
  return reading.then((soap) => {
    refuseFormer(soap, answering)
    if (soap.operation !== 'Sign') return unsigned(deps, request, { ...answering, soap })
    const asked = askedOf(soap)
    return largeReceiptOfXml(dataOf(soap)).then((receipt) =>
      signed(deps, request, { ...answering, asked, receipt }),
    )
  })
}

function unsigned(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  call: Answering & { soap: SoapRequest },
): Promise<FastifyReply> {
  return call.soap.operation === 'Echo'
    ? echoed(deps, request, call)
    : journalled(deps, request, call)
}

const askedOf = ({ version, isV1, element }: SoapRequest): Asked => ({
  ...{ version, isV1, name: element.name },
})

/** What the answer needs to know of the request. */
interface Asked extends Omit<SoapCall, 'operation'> {
  /** The local name of the element in the body. */
  name: string
}

/** `EchoResponse` with `EchoResult`, or both with the prefix of version 1 as they were asked. */
function wrap(name: string, content: XmlTree | string): string {
  return operationAnswer(`${name}Response`, {
    '@xmlns:i': XSI_NAMESPACE,
    [`${name}Result`]: content,
  })
}

const NIL: XmlTree = { '@i:nil': 'true' }

async function echoed(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  { reply, caller, soap }: Answering & { soap: SoapRequest },
): Promise<FastifyReply> {
  const asks = caller === undefined && namesQueue(request)
  const known = asks ? await callerOf(deps, request) : caller
  const { message, content } = echo(soap)
  // a null message has the configuration read anew
  if (message === null) await deps.refresh(known?.access)
  return sendSoap(reply, soap.version, wrap(soap.element.name, content))
}

function echo(soap: SoapRequest): { message: string | null; content: XmlTree | string } {
  const given = memberOf(soap, 'message') ?? soap.element.children[0]
  if (given === undefined) return { message: null, content: NIL }
  if (given.children.length > 0 || soap.isV1) {
    const message = messageOf(given)
    return { message, content: { '@xmlns:a': ECHO_NAMESPACE, 'a:Message': message ?? NIL } }
  }
  const message = textOf(given)
  return { message, content: message ?? NIL }
}

async function signed(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  { reply, caller, asked, receipt }: Answering & { asked: Asked; receipt: ReadReceipt },
): Promise<FastifyReply> {
  const answer = await sign(deps, request, {
    version: asked.isV1 ? 'v1' : 'v0',
    caller,
    read: () => receipt,
  })
  const { version, name } = asked
  if (answer === undefined) return sendSoap(reply, version, wrap(name, NIL))
  const content = signedText(name, responseMembers(answer.responseText, 'a:'))
  // what pages of other origins may read is told by a hook
  if (deps.browsers.origins.size > 0) return sendSoap(reply, version, content)
  return sendSoapStraight(reply, version, content)
}

/** As `wrap`, of members that are written already. */
function signedText(name: string, members: string): string {
  const result = `${name}Result`
  const namespaces = `xmlns="${OPERATIONS_NAMESPACE}" xmlns:i="${XSI_NAMESPACE}"`
  return (
    `<${name}Response ${namespaces}><${result} xmlns:a="${DATA_NAMESPACE}">${members}` +
    `</${result}></${name}Response>`
  )
}

/** The receipt: version 0 calls it data, version 1 request. */
function dataOf(soap: SoapRequest): XmlElement {
  const found = memberOf(soap, 'data', 'request') ?? soap.element.children[0]
  if (found !== undefined && !isNil(found)) return found
  throw fail('BODY_MISSING', { expected: 'a ReceiptRequest in data' })
}

const PARAMETERS = { type: ['ftJournalType', 'type'], from: ['from'], to: ['to'] } as const

async function journalled(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  { reply, soap }: Answering & { soap: SoapRequest },
): Promise<FastifyReply> {
  // version 1 puts them into one more element
  const [only, second] = soap.element.children
  const isNested = second === undefined && only !== undefined && only.children.length > 0
  const from = isNested ? { ...soap, element: only } : soap
  const query = new Map<string, string>()
  for (const [name, spellings] of Object.entries(PARAMETERS)) {
    const text = memberOf(from, ...spellings)?.text.trim() ?? ''
    if (text !== '') query.set(name, text)
  }
  // the WSDL lets it be missing, and generated clients leave out what is 0
  if (!query.has('type')) query.set('type', '0')
  const { body } = await journal(deps, request, { query, leaving: leavingOf(request) })
  const pieces = await begun(enveloped(soap, body))
  return reply
    .header('content-type', soapType(soap.version))
    .send(Readable.from(pieces, { objectMode: false }))
}

/** One element whose text is the Base64 of all pieces. */
async function* enveloped(
  { version, element: { name } }: SoapRequest,
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const iterator = pieces[Symbol.asyncIterator]()
  const [start, end] = envelopeAround(version)
  try {
    yield `${start}<${name}Response xmlns="${OPERATIONS_NAMESPACE}"><${name}Result>`
    let rest: Buffer = Buffer.alloc(0)
    for (let piece = await iterator.next(); piece.done !== true; piece = await iterator.next()) {
      const bytes = Buffer.concat([rest, bytesOfPiece(piece.value)])
      const whole = bytes.length - (bytes.length % 3)
      yield bytes.toString('base64', 0, whole)
      rest = bytes.subarray(whole)
    }
    yield `${rest.toString('base64')}</${name}Result></${name}Response>${end}`
  } finally {
    // whoever leaves before the first piece leaves the export as well
    await iterator.return?.()
  }
}

function bytesOfPiece(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}
