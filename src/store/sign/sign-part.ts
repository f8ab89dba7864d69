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
 * Where the rows of a part come from: `unnest($7::uuid[], $8::int8[], …)`, or one row of plain
 * values, with which the statement is planned and started as fast as a plain insert.
 */
export function source(first: number, names: readonly string[], one: boolean): string {
  const brackets = one ? '' : '[]'
  const list = names.map((type, index) => `$${first + index}::${type}${brackets}`).join(', ')
  return one ? `(values (${list}))` : `unnest(${list})`
}
