// What a receipt costs: processor time of server and database, disk, write-ahead log; and from that
// what 1, 10 and 100 million receipts a day want. docs/operations/sizing.md has the figures. Linux.
//   npm run -s sizes -- [--receipts 20000] [--clients 64] [--tills 32]
import { parseArgs } from 'node:util'
import { cpuMs, cpuMsOfTree } from '../../bench/stand/process-figures.js'
import { connected } from '../support/ledger.js'
import { Load } from '../support/load.js'
import { Site } from '../support/site.js'

const { values } = parseArgs({
  options: {
    receipts: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '64' },
    tills: { type: 'string', default: '32' },
  },
})

/** V8 compiles, PostgreSQL fills its memory. */
const WARM = 4_000

interface Figures {
  receipts: number
  serverMs: number
  databaseMs: number
  bytes: number
  logBytes: number
}

const FACTS = `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as log,
  (select sum(pg_total_relation_size(c.oid)) from pg_class c
   where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace) as bytes,
  (select count(*) from receipt_journal) as receipts`

async function measure(market: string): Promise<Figures> {
  const tills = Number(values.tills)
  const site = await Site.make({ tills, external: true, till: { market } })
  const server = await site.serve()
  const load = new Load({
    tills: site.tills,
    clients: Number(values.clients),
    urls: () => [server.url],
  })
  const client = await site.look((stand) => connected(stand.connection))
  const facts = async () => {
    const { rows } = await client.query<Record<'log' | 'bytes' | 'receipts', string>>(FACTS)
    const { log = '0', bytes = '0', receipts = '0' } = rows[0] ?? {}
    return {
      receipts: Number(receipts),
      serverMs: cpuMs(server.pid) ?? 0,
      databaseMs: cpuMsOfTree(site.postmaster) ?? 0,
      bytes: Number(bytes),
      logBytes: Number(log),
    }
  }
  await load.more(WARM)
  const before = await facts()
  await load.more(Number(values.receipts))
  const after = await facts()
  await load.stop()
  await client.end()
  await server.stop()
  await site.remove()
  const faults = [...load.faults]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const per = (name: keyof Figures) => (after[name] - before[name]) / count
  const count = after.receipts - before.receipts
  return {
    receipts: count,
    serverMs: per('serverMs'),
    databaseMs: per('databaseMs'),
    bytes: per('bytes'),
    logBytes: per('logBytes'),
  }
}

const MILLIONS = [1, 10, 100]
/** The busiest hour has 13 % of a day, its busiest second half as much again as its average. */
const BUSIEST = (0.13 * 1.5) / 3600

for (const market of ['AT', 'DE']) {
  const { receipts, serverMs, databaseMs, bytes, logBytes } = await measure(market)
  const whole = (value: number) => Math.round(value).toLocaleString('en')
  console.log(
    `${market}: ${whole(receipts)} receipts; server ${whole(serverMs * 1000)} µs, database ` +
      `${whole(databaseMs * 1000)} µs, disk ${whole(bytes)} B, log ${whole(logBytes)} B each`,
  )
  for (const millions of MILLIONS) {
    const second = millions * 1e6 * BUSIEST
    const busy = (ms: number) => ((second * ms) / 1000).toFixed(2)
    const gigabytes = (each: number) => ((millions * 1e6 * each) / 1e9).toFixed(1)
    console.log(
      `  ${millions} million a day: ${whole(second)}/s at most, cores ${busy(serverMs)} + ` +
        `${busy(databaseMs)}, disk ${gigabytes(bytes)} GB, log ${gigabytes(logBytes)} GB a day`,
    )
  }
}
