// What a refusal is made of.

export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'conflict'
  | 'too-large'
  | 'limited'
  | 'refused'
  | 'unavailable'
  | 'broken'

export interface ErrorRow {
  kind: ErrorKind
  /** `{name}` is replaced by the detail of that name. */
  text: string
}
