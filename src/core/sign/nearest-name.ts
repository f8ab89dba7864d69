// The name that was meant by a misspelt one.

const SHORT = 5

/**
 * The known name that is at most two letters away (one for short names), or undefined. `known`:
 * names in lower case to their spelling.
 */
export function nearestName(name: string, known: ReadonlyMap<string, string>): string | undefined {
  const text = name.toLowerCase()
  let best: string | undefined
  let least = text.length <= SHORT ? 2 : 3
  for (const [other, spelling] of known) {
    if (Math.abs(other.length - text.length) >= least) continue
    const away = distance(text, other)
    if (away >= least) continue
    least = away
    best = spelling
  }
  return best
}

/** Letters to add, take away, change or swap with the next one (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const change = (above[j - 1] ?? 0) + same
      let cost = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
