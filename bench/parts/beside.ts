// Signing beside what takes long: readers of a long journal of another CashBox, and files of
// invitations. How long a receipt waits then, by how long it waits alone.
import { randomBytes } from 'node:crypto'
import * as http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { findGenerator } from '../load/generator.js'
import type { LoadResult } from '../load/load.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { fillJournal, RAW_AUSTRIA } from '../stand/long-journal.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Till } from '../stand/shop.js'
import { type Dealer, fileOf, openDealer } from './dealer.js'

const TILLS = 8
const SIGNERS = 4
const READERS = 8
const ROWS = 200_000
const IMPORTED = 50_000
const WARM_UP_SECONDS = 5
/** Readers and import are at work for so long before it is measured. */
const AHEAD_MS = 1000
/** How long somebody else's transaction has been open when it is measured. */
const OPEN_SECONDS = 30

interface Stand {
  options: Options
  cluster: Cluster
  server: Server
  reader: Till
  dealer: Dealer
  sign(seconds: number): Promise<LoadResult>
}

interface Round {
  idle: LoadResult
  loaded: LoadResult
  /** Bytes that readers have got, and rows that were imported meanwhile. */
  read: number
  imported: number
}

export async function benchBeside(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: TILLS + 1 })
  const dealer = await openDealer(cluster, masterKey)
  const [reader, ...tills] = shop.tills
  if (reader === undefined) throw new Error('the shop has no till')
  const { profile } = options
  const settings = { RATE_LIMITS: 'dealer=0' }
  const server = await startServer({ databaseUrl: cluster.url, masterKey, profile, settings })
  try {
    const moment = new Date().toISOString()
    for (const till of shop.tills) {
      await signOne(server.url, till, startText(till.cashBoxId, moment))
    }
    await fillJournal(cluster, reader, ROWS)
    const generator = findGenerator()
    const targets = tills.map((till) => ({
      ...{ path: signPath(till), headers: headersOf(till) },
      body: saleText(till.cashBoxId, moment),
    }))
    const sign = (seconds: number) =>
      generator.run({ url: server.url, targets, clients: SIGNERS, seconds })
    const rounds = await roundsOf({ options, cluster, server, reader, dealer, sign })
    const open = await besideOpen({ options, cluster, sign })
    return {
      figures: [...figuresOf(rounds), openFigure(open)],
      rounds: rounds.map((round) => ({ ...round })),
      notes: [
        `Signing: ${SIGNERS} clients on ${TILLS} queues, alone and beside ${READERS} readers of ` +
          `a raw journal of ${ROWS} rows of another CashBox, who begin again when they are done, ` +
          `and files of ${IMPORTED} invitations, one behind the other.`,
      ],
    }
  } finally {
    await server.stop()
  }
}

/** First alone, then beside: nobody waits for a file of a round before the next one can begin. */
async function roundsOf(stand: Stand): Promise<Round[]> {
  const { options, cluster, sign } = stand
  await sign(WARM_UP_SECONDS)
  await read(stand, new AbortController().signal)
  await cluster.settle()
  const alone: LoadResult[] = []
  while (alone.length < options.rounds) alone.push(await sign(options.seconds))
  const over = new AbortController()
  const counts = { read: 0, imported: 0 }
  const work = [
    ...Array.from({ length: READERS }, () => reading(stand, over.signal, counts)),
    imports(stand, over.signal, counts),
  ]
  await Promise.race([sleep(AHEAD_MS), ...work])
  const rounds: Round[] = []
  for (const idle of alone) {
    const before = { ...counts }
    const loaded = await sign(options.seconds)
    const [bytes, rows] = [counts.read - before.read, counts.imported - before.imported]
    rounds.push({ idle, loaded, read: bytes, imported: rows })
  }
  over.abort()
  await Promise.all(work)
  return rounds
}

interface Open {
  before: LoadResult
  late: LoadResult
}

/** Of everything that was written since, PostgreSQL has to keep every state. */
async function besideOpen({
  options,
  cluster,
  sign,
}: Pick<Stand, 'options' | 'cluster' | 'sign'>): Promise<Open> {
  await cluster.settle()
  const before = await sign(options.seconds)
  return asking(cluster.config, async (client) => {
    await client.query('begin')
    await client.query('select pg_current_xact_id()')
    await sign(OPEN_SECONDS)
    return { before, late: await sign(options.seconds) }
  })
}

const openFigure = ({ before, late }: Open): Figure => ({
  name: `Median of signing after ${OPEN_SECONDS} seconds of somebody's transaction, by that before`,
  ...{ value: late.p50Ms / before.p50Ms, unit: 'times as long' },
})

interface Counts {
  read: number
  imported: number
}

/** Until it is over: bytes of all answers. */
async function reading(stand: Stand, over: AbortSignal, counts: Counts): Promise<void> {
  while (!over.aborted) {
    await read(stand, over, (bytes) => {
      counts.read += bytes
    })
  }
}

/** One journal, or what comes of it until it is over. */
function read(
  { server, reader }: Stand,
  over: AbortSignal,
  came: (bytes: number) => void = () => undefined,
): Promise<void> {
  const url = `${server.url}/${reader.queueId}/json/v1/journal?type=${RAW_AUSTRIA}&from=0&to=0`
  return new Promise((resolve, reject) => {
    const call = http.request(url, { method: 'POST', headers: headersOf(reader) }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`a journal answered ${answer.statusCode}`))
      answer.on('data', (piece: Buffer) => came(piece.length))
    })
    const leave = () => call.destroy()
    over.addEventListener('abort', leave)
    call.on('error', (error) => (over.aborted ? undefined : reject(error)))
    call.on('close', () => {
      over.removeEventListener('abort', leave)
      resolve()
    })
    call.end()
  })
}

/** File after file; the one that is under way when it is over is left. */
async function imports(
  { server, dealer }: Stand,
  over: AbortSignal,
  counts: Counts,
): Promise<void> {
  const { accountId: accountid, accessToken: accesstoken } = dealer
  for (let file = 0; !over.aborted; file += 1) {
    const body = new FormData()
    body.append('file', new Blob([fileOf(`f${file}`, IMPORTED)]), 'merchants.csv')
    try {
      const answer = await fetch(`${server.url}/api/pos-operators-invitation/import/csv`, {
        ...{ method: 'POST', headers: { accountid, accesstoken }, body, signal: over },
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`an import answered ${answer.status}: ${text}`)
      counts.imported += IMPORTED
    } catch (error) {
      if (!over.aborted) throw error
    }
  }
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (side: 'idle' | 'loaded', name: 'p50Ms' | 'p99Ms') =>
    median(rounds.map((round) => round[side][name]))
  const beside = `beside ${READERS} journal readers and an import of ${IMPORTED} rows`
  const ratio = (name: 'p50Ms' | 'p99Ms') => of('loaded', name) / of('idle', name)
  const unit = 'times as long'
  return [
    {
      name: `p99 of signing ${beside}, by p99 alone`,
      ...{ value: ratio('p99Ms'), unit, target: { atMost: 2 } },
    },
    { name: `Median of signing ${beside}, by the median alone`, value: ratio('p50Ms'), unit },
    { name: 'p99 of signing alone', value: of('idle', 'p99Ms'), unit: 'ms' },
    { name: 'p99 of signing beside them', value: of('loaded', 'p99Ms'), unit: 'ms' },
    {
      name: 'Read from journals meanwhile',
      ...{ value: median(rounds.map(({ read: bytes }) => bytes)) / 1e6, unit: 'MB' },
    },
    ...importedIn(rounds),
  ]
}

/** A file that was not ready in time was imported all the while, and is no figure. */
function importedIn(rounds: readonly Round[]): Figure[] {
  const value = median(rounds.map(({ imported }) => imported))
  return value === 0 ? [] : [{ name: 'Imported meanwhile', value, unit: 'rows' }]
}
