// Doors of one server that take turns under the same load.
import { findGenerator } from '../load/generator.js'
import type { LoadResult, Target } from '../load/load.js'
import type { Options } from '../options.js'
import { median } from '../report/figures.js'
import type { Cluster } from './cluster.js'
import type { Server } from './server.js'

const CLIENTS = 128
const WARM_UP_SECONDS = 8

/** Rows of every round, and the median of a door in calls per second. */
export async function taking<Door extends string>(
  { options, cluster, server }: { options: Options; cluster: Cluster; server: Server },
  doors: readonly Door[],
  targetsOf: (door: Door) => Target[],
): Promise<{ rows: (LoadResult & { door: Door })[]; rate: (door: Door) => number }> {
  const generator = findGenerator()
  const load = (door: Door, seconds: number) =>
    generator.run({ url: server.url, targets: targetsOf(door), clients: CLIENTS, seconds })
  for (const door of doors) await load(door, WARM_UP_SECONDS)
  const rows: (LoadResult & { door: Door })[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    await cluster.settle()
    for (const door of doors) rows.push({ door, ...(await load(door, options.seconds)) })
  }
  const rate = (door: Door) =>
    median(rows.filter((row) => row.door === door).map((row) => row.perSecond))
  return { rows, rate }
}
