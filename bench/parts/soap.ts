// Receipts through SOAP and REST XML against REST JSON of the same server, turn by turn. Called by
// run.ts.
import { randomBytes } from 'node:crypto'
import type { Target } from '../load/load.js'
import type { Options } from '../options.js'
import type { Figure, PartResult } from '../report/figures.js'
import type { Cluster } from '../stand/cluster.js'
import { receiptElement, signEnvelope } from '../stand/envelope.js'
import { headersOf, signOne, signPath } from '../stand/post.js'
import { saleText, startText } from '../stand/receipt.js'
import { startServer } from '../stand/server.js'
import { openShop, type Till } from '../stand/shop.js'
import { taking } from '../stand/turns.js'

const QUEUES = 64

const DOORS = ['json', 'xml', 'soap'] as const
type Door = (typeof DOORS)[number]

export async function benchSoap(options: Options, cluster: Cluster): Promise<PartResult> {
  const masterKey = randomBytes(32)
  const shop = await openShop(cluster, { masterKey, tills: QUEUES })
  const server = await startServer({ databaseUrl: cluster.url, masterKey })
  const moment = new Date().toISOString()
  try {
    for (const till of shop.tills) {
      await signOne(server.url, till, startText(till.cashBoxId, moment))
    }
    const { rows, rate } = await taking({ options, cluster, server }, DOORS, (door) =>
      shop.tills.map((till) => targetOf(door, till, moment)),
    )
    return {
      figures: figuresOf(rate),
      rounds: rows.map((row) => ({ ...row })),
      notes: ['The doors take turns on one server; the receipt is the same in three forms.'],
    }
  } finally {
    await server.stop()
  }
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
