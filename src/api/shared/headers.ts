// Headers that every answer has, whatever group or page it comes from.
import type { FastifyInstance } from 'fastify'
import { attachment } from '../../lib/attachment.js'

/** An answer is data of one caller: not guessed into another type, not kept, not told on. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** A file to keep, whatever its name is. */
export function fileHeaders(name: string): Record<string, string> {
  return { 'content-disposition': attachment(name) }
}

/** Set first, so that a page may say otherwise (the program files of the documentation do). */
export function guardAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(ALWAYS)
    done()
  })
}
