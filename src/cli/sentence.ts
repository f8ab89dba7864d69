// Any error as one sentence for the person at the command line. Called by run.ts.
import { FiscalError } from '../errors.js'
import { listenFault } from '../serve.js'
import { isAway } from '../store/client.js'
import { DatabaseError, errorCode } from '../store/database-error.js'

export function sentenceOf(error: unknown): string {
  if (error instanceof FiscalError || error instanceof DatabaseError) return error.message
  const known = listenFault(error)
  if (known !== undefined) return known
  if (isAway(error)) return `The database does not answer (${lastLineOf(error)}); try again.`
  if (/^(?=.*\d)[0-9A-Z]{5}$/.test(errorCode(error)))
    return `The database refused: ${lastLineOf(error)}.`
  return `${lastLineOf(error)}.`
}

/** Prisma puts the place in the program first and what happened last. */
function lastLineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').map((line) => line.trim())
  return (lines.findLast((line) => line !== '') ?? 'unknown fault').replace(/\.$/, '')
}
