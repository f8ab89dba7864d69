// Issued receipts as readers ask for them: each format by itself, pages over HTTP with every view
// stored, and signing while many pictures are drawn.
import { randomBytes, randomUUID } from 'node:crypto'
import { findGenerator } from '../load/generator.js'
import type { LoadResult, Target } from '../load/load.js'
import type { Options } from '../options.js'
import { type Figure, median, type PartResult } from '../report/figures.js'
import { asking, type Cluster } from '../stand/cluster.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { numbered, saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop, type Till } from '../stand/shop.js'
import { formatFigures, LINES } from './render-formats.js'

const TILLS = 16
const RECEIPTS = 1000
const READERS = 32
const PICTURES = 50
const SIGNERS = 4
const WARM_UP_SECONDS = 5

export async function benchRender(options: Options, cluster: Cluster): Promise<PartResult> {
  const formats = await formatFigures()
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: TILLS })
  const { profile } = options
  const server = await startServer({ databaseUrl: cluster.url, masterKey, profile })
  try {
    const moment = new Date().toISOString()
    const paths = await issueAll({ server, shop, moment })
    const stand: Stand = { options, cluster, server, shop, moment, paths }
    const views = await viewRounds(stand)
    const signs = await signRounds(stand)
    return {
      figures: [...formats, ...viewFigures(views), ...signFigures(signs)],
      rounds: [...views.map((row) => ({ side: 'views', ...row })), ...signs.flatMap(rowsOf)],
      notes: [
        `${RECEIPTS} receipts of ${LINES} lines were issued; ${READERS} readers go around them.`,
        `Signing: ${SIGNERS} clients on ${TILLS} queues, alone and beside ${PICTURES} clients ` +
          'that ask for PNG files of other receipts or widths than before.',
      ],
    }
  } finally {
    await server.stop()
  }
}

interface Stand {
  options: Options
  cluster: Cluster
  server: Server
  shop: Shop
  moment: string
  /** Of the pages of all issued receipts. */
  paths: string[]
}

/** Signs and issues; the addresses of the pages. */
async function issueAll({
  server,
  shop,
  moment,
}: Pick<Stand, 'server' | 'shop' | 'moment'>): Promise<string[]> {
  for (const till of shop.tills) {
    await signOne(server.url, till, startText(till.cashBoxId, moment))
  }
  const paths: string[] = []
  for (let number = 0; number < RECEIPTS; number += 1) {
    const till = tillOf(shop, number)
    const request = numbered(saleText(till.cashBoxId, moment, LINES), number)
    const response = await signOne(server.url, till, request)
    paths.push(await issueOne(server, till, { request, response }))
  }
  return paths
}

function tillOf({ tills }: Shop, number: number): Till {
  const till = tills[number % tills.length]
  if (till === undefined) throw new Error('the shop has no till')
  return till
}

async function issueOne(
  { url }: Server,
  till: Till,
  { request, response }: { request: string; response: string },
): Promise<string> {
  const answer = await fetch(`${url}/v2/issue`, {
    method: 'POST',
    headers: {
      'x-cashbox-id': till.cashBoxId,
      'x-cashbox-accesstoken': till.accessToken,
      'x-possystem-id': '00000000-0000-0000-0000-000000000000',
      'x-operation-id': randomUUID(),
      'content-type': 'application/json',
    },
    body: `{"ReceiptRequest":${request},"ReceiptResponse":${response}}`,
  })
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`issue answered ${answer.status}: ${text}`)
  return new URL((JSON.parse(text) as { DocumentURL: string }).DocumentURL).pathname
}

const get = (path: string, headers: Record<string, string>): Target => ({
  ...{ method: 'GET', path, headers, body: '' },
})

/** Pages of all receipts, after each was shown once; every view has to be in the database. */
async function viewRounds({ options, cluster, server, paths }: Stand): Promise<LoadResult[]> {
  const generator = findGenerator()
  const targets = paths.map((path) => get(path, { accept: 'text/html' }))
  const load = (seconds: number) =>
    generator.run({ url: server.url, targets, clients: READERS, seconds })
  await load(WARM_UP_SECONDS)
  const rows: LoadResult[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    await cluster.settle()
    const before = await storedViews(cluster)
    const row = await load(options.seconds)
    const stored = (await storedViews(cluster)) - before
    if (stored < row.requests) throw new Error(`${row.requests} views, ${stored} stored`)
    rows.push(row)
  }
  return rows
}

function storedViews({ config }: Cluster): Promise<number> {
  return asking(config, async (client) => {
    const found = await client.query<{ count: string }>(
      `select count(*) as count from delivery where method = 'viewed' and counts`,
    )
    return Number(found.rows[0]?.count)
  })
}

interface SignRound {
  idle: LoadResult
  loaded: LoadResult
  pictures: LoadResult
}

async function signRounds(stand: Stand): Promise<SignRound[]> {
  const { options, cluster, server, shop, moment, paths } = stand
  const generator = findGenerator()
  const sales = shop.tills.map((till) => ({
    path: signPath(till),
    headers: headersOf(till),
    body: saleText(till.cashBoxId, moment),
  }))
  const sign = (seconds: number) =>
    generator.run({ url: server.url, targets: sales, clients: SIGNERS, seconds })
  const draw = (width: number) => {
    const headers = { accept: 'image/png', 'x-print-width': `${width}mm` }
    const targets = paths.map((path) => get(path, headers))
    // longer than signing, so that it is never alone
    const seconds = options.seconds + 2
    return generator.run({ url: server.url, targets, clients: PICTURES, seconds })
  }
  await sign(WARM_UP_SECONDS)
  await draw(FIRST_WIDTH - 1)
  const rounds: SignRound[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    await cluster.settle()
    const idle = await sign(options.seconds)
    const drawing = draw(FIRST_WIDTH + round)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const loaded = await sign(options.seconds)
    rounds.push({ idle, loaded, pictures: await drawing })
  }
  return rounds
}

/** No other round asks for it: nothing is in memory. */
const FIRST_WIDTH = 60

function rowsOf({ idle, loaded, pictures }: SignRound): Record<string, unknown>[] {
  return [
    { side: 'sign alone', ...idle },
    { side: 'sign beside pictures', ...loaded },
    { side: 'pictures', ...pictures },
  ]
}

function viewFigures(rows: readonly LoadResult[]): Figure[] {
  const value = median(rows.map(({ perSecond }) => perSecond))
  const name = `HTML pages over ${RECEIPTS} receipts, each view stored`
  return [{ name, value, unit: 'views/s', target: { atLeast: 2000 } }]
}

function signFigures(rounds: readonly SignRound[]): Figure[] {
  const p99 = (side: keyof SignRound) => median(rounds.map((round) => round[side].p99Ms))
  return [
    {
      name: `p99 of signing beside ${PICTURES} PNG requests, by p99 alone`,
      value: p99('loaded') / p99('idle'),
      unit: 'times as long',
      target: { atMost: 2 },
    },
    { name: 'p99 of signing alone', value: p99('idle'), unit: 'ms' },
    { name: 'p99 of signing beside PNG requests', value: p99('loaded'), unit: 'ms' },
    {
      name: 'PNG files drawn meanwhile',
      value: median(rounds.map(({ pictures }) => pictures.perSecond)),
      unit: 'files/s',
    },
  ]
}
