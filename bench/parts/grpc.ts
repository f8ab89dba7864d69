// Receipts over gRPC against REST JSON of the same server, turn by turn, and a long journal as a
// stream.
import { randomBytes } from 'node:crypto'
import * as http2 from 'node:http2'
import { createServer } from 'node:net'
import { findGenerator } from '../load/generator.js'
import { type GrpcTarget, runGrpc } from '../load/grpc.js'
import type { LoadResult } from '../load/load.js'
import type { Options } from '../options.js'
import { median, type PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { fillJournal, journalFigures, RAW_AUSTRIA } from '../stand/long-journal.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { cpuMs } from '../stand/process-figures.js'
import { journalMessage, receiptMessage } from '../stand/proto.js'
import { saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop, type Till } from '../stand/shop.js'

const QUEUES = 64
const CLIENTS = 128
/** Calls at a time on one connection of gRPC. */
const STREAMS = 8
const WARM_UP_SECONDS = 8
const SERVICE = '/fiskaltrust.ifPOS.v1.POS'

const DOORS = ['json', 'grpc'] as const
type Door = (typeof DOORS)[number]
type Row = LoadResult & { door: Door; cpuMicroseconds: number }

interface Stand {
  options: Options
  cluster: Cluster
  shop: Shop
  server: Server
  address: string
}

export async function benchGrpc(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const port = await freePort()
  const shop = await openShop(cluster, { masterKey, tills: QUEUES })
  const settings = { GRPC_PORT: String(port) }
  const start = () =>
    startServer({ databaseUrl: cluster.url, masterKey, settings, profile: options.profile })
  const address = `http://127.0.0.1:${port}`
  const server = await start()
  let rows: Row[]
  try {
    rows = await signing({ options, cluster, shop, server, address })
  } finally {
    await server.stop()
  }
  // a fresh process: what the load has left in memory would hide what the export takes
  const fresh = await start()
  try {
    const journal = await exporting({ options, cluster, shop, server: fresh, address })
    return {
      ...journal,
      figures: [...signFigures(rows), ...journal.figures],
      rounds: rows.map((row) => ({ ...row })),
    }
  } finally {
    await fresh.stop()
  }
}

async function signing({ options, cluster, shop, server, address }: Stand): Promise<Row[]> {
  const moment = new Date().toISOString()
  for (const till of shop.tills) await signOne(server.url, till, startText(till.cashBoxId, moment))
  const generator = findGenerator()
  const load = async (door: Door, seconds: number): Promise<Row> => {
    const before = cpuMs(server.pid) ?? Number.NaN
    const result = await (door === 'grpc'
      ? runGrpc({
          url: address,
          path: `${SERVICE}/Sign`,
          targets: shop.tills.map((till) => targetOf(till, moment)),
          connections: CLIENTS / STREAMS,
          streams: STREAMS,
          seconds,
        })
      : generator.run({
          url: server.url,
          targets: shop.tills.map((till) => ({
            path: signPath(till),
            headers: headersOf(till),
            body: saleText(till.cashBoxId, moment),
          })),
          clients: CLIENTS,
          seconds,
        }))
    const cpu = (cpuMs(server.pid) ?? Number.NaN) - before
    return { door, ...result, cpuMicroseconds: (cpu * 1000) / result.requests }
  }
  for (const door of DOORS) await load(door, WARM_UP_SECONDS)
  const rows: Row[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    await cluster.settle()
    for (const door of DOORS) rows.push(await load(door, options.seconds))
  }
  return rows
}

function signFigures(rows: readonly Row[]): PartResult['figures'] {
  const of = (door: Door, value: (row: Row) => number) =>
    median(rows.filter((row) => row.door === door).map(value))
  const rate = (door: Door) => of(door, (row) => row.perSecond)
  const cpu = (door: Door) => of(door, (row) => row.cpuMicroseconds)
  return [
    {
      name: `Signing over gRPC, ${QUEUES} queues, by REST JSON`,
      value: rate('grpc') / rate('json'),
      unit: 'ratio',
      target: { atLeast: 0.6 },
    },
    { name: 'gRPC', value: rate('grpc'), unit: 'receipts/s' },
    { name: 'REST JSON in the same run', value: rate('json'), unit: 'receipts/s' },
    { name: 'Processor time of the server, gRPC', value: cpu('grpc'), unit: 'µs/receipt' },
    { name: 'Processor time of the server, REST JSON', value: cpu('json'), unit: 'µs/receipt' },
  ]
}

function targetOf(till: Till, moment: string): GrpcTarget {
  const { cashBoxId, accessToken } = till
  const message = receiptMessage(saleText(cashBoxId, moment)).toString('base64')
  return { metadata: { cashboxid: cashBoxId, accesstoken: accessToken }, message }
}

async function exporting({ options, cluster, shop, server, address }: Stand): Promise<PartResult> {
  const [till] = shop.tills
  if (till === undefined) throw new Error('the shop has no till')
  await fillJournal(cluster, till, options.receipts)
  const figures = await journalFigures({
    door: 'gRPC',
    rows: options.receipts,
    pid: server.pid,
    download: (to) => download(address, till, to),
  })
  const notes = ['gRPC leaves over plain sockets, as frames that are made before they are needed.']
  return { figures, rounds: [], notes }
}

/** How many bytes came over the wire. */
function download(address: string, till: Till, to: bigint): Promise<number> {
  const { cashBoxId, accessToken } = till
  const session = http2.connect(address)
  return new Promise<number>((resolve, reject) => {
    session.once('error', reject)
    const stream = session.request({
      ':method': 'POST',
      ':path': `${SERVICE}/Journal`,
      'content-type': 'application/grpc',
      te: 'trailers',
      cashboxid: cashBoxId,
      accesstoken: accessToken,
    })
    let bytes = 0
    let status: unknown
    stream.on('data', (piece: Buffer) => {
      bytes += piece.length
    })
    stream.on('trailers', (headers) => {
      status = headers['grpc-status']
    })
    stream.on('error', reject)
    stream.on('close', () => {
      if (status === '0') resolve(bytes)
      else reject(new Error(`the journal ended with status ${String(status)}`))
    })
    stream.end(journalMessage(RAW_AUSTRIA, to))
  }).finally(() => session.close())
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
