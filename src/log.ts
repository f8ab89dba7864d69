// The log: JSON lines on stdout, readable lines on a terminal. Secrets are cut out by name, and of
// errors only what helps to find a fault is written. Made once by serve.ts and by the commands.
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import type pretty from 'pino-pretty'

const SECRET_PATHS = [
  'accesstoken',
  'accessToken',
  'password',
  'secrets',
  'masterKey',
  'authorization',
]

/** destination: where JSON lines go instead of stdout. */
export function createLog(
  level: string,
  terminal: boolean,
  destination?: DestinationStream,
): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: shownError },
    redact: {
      paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`, `headers["${name}"]`]),
      censor: '[removed]',
    },
  }
  if (destination !== undefined) return pino(options, destination)
  if (!terminal) return pino(options)
  // most logs are read by programs: a start does without it
  const readable = createRequire(import.meta.url)('pino-pretty') as typeof pretty
  return pino(
    options,
    readable({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }),
  )
}

/**
 * Errors of the database carry statements, their values and the whole connection: receipts and
 * sealed secrets. They stay out, whatever members a library adds.
 */
export function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    stack,
    ...(cause === undefined ? {} : { cause: shownError(cause) }),
  }
}
