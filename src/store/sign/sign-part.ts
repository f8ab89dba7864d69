// What the sign statement is put together from.

/** One optional part of the statement: its CTE and its parameters. */
export interface Part {
  letter: string
  /** `first`: the number of its first parameter; `one`: its only row comes as plain values. */
  text: (first: number, one: boolean) => string
  /** One array for each column of its rows. */
  values: Buffer[]
  /** Parameters behind them that are no arrays. */
  shared?: Buffer[]
}

/** Names of types, separated by blanks. */
export const types = (names: string): readonly string[] => names.split(' ')

/**
 * Where the rows of a part come from: `(select unnest($7::uuid[]), unnest($8::int8[]), …)`, or one
 * row of plain values, with which the statement is planned and started as fast as a plain insert.
 * In the list of a select the arrays give a row at a time; `from unnest($7, $8, …)` would write
 * each of them to a store of its own first.
 */
export function source(first: number, names: readonly string[], one: boolean): string {
  if (one) return `(values (${names.map((type, at) => `$${first + at}::${type}`).join(', ')}))`
  return `(select ${rowsOf(first, names)})`
}

/** As `source` of many rows, with the number of each behind its columns. */
export function numberedSource(first: number, names: readonly string[]): string {
  return `(select ${rowsOf(first, names)}, generate_subscripts($${first}::${names[0]}[], 1))`
}

const rowsOf = (first: number, names: readonly string[]): string =>
  names.map((type, at) => `unnest($${first + at}::${type}[])`).join(', ')
