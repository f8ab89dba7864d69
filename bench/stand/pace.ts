// How often a step runs in a second, in one thread.
import { performance } from 'node:perf_hooks'

/** Runs of a step between two looks at the clock. */
const STEPS = 100

/** Synchronous or not: what gives no promise is not waited for. */
export type Step = () => unknown

export async function perSecond(step: Step, seconds: number): Promise<number> {
  await repeat(step, STEPS * 10)
  const start = performance.now()
  let runs = 0
  let spent = 0
  while (spent < seconds * 1000) {
    await repeat(step, STEPS)
    runs += STEPS
    spent = performance.now() - start
  }
  return (runs / spent) * 1000
}

async function repeat(step: Step, times: number): Promise<void> {
  for (let run = 0; run < times; run += 1) {
    const result = step()
    if (result instanceof Promise) await result
  }
}

/** Every step once per round, turn by turn, so that a slow minute hits all of them. */
export async function interleaved(
  steps: Record<string, Step>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<string, number>[]> {
  const found: Record<string, number>[] = []
  for (let round = 0; round < rounds; round += 1) {
    const row: Record<string, number> = {}
    for (const [name, step] of Object.entries(steps)) row[name] = await perSecond(step, seconds)
    found.push(row)
  }
  return found
}
