// What a part of the bench finds: figures with their targets, and the numbers behind them.
// Made by bench/parts, written by results.ts, shown by page.ts.

export interface Figure {
  /** What was measured, in words. */
  name: string
  value: number
  unit: string
  /** Undefined: a figure that explains, without a target. */
  target?: { atLeast: number } | { atMost: number }
  /** The least value that its measurement can tell from nothing; left out: anything above 0. */
  resolution?: number
  /** Nothing is a good value: what grows, or goes wrong. */
  mayBeNothing?: boolean
}

export interface PartResult {
  figures: Figure[]
  /** Every single measurement, in the order in which it was taken. */
  rounds: Record<string, unknown>[]
  /** How it was measured, where that can differ from run to run. */
  notes: string[]
}

export function holds({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}

/** Throws for a figure that nobody measured: it would hold every target. */
export function checkMeasured(figures: readonly Figure[]): void {
  for (const { name, value, unit, resolution = 0, mayBeNothing = false } of figures) {
    if (mayBeNothing && Number.isFinite(value)) continue
    if (value > resolution && Number.isFinite(value)) continue
    const least = resolution === 0 ? '' : `, and less than ${resolution} ${unit} is not measured`
    throw new Error(`${name}: ${value} ${unit} was not measured${least}`)
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle]
  if (upper === undefined || lower === undefined) throw new Error('no measurement to take from')
  return (lower + upper) / 2
}

/** Four digits that count: more would pretend. */
export function short(value: number): number {
  return Number(value.toPrecision(4))
}
