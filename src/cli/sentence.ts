// Any error as sentences for the person at the command line.

import { listenFault } from '../config/listen-fault.js'
import { ConfigError } from '../config.js'
import { type ErrorCode, FiscalError } from '../errors.js'
import { DatabaseError, errorCode } from '../postgres/database-error.js'
import { isAway } from '../store/client.js'

/** What to type next, where the refusal itself cannot say it. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  ACCOUNT_UNKNOWN: 'npx fiskalwerk dealer list shows the accounts of dealers',
  QUEUE_UNKNOWN: 'npx fiskalwerk cashbox list --account ID shows the queues of a merchant',
  CASH_BOX_UNKNOWN: 'npx fiskalwerk cashbox list --account ID shows the cash boxes of a merchant',
  TERMINAL_UNKNOWN: 'npx fiskalwerk terminal list shows those that are in use',
  SCU_UNKNOWN: 'npx fiskalwerk cashbox list --account ID --json shows the units of a merchant',
  NOT_IN_PRODUCTION: 'set ENVIRONMENT=sandbox for the server and for this command',
}

/** One, or one for each setting that is wrong. */
export function sentencesOf(error: unknown): readonly string[] {
  return error instanceof ConfigError ? error.faults : [sentenceOf(error)]
}

export function sentenceOf(error: unknown): string {
  if (error instanceof FiscalError) return withNext(error)
  if (error instanceof DatabaseError) return error.message
  const known = listenFault(error)
  if (known !== undefined) return known
  if (isAway(error)) return `The database does not answer (${lastLineOf(error)}); try again.`
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(errorCode(error)))
    return `The database refused: ${lastLineOf(error)}.`
  return `${lastLineOf(error)}.`
}

function withNext({ code, message }: FiscalError): string {
  const next = NEXT[code]
  return next === undefined ? message : `${message.replace(/\.$/, '')}: ${next}.`
}

/** Prisma puts the place in the program first and what happened last. */
function lastLineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').map((line) => line.trim())
  return (lines.findLast((line) => line !== '') ?? 'unknown fault').replace(/\.$/, '')
}
