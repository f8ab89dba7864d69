// npm run bench: measures the parts one after the other, keeps the result, writes
// docs/performance.md. bench/README.md says what is measured and how.
import * as os from 'node:os'
import { type Options, type PartName, readOptions } from './options.js'
import { benchAutopilot } from './parts/autopilot.js'
import { benchBeside } from './parts/beside.js'
import { benchBlocks } from './parts/blocks.js'
import { benchCore } from './parts/core.js'
import { benchDealer } from './parts/dealer.js'
import { benchDevices } from './parts/devices.js'
import { benchEcho } from './parts/echo.js'
import { benchEvents } from './parts/events.js'
import { benchExport } from './parts/export.js'
import { benchFleet } from './parts/fleet.js'
import { benchFrance } from './parts/france.js'
import { benchGermany } from './parts/germany.js'
import { benchGrpc } from './parts/grpc.js'
import { benchJson } from './parts/json.js'
import { benchPortal, benchPortalWork } from './parts/portal.js'
import { benchPosSystem } from './parts/possystem.js'
import { benchProcesses } from './parts/processes.js'
import { benchRender } from './parts/render.js'
import { benchRows } from './parts/rows.js'
import { benchSign } from './parts/sign.js'
import { benchSoap } from './parts/soap.js'
import { benchStart } from './parts/start.js'
import { benchTse } from './parts/tse.js'
import { checkMeasured, holds, type PartResult, short } from './report/figures.js'
import { writePage } from './report/page.js'
import { keep, keptPart, type Result, withOlder } from './report/results.js'
import { type Cluster, startCluster } from './stand/cluster.js'

type Results = Partial<Record<PartName, PartResult>>
type Part = (options: Options, cluster: () => Promise<Cluster>) => Promise<Results>

/** A row measures one part, or those that share their preparation. Each has a fresh database. */
const TABLE: { parts: PartName[]; run: Part }[] = [
  { parts: ['core'], run: async (options) => ({ core: await benchCore(options) }) },
  { parts: ['json'], run: async (options) => ({ json: await benchJson(options) }) },
  { parts: ['start'], run: async (options) => ({ start: await benchStart(options) }) },
  {
    parts: ['echo'],
    run: async (options, cluster) => ({ echo: await benchEcho(options, await cluster()) }),
  },
  {
    parts: ['sign'],
    run: async (options, cluster) => ({ sign: await benchSign(options, await cluster()) }),
  },
  {
    parts: ['export', 'verify'],
    run: async (options, cluster) => benchExport(options, await cluster()),
  },
  { parts: ['tse'], run: async (options) => ({ tse: await benchTse(options) }) },
  {
    parts: ['germany'],
    run: async (options, cluster) => ({ germany: await benchGermany(options, await cluster()) }),
  },
  {
    parts: ['france'],
    run: async (options, cluster) => ({ france: await benchFrance(options, await cluster()) }),
  },
  {
    parts: ['possystem'],
    run: async (options, cluster) => ({
      possystem: await benchPosSystem(options, await cluster()),
    }),
  },
  {
    parts: ['soap'],
    run: async (options, cluster) => ({ soap: await benchSoap(options, await cluster()) }),
  },
  {
    parts: ['render'],
    run: async (options, cluster) => ({ render: await benchRender(options, await cluster()) }),
  },
  {
    parts: ['grpc'],
    run: async (options, cluster) => ({ grpc: await benchGrpc(options, await cluster()) }),
  },
  {
    parts: ['dealer'],
    run: async (options, cluster) => ({ dealer: await benchDealer(options, await cluster()) }),
  },
  {
    parts: ['fleet'],
    run: async (_options, cluster) => ({ fleet: await benchFleet(await cluster()) }),
  },
  {
    parts: ['portal'],
    run: async (options, cluster) => ({ portal: await benchPortal(options, await cluster()) }),
  },
  {
    parts: ['portal-work'],
    run: async (options, cluster) => ({
      'portal-work': await benchPortalWork(options, await cluster()),
    }),
  },
  {
    parts: ['events'],
    run: async (options, cluster) => ({ events: await benchEvents(options, await cluster()) }),
  },
  {
    parts: ['beside'],
    run: async (options, cluster) => ({ beside: await benchBeside(options, await cluster()) }),
  },
  {
    parts: ['rows'],
    run: async (options, cluster) => ({ rows: await benchRows(options, await cluster()) }),
  },
  {
    parts: ['processes'],
    run: async (options, cluster) => ({
      processes: await benchProcesses(options, await cluster()),
    }),
  },
  {
    parts: ['devices'],
    run: async (options, cluster) => ({ devices: await benchDevices(options, await cluster()) }),
  },
  {
    parts: ['autopilot'],
    run: async (options, cluster) => ({
      autopilot: await benchAutopilot(options, await cluster()),
    }),
  },
  {
    parts: ['blocks'],
    run: async (options, cluster) => ({ blocks: await benchBlocks(options, await cluster()) }),
  },
]

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  const kept: Result['parts'] = {}
  let postgres: string | null = null
  for (const { parts, run } of TABLE) {
    if (!parts.some((part) => options.parts.includes(part))) continue
    const loadBefore = os.loadavg()[0] ?? 0
    console.log(`\n${parts.join(', ')} (load before: ${short(loadBefore)})`)
    const { results, version } = await withCluster((cluster) => run(options, cluster))
    postgres = version ?? postgres
    for (const part of parts) {
      const result = results[part]
      if (result === undefined) continue
      print(result)
      checkMeasured(result.figures)
      kept[part] = keptPart(result, options, loadBefore)
    }
  }
  if (options.keep) writePage(withOlder(keep(kept, postgres)))
}

/** Starts a database when the work asks for one, and removes it afterwards. */
async function withCluster(
  work: (cluster: () => Promise<Cluster>) => Promise<Results>,
): Promise<{ results: Results; version: string | undefined }> {
  let cluster: Cluster | undefined
  try {
    const results = await work(async () => {
      cluster = await startCluster()
      return cluster
    })
    return { results, version: cluster?.version }
  } finally {
    await cluster?.stop()
  }
}

function print({ figures, notes }: PartResult): void {
  for (const figure of figures) {
    const held = holds(figure)
    const mark = held === undefined ? ' ' : held ? '+' : '-'
    console.log(`${mark} ${figure.name}: ${short(figure.value)} ${figure.unit}`)
  }
  for (const note of notes) console.log(`  ${note}`)
}

main().then(
  () => process.exit(process.exitCode ?? 0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
