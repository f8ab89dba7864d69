// Refusals in the shape of group B: {"message","field","code","traceId"}.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { prepareRefusal, refusalFrom } from '../shared/trace.js'

export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalFrom(error, request)
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
