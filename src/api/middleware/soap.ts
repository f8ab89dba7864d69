// Group B over SOAP 1.1 and 1.2: Echo, Sign and a streamed Journal at the address of the queue, and
// its WSDL. Called by index.ts.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { begun } from '../../lib/begun.js'
import { isNil, type XmlElement } from '../../lib/xml-read.js'
import type { XmlTree } from '../../lib/xml-write.js'
import { prefixedResponseTree, XSI_NAMESPACE } from '../../model/receipt-xml.js'
import { decodeResponse } from '../../model/stored-texts.js'
import { basicAsHeaders } from '../shared/basic.js'
import {
  envelopeAround,
  faultSender,
  memberOf,
  OPERATIONS_NAMESPACE,
  operationAnswer,
  readSoap,
  type SoapRequest,
  sendSoap,
  soapType,
} from '../shared/soap.js'
import { wsdlRoute } from '../shared/wsdl.js'
import { bytesOf } from '../shared/xml-body.js'
import { type Caller, callerOf, namesKnownQueue, namesQueue, pathQueueId } from './auth.js'
import { middlewareService } from './contract.js'
import type { MiddlewareDeps } from './deps.js'
import { ECHO_NAMESPACE, messageOf, textOf } from './echo.js'
import { looksLike } from './form.js'
import { journal } from './journal.js'
import { receiptOfXml, sign } from './sign.js'
import { soapSchemas } from './soap-page.js'

export function soapRoutes(app: FastifyInstance, deps: MiddlewareDeps): void {
  const root = app.prefix === '' ? '/' : ''
  for (const url of [root, '/:queue']) {
    const schemas = soapSchemas(url !== root)
    app.route({
      method: 'POST',
      url,
      bodyLimit: deps.bodyLimit,
      schema: schemas.call,
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
      schema: schemas.wsdl,
      check: (request) => void pathQueueId(deps, request),
    })
  }
  app.route({
    method: ['GET', 'PUT', 'DELETE', 'PATCH'],
    url: '/:queue',
    schema: { hide: true },
    handler: (request, reply) => {
      if (!namesKnownQueue(deps, request)) return reply.callNotFound()
      const path = request.url.split('?')[0] ?? ''
      throw fail('METHOD_WRONG', { method: request.method, path, expected: 'POST' })
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
  const caller = deps.authentication ? await callerOf(deps, request) : undefined
  const soap = readSoap(request, bytesOf(request), middlewareService)
  const { version } = soap
  switch (soap.operation) {
    case 'Echo':
      return sendSoap(reply, version, await echoed(deps, request, { soap, caller }))
    case 'Sign':
      return sendSoap(reply, version, await signed(deps, request, { soap, caller }))
    default: {
      const pieces = await journalPieces(deps, request, soap)
      return reply
        .header('content-type', soapType(version))
        .send(Readable.from(pieces, { objectMode: false }))
    }
  }
}

/** `EchoResponse` with `EchoResult`, or both with the prefix of version 1 as they were asked. */
function wrap({ element: { name } }: SoapRequest, content: XmlTree | string): string {
  return operationAnswer(`${name}Response`, {
    '@xmlns:i': XSI_NAMESPACE,
    [`${name}Result`]: content,
  })
}

const NIL: XmlTree = { '@i:nil': 'true' }

async function echoed(
  deps: MiddlewareDeps,
  request: FastifyRequest,
  { soap, caller }: { soap: SoapRequest; caller: Caller | undefined },
): Promise<string> {
  const asks = caller === undefined && namesQueue(request)
  const known = asks ? await callerOf(deps, request) : caller
  const { message, content } = echo(soap)
  // a null message has the configuration read anew
  if (message === null) await deps.refresh(known?.access)
  return wrap(soap, content)
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
  { soap, caller }: { soap: SoapRequest; caller: Caller | undefined },
): Promise<string> {
  const responseText = await sign(deps, request, {
    version: soap.isV1 ? 'v1' : 'v0',
    caller,
    read: () => receiptOfXml(dataOf(soap)),
  })
  if (responseText === undefined) return wrap(soap, NIL)
  return wrap(soap, prefixedResponseTree(decodeResponse(responseText)))
}

/** The receipt: version 0 calls it data, version 1 request. */
function dataOf(soap: SoapRequest): XmlElement {
  const found = memberOf(soap, 'data', 'request') ?? soap.element.children[0]
  if (found !== undefined && !isNil(found)) return found
  throw fail('BODY_MISSING', { expected: 'a ReceiptRequest in data' })
}

const PARAMETERS = { type: ['ftJournalType', 'type'], from: ['from'], to: ['to'] } as const

async function journalPieces(deps: MiddlewareDeps, request: FastifyRequest, soap: SoapRequest) {
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
  const { body } = await journal(deps, request, { query })
  return begun(enveloped(soap, body))
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
