// What a part of the bench finds: figures with their targets, and the numbers behind them.
// Made by bench/parts, written by results.ts, shown by page.ts.

export interface Figure {
  /** What was measured, in words. */
  name: string
  value: number
  unit: string
  /** Undefined: a figure that explains, without a target. */
  target?: { atLeast: number } | { atMost: number }
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
