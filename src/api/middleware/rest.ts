// The three operations of group B over REST, bodies in JSON or XML.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LARGE } from '../../lib/slices.js'
import { element } from '../../lib/xml-write.js'
import { DATA_NAMESPACE, XSI_NAMESPACE } from '../../model/receipt-xml.js'
import { responseMembers } from '../../model/response-xml.js'
import { fileHeaders } from '../shared/headers.js'
import { answerStraight } from '../shared/straight-answer.js'
import { bytesOf, rootInSlices, rootOf } from '../shared/xml-body.js'
import { callerOf, namesQueue } from './auth.js'
import type { MiddlewareDeps } from './deps.js'
import { echoJson, echoXml, saysNothing } from './echo.js'
import { answerForm, bodyForm, type Form, JSON_TYPE, XML_TYPE } from './form.js'
import { restJournal } from './journal.js'
import type { RouteSpelling } from './routes.js'
import {
  largeReceiptOfXml,
  type ReadReceipt,
  receiptOfJson,
  receiptOfUsualXml,
  receiptOfXml,
  sign,
} from './sign.js'
import { usualReceipt } from './usual-xml.js'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export const handlers: Record<
  RouteSpelling['operation'],
  (deps: MiddlewareDeps, spelling: RouteSpelling) => Handler
> = {
  echo:
    (deps, { version }) =>
    async (request, reply) => {
      const asks = deps.authentication || namesQueue(request)
      const caller = asks ? await callerOf(deps, request) : undefined
      // the answer is what was sent: one form for both
      const form = bytesOf(request).length === 0 ? answerForm(request) : bodyForm(request)
      const body = bytesOf(request)
      const answer = form === 'xml' ? echoXml(body, version) : echoJson(body, version)
      if (saysNothing(answer)) await deps.refresh(caller?.access)
      return text(reply, form, answer)
    },
  sign:
    (deps, { version }) =>
    async (request, reply) => {
      const body = bytesOf(request)
      const answer = await sign(deps, request, {
        version,
        read: () => (bodyForm(request) === 'xml' ? xmlReceipt(body) : receiptOfJson(body)),
      })
      const form = answerForm(request)
      if (answer !== undefined) {
        const body =
          form === 'xml'
            ? responseXml(answer.responseText)
            : (answer.responseBytes ?? answer.responseText)
        // what pages of other origins may read is told by a hook
        if (deps.browsers.origins.size > 0) return text(reply, form, body)
        return answerStraight(reply, TYPES[form], body)
      }
      if (version !== 'v1') return text(reply.code(204), form, '')
      return text(reply, form, form === 'xml' ? NOTHING : 'null')
    },
  journal: (deps, spelling) => async (request, reply) => {
    const { contentType, fileName, body } = await restJournal(deps, request, spelling)
    return reply
      .headers(fileName === undefined ? {} : fileHeaders(fileName))
      .header('content-type', contentType)
      .send(Readable.from(body, { objectMode: false }))
  },
}

function xmlReceipt(body: Buffer): ReadReceipt | Promise<ReadReceipt> {
  const expected = 'a ReceiptRequest'
  if (body.length < LARGE) {
    const usual = usualReceipt(body)
    return usual ? receiptOfUsualXml(usual) : receiptOfXml(rootOf(body, expected))
  }
  return rootInSlices(body, expected).then(largeReceiptOfXml)
}

const NOTHING = element('ReceiptResponse', {
  '@xmlns': DATA_NAMESPACE,
  '@xmlns:i': XSI_NAMESPACE,
  '@i:nil': 'true',
})

/** The stored answer in its data contract form. */
function responseXml(responseText: string): string {
  return `${RESPONSE_START}${responseMembers(responseText, '')}</ReceiptResponse>`
}

const RESPONSE_START = `<ReceiptResponse xmlns:i="${XSI_NAMESPACE}" xmlns="${DATA_NAMESPACE}">`

const TYPES: Record<Form, string> = { json: JSON_TYPE, xml: XML_TYPE }

/** The text as it is stored; not serialized a second time. */
function text(reply: FastifyReply, form: Form, body: string | Buffer): FastifyReply {
  if (body.length === 0) return reply.send()
  return reply
    .header('content-type', TYPES[form])
    .serializer((value: string) => value)
    .send(body)
}
