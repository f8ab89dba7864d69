// France over HTTP against Austria: a JWS and a market row per receipt on both sides, more state
// here.
import type { Options } from '../options.js'
import type { PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { frenchSaleText, frenchStartText } from '../stand/receipt.js'
import { byAustria } from './by-austria.js'

export async function benchFrance(options: Options, cluster: Cluster): Promise<PartResult> {
  const { figures, rows } = await byAustria(options, cluster, {
    ...{ market: 'FR', name: 'France', atLeast: 0.8 },
    ...{ start: frenchStartText, sale: frenchSaleText },
  })
  return {
    figures,
    rounds: rows.map((row) => ({ ...row })),
    notes: ['Austria and France take turns on one server.'],
  }
}
