// Tables that decide: the first row of which everything holds says what it is.

type Value = string | number | boolean

export interface Row<T> {
  readonly is: T
  /** By the name of a value: it, or a pattern of its whole text. */
  readonly when?: Readonly<Partial<Record<string, Value>>>
}

/** Undefined: no row holds. */
export function decidedBy<T>(
  table: readonly Row<T>[],
): (values: Readonly<Record<string, Value>>) => T | undefined {
  const rows = table.map(({ is, when = {} }) => ({
    is,
    whole: Object.entries(when).map(
      ([name, wanted]) => [name, new RegExp(`^(?:${wanted})$`)] as const,
    ),
  }))
  return (values) =>
    rows.find(({ whole }) => whole.every(([name, pattern]) => pattern.test(String(values[name]))))
      ?.is
}
