// What the sign statement is put together from.

/** One optional part of the statement: its CTE and its parameters. */
export interface Part {
  letter: string
  text: (first: number) => string
  values: Buffer[]
}

/** Names of types, separated by blanks. */
export const types = (names: string): readonly string[] => names.split(' ')

/** `$7::uuid[], $8::int8[], …` */
export function list(first: number, names: readonly string[]): string {
  return names.map((type, index) => `$${first + index}::${type}[]`).join(', ')
}
