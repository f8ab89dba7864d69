// Pages of lists of which only some rows are shown: read in parts until a page is full.

export interface Part {
  /** The key of a row. */
  after?: readonly string[] | undefined
  most: number
}

export interface Filtered<R extends { key: readonly string[] }, T> {
  /** In order, behind `after`. */
  read(part: Part): Promise<readonly R[]>
  /** Those that are shown, in the same order. */
  keep(rows: readonly R[]): Promise<readonly T[]> | readonly T[]
}

/** As many as are wanted, or all that there are behind `after`. */
export async function kept<R extends { key: readonly string[] }, T>(
  { after, most }: Part,
  { read, keep }: Filtered<R, T>,
): Promise<T[]> {
  const found: T[] = []
  for (let from = after; ; ) {
    const rows = await read({ after: from, most })
    found.push(...(await keep(rows)))
    from = rows.at(-1)?.key
    if (found.length >= most || rows.length < most) return found.slice(0, most)
  }
}
