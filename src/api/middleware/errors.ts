// Refusals in the shape of group B, {"message","field","code","traceId"}, as JSON or XML.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { element } from '../../lib/xml-write.js'
import { errorTree, prepareRefusal, refusalFrom } from '../shared/trace.js'
import { answerForm, XML_TYPE } from './form.js'

export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalFrom(error, request)
  if (answerForm(request) === 'xml') {
    void prepareRefusal(reply, refusal)
      .header('content-type', XML_TYPE)
      .serializer((text: string) => text)
      .send(element('error', errorTree(refusal, request.id)))
    return
  }
  const body = {
    message: refusal.message,
    field: refusal.field,
    code: refusal.code,
    traceId: request.id,
  }
  void prepareRefusal(reply, refusal)
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(JSON.stringify(body))
}
