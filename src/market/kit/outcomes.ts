// Records that an authority was told, each with what it said: both lie in chains of their own, in
// the order of the same numbers.
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'
import { each } from './receipt-range.js'

export interface Exchange<R, O> {
  record: R
  /** Undefined: there is no answer yet. */
  outcome: O | undefined
}

/** Letters of both chains. */
interface Chains {
  records: string
  outcomes: string
}

/** Those of the range of an export; outcomes are read once, beside the records. */
export async function* exchangesOf<R, O>(
  source: ExportSource,
  chains: Chains,
): AsyncGenerator<Exchange<R, O>> {
  let next: StoredMarketRow | undefined
  let rest: AsyncGenerator<StoredMarketRow, void, undefined> | undefined
  const outcomeOf = async (row: StoredMarketRow): Promise<O | undefined> => {
    // an outcome is never older than its record
    const range = { from: row.timeStamp, to: 0n }
    rest ??= each(source.marketRows({ kind: chains.outcomes, range }))
    while (next === undefined || next.number < row.number) {
      const { value, done } = await rest.next()
      if (done === true) return undefined
      next = value
    }
    return next.number === row.number ? (JSON.parse(next.content) as O) : undefined
  }
  for await (const row of each(source.marketRows({ kind: chains.records }))) {
    yield { record: JSON.parse(row.content) as R, outcome: await outcomeOf(row) }
  }
}
