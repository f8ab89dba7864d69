// What is found in an export or in stored data.

export interface Finding {
  /** Stable code of the rule. */
  code: string
  /** Which receipt: its number or position; '' for the whole file. */
  receipt: string
  /** One sentence with expected and found value. */
  text: string
  /** Lawful, but other verifiers complain about it: told, and the file is accepted all the same. */
  notice?: true
}

/** What a verifier says of an export: its findings without notices, and what it counted. */
export interface Verdict {
  findings: readonly Finding[]
  summary: object | null
}
