// Places outside of the database where finished files are kept: none is ever overwritten.

/** A file on this machine. */
export interface GivenFile {
  path: string
  bytes: number
  /** Of its bytes, hexadecimal. */
  sha256: string
}

export interface Archive {
  /** For people: without credentials. */
  readonly place: string
  /**
   * Keeps the file under a name (words with `/` between them). One that has the name already stays
   * as it is: names carry a piece of the hash. Throws ArchiveError.
   */
  put(name: string, file: GivenFile): Promise<void>
  /** What is kept, in pieces; undefined: there is none. Throws ArchiveError. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Whether something can be kept there now. Throws ArchiveError. */
  check(): Promise<void>
}

/** `refused`: it answers and says no; `away`: it does not answer. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
  readonly reason: 'refused' | 'away'

  constructor(reason: 'refused' | 'away', message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
