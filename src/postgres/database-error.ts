// Why the database cannot be used, as one sentence for the person who starts the program.
// Thrown by everything behind openDatabase; main and the command line print it and leave.

export type DatabaseFault =
  | 'another-server'
  | 'unreachable'
  | 'unsuitable'
  | 'no-binaries'
  | 'not-permitted'
  | 'start-failed'
  | 'migration'

/** `message` is one complete sentence without secrets; `fault` says which kind of trouble it is. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
  readonly fault: DatabaseFault

  constructor(fault: DatabaseFault, sentence: string) {
    super(sentence)
    this.fault = fault
  }
}

/** The code of a database or system error (`28P01`, `ECONNREFUSED`), or '' when it has none. */
export function errorCode(error: unknown): string {
  if (error instanceof AggregateError) return errorCode(error.errors[0])
  if (!(error instanceof Error) || !('code' in error)) return ''
  return String(error.code)
}
