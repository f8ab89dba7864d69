// Files that end early or are not what they seem to be: readers throw it, and it becomes the
// finding of the file as a whole.

export type FaultCode = 'ZIP_BROKEN' | 'TABLE_FORM' | 'JSON_BROKEN' | 'XML_FORM'

/** The file cannot be read any further. */
export class FileFault extends Error {
  readonly code: FaultCode
  /** As a finding. */
  readonly told: string

  /** `what`: what should stand there, and what was found. */
  constructor(code: FaultCode, what: string, told = `expected ${what}`) {
    super(what)
    this.code = code
    this.told = told
  }
}
