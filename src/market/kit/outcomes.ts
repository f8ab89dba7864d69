// Records that an authority was told, each with what it said: both lie in chains of their own, in
// the order of the same numbers.
import type { ExportSource } from '../../model/export-source.js'
import type { StoredMarketRow } from '../../model/journal.js'

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
  let page: StoredMarketRow[] = []
  let pages: AsyncIterator<StoredMarketRow[]> | undefined
  const outcomeOf = async (row: StoredMarketRow): Promise<O | undefined> => {
    // an outcome is never older than its record
    const range = { from: row.timeStamp, to: 0n }
    pages ??= source.chainRows(chains.outcomes, range)[Symbol.asyncIterator]()
    for (;;) {
      const [next] = page
      if (next === undefined) {
        const { value, done } = await pages.next()
        if (done === true) return undefined
        page = [...value]
      } else if (next.number > row.number) return undefined
      else {
        page.shift()
        if (next.number === row.number) return JSON.parse(next.content) as O
      }
    }
  }
  for await (const rows of source.chainRows(chains.records)) {
    for (const row of rows) {
      yield { record: JSON.parse(row.content) as R, outcome: await outcomeOf(row) }
    }
  }
}
