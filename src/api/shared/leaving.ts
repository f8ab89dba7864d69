// When a caller has left before the answer was given as a whole.
import type { FastifyRequest } from 'fastify'
import { fail } from '../../errors.js'
import { openAnswers } from './open-answers.js'

/** Fires when the connection is gone, at the latest when the answer has ended. */
export function leavingOf({ raw }: Pick<FastifyRequest, 'raw'>): AbortSignal {
  const leaving = new AbortController()
  const leave = () => leaving.abort(fail('EXPORT_LOST'))
  const answer = openAnswers(raw.socket).find(({ req }) => req === raw)
  if (answer !== undefined) answer.once('close', leave)
  else if (raw.socket.destroyed) leave()
  return leaving.signal
}
