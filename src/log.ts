// The log: JSON lines on stdout, readable lines on a terminal. Secrets are cut out by name.
// Made once by serve.ts and by the commands.
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

const SECRET_PATHS = [
  'accesstoken',
  'accessToken',
  'password',
  'secrets',
  'masterKey',
  'authorization',
]

export function createLog(level: string, terminal: boolean): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`, `headers["${name}"]`]),
      censor: '[removed]',
    },
  }
  if (!terminal) return pino(options)
  return pino(
    options,
    pretty({ sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }),
  )
}
