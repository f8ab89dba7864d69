// Receipts through SOAP and REST XML against REST JSON of the same server, turn by turn, and a long
// journal in one SOAP answer.
import { randomBytes } from 'node:crypto'
import * as http from 'node:http'
import type { Target } from '../load/load.js'
import type { Options } from '../options.js'
import type { Figure, PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { journalEnvelope, receiptElement, signEnvelope } from '../stand/envelope.js'
import { fillJournal, journalFigures, RAW_AUSTRIA } from '../stand/long-journal.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { type Server, startServer } from '../stand/server.js'
import { openShop, type Shop, type Till } from '../stand/shop.js'
import { taking } from '../stand/turns.js'

const QUEUES = 64

const DOORS = ['json', 'xml', 'soap'] as const
type Door = (typeof DOORS)[number]

export async function benchSoap(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: QUEUES })
  const start = () => startServer({ databaseUrl: cluster.url, masterKey })
  const moment = new Date().toISOString()
  const server = await start()
  let signing: PartResult
  try {
    for (const till of shop.tills) {
      await signOne(server.url, till, startText(till.cashBoxId, moment))
    }
    const { rows, rate } = await taking({ options, cluster, server }, DOORS, (door) =>
      shop.tills.map((till) => targetOf(door, till, moment)),
    )
    signing = {
      figures: figuresOf(rate),
      rounds: rows.map((row) => ({ ...row })),
      notes: ['The doors take turns on one server; the receipt is the same in three forms.'],
    }
  } finally {
    await server.stop()
  }
  // a fresh process: what the load has left in memory would hide what the export takes
  const fresh = await start()
  try {
    const figures = await exporting({ options, cluster, shop, server: fresh })
    return { ...signing, figures: [...signing.figures, ...figures] }
  } finally {
    await fresh.stop()
  }
}

interface Stand {
  options: Options
  cluster: Cluster
  shop: Shop
  server: Server
}

async function exporting({ options, cluster, shop, server }: Stand): Promise<Figure[]> {
  const [till] = shop.tills
  if (till === undefined) throw new Error('the shop has no till')
  await fillJournal(cluster, till, options.receipts)
  return journalFigures({
    door: 'SOAP',
    rows: options.receipts,
    pid: server.pid,
    download: (to) => download(server.url, till, to),
  })
}

/** How many bytes came over the wire. */
function download(url: string, till: Till, to: bigint): Promise<number> {
  const body = journalEnvelope(RAW_AUSTRIA, to)
  const headers = { ...headersOf(till), 'content-type': 'text/xml; charset=utf-8' }
  return new Promise((resolve, reject) => {
    const call = http.request(`${url}/${till.queueId}`, { method: 'POST', headers }, (reply) => {
      let bytes = 0
      let end = ''
      reply.on('data', (piece: Buffer) => {
        bytes += piece.length
        end = (end + piece.toString('latin1', Math.max(0, piece.length - 50))).slice(-50)
      })
      reply.on('error', reject)
      reply.on('end', () => {
        if (reply.statusCode === 200 && end.endsWith('</s:Envelope>')) resolve(bytes)
        else reject(new Error(`the journal ended with ${reply.statusCode} and ${end}`))
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}

function figuresOf(rate: (door: Door) => number): Figure[] {
  return [
    {
      name: `Signing over SOAP, ${QUEUES} queues, by REST JSON`,
      value: rate('soap') / rate('json'),
      unit: 'ratio',
      target: { atLeast: 0.6 },
    },
    { name: 'REST XML by REST JSON', value: rate('xml') / rate('json'), unit: 'ratio' },
    { name: 'SOAP', value: rate('soap'), unit: 'receipts/s' },
    { name: 'REST XML', value: rate('xml'), unit: 'receipts/s' },
    { name: 'REST JSON beside them', value: rate('json'), unit: 'receipts/s' },
  ]
}

function targetOf(door: Door, till: Till, moment: string): Target {
  const json = saleText(till.cashBoxId, moment)
  const headers = headersOf(till)
  if (door === 'json') return { path: signPath(till), headers, body: json }
  const type = { 'content-type': 'text/xml; charset=utf-8' }
  if (door === 'xml') {
    const path = `/${till.queueId}/xml/v1/sign`
    return { path, headers: { ...headers, ...type }, body: receiptElement(json) }
  }
  const soapaction = '"http://tempuri.org/IPOS/Sign"'
  return {
    path: `/${till.queueId}`,
    headers: { ...headers, ...type, soapaction },
    body: signEnvelope(json),
  }
}
