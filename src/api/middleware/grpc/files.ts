// The contract of gRPC for whoever makes a client: the two files as they are.
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const FILES = ['IPOS.proto', 'bcl.proto'] as const

export function protoFiles(app: FastifyInstance): void {
  for (const name of FILES) {
    const text = readFileSync(new URL(`../../../../proto/${name}`, import.meta.url), 'utf8')
    app.get(`/proto/${name}`, (_request, reply) =>
      reply.header('content-type', 'text/plain; charset=utf-8').send(text),
    )
  }
}
