// Headers that every answer has, whatever group or page it comes from.
import type { FastifyInstance } from 'fastify'
import { attachment } from '../../lib/attachment.js'
import type { Draining } from './draining.js'

declare module 'fastify' {
  interface FastifyReply {
    /** Names and values one after the other, for an answer that nothing else is added to. */
    always: readonly string[]
  }
}

/** An answer is data of one caller: not guessed into another type, not kept, not told on. */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const
/** A caller that keeps its connection makes another for the next call, which leads elsewhere. */
const LAST = { ...ALWAYS, connection: 'close' } as const

const rowOf = (headers: Record<string, string>): string[] => Object.entries(headers).flat()
const ALWAYS_ROW = rowOf(ALWAYS)
const LAST_ROW = rowOf(LAST)

/** A file to keep, whatever its name is. */
export function fileHeaders(name: string): Record<string, string> {
  return { 'content-disposition': attachment(name) }
}

/** Set first, so that a page may say otherwise (the program files of the documentation do). */
export function guardAnswers(app: FastifyInstance, draining: Draining): void {
  app.decorateReply('always', { getter: () => (draining.isOn ? LAST_ROW : ALWAYS_ROW) })
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(draining.isOn ? LAST : ALWAYS)
    done()
  })
}
