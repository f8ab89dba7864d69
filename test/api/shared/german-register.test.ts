// What a German register gets over real HTTP: journals as ZIP in groups B and D, and answers to the
// requests of the demo and of docs/examples that hold nothing but what the law wants.
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lesson } from '../../../src/cli/demo.js'
import type { DemoCashBox } from '../../../src/core/rollout/demo.js'
import { tarMembers } from '../../support/de/tse-log.js'
import { unzipped } from '../../support/dsfinvk-zip.js'
import { posHeaders } from '../../support/pos-server.js'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
let box: DemoCashBox

beforeAll(async () => {
  shop = await openShop({}, undefined, { countries: ['AT', 'DE'] })
  const found = shop.demo.cashBoxes.find(({ market }) => market === 'DE')
  if (found === undefined) throw new Error('the demo has no German cash box')
  box = found
})
afterAll(() => shop.close())

const JSON_TYPE = { 'content-type': 'application/json' }

interface Got {
  status: number
  type: string | null
  bytes: Buffer
}

async function got(answer: Response): Promise<Got> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('content-type'), bytes }
}

/** Group B, `POST …/sign` and `POST …/journal`. */
async function groupB(path: string, body?: string): Promise<Got> {
  const headers = { ...JSON_TYPE, cashboxid: box.cashBoxId, accesstoken: box.accessToken }
  const init = body === undefined ? {} : { body }
  return got(await fetch(`${shop.url}/${path}`, { method: 'POST', headers, ...init }))
}

async function groupD(type: string): Promise<Got> {
  const headers = { ...JSON_TYPE, ...posHeaders(box) }
  const body = JSON.stringify({ ftJournalType: type })
  return got(await fetch(`${shop.url}/v2/journal`, { method: 'POST', headers, body }))
}

const groups: [string, (type: string) => Promise<Got>][] = [
  ['B', (type) => groupB(`${box.queueId}/json/v1/journal?type=${type}`)],
  ['B under its other address', (type) => groupB(`${box.queueId}/journal?type=${type}`)],
  ['D', groupD],
]

interface Item {
  ftSignatureType: number
  Caption?: string
  caption?: string
}

/** Captions of items that are neither of the TSE nor the mark of the sandbox. */
function strangers(answer: string): string[] {
  const items = (
    JSON.parse(answer.replace(/("ftSignatureType":)(\d+)/g, '$1"$2"')) as {
      ftSignatures: (Omit<Item, 'ftSignatureType'> & { ftSignatureType: string })[]
    }
  ).ftSignatures
  return items
    .filter(({ ftSignatureType }) => !isOfTse(BigInt(ftSignatureType)))
    .map(({ caption, Caption }) => caption ?? Caption ?? '')
    .filter((caption) => caption !== 'S A N D B O X')
}

/** The QR code (1) and the parts of a signed transaction (0x10 to 0x23). */
function isOfTse(type: bigint): boolean {
  const code = type - 0x4445_0000_0000_0000n
  return code === 1n || (code >= 0x10n && code <= 0x23n)
}

describe('the requests of a German register', () => {
  it('that the demo prints are answered without hint or warning', async () => {
    const addresses = { middleware: shop.url, possystem: shop.url }
    const own = lesson(shop.demo, addresses)
      .split('\n')
      .filter((line) => line.includes(box.queueId))
    const sales = own.flatMap(
      (line) => /-d '(\{"ftCashBoxID.*?\})' \S*\/sign/.exec(line)?.[1] ?? [],
    )
    expect(sales.length).toBe(1)
    for (const sale of sales) {
      const { status, bytes } = await groupB(`${box.queueId}/json/v1/sign`, sale)
      expect([status, strangers(String(bytes))]).toEqual([200, []])
    }
    const daily = { ftReceiptCase: '0x4445000100000007', cbReceiptMoment: new Date() }
    const closing = { ...daily, ftCashBoxID: box.cashBoxId, cbChargeItems: [], cbPayItems: [] }
    const closed = await groupB(`${box.queueId}/json/v1/sign`, JSON.stringify(closing))
    expect(closed.status, String(closed.bytes)).toBe(200)
  })

  it('in docs/examples are answered without hint or warning', async () => {
    const folder = new URL('../../../docs/examples/de/out/', import.meta.url)
    let seen = 0
    for (const name of await readdir(folder)) {
      const lines = (await readFile(new URL(name, folder), 'utf8')).split('\n')
      for (const line of lines.filter((one) => one.startsWith('{"ftCashBoxID"'))) {
        // the outage of its example is told in the answer, as it should be
        if (line.includes('"ftState":4919338167972134914')) continue
        seen += 1
        expect([name, strangers(line)]).toEqual([name, []])
      }
    }
    expect(seen).toBeGreaterThan(4)
  })
})

describe('the ZIP flag of a journal of version 2', () => {
  it.each(groups)('gives the TAR and the status as one entry in group %s', async (_name, ask) => {
    for (const type of ['0x4445200000001001', '0x4445200000001003']) {
      const plain = await ask(type)
      const zip = await ask(type.replace(/0000100(\d)$/, '0001100$1'))
      expect([plain.status, zip.status, zip.type]).toEqual([200, 200, 'application/zip'])
      const files = [...(await unzipped(zip.bytes))]
      expect(files.map(([name]) => name)).toEqual([expect.stringMatching(/\.tar$/)])
      const names = (tar: Buffer) => [...tarMembers(tar)].map(({ name }) => name)
      expect(names(files[0]?.[1] ?? Buffer.alloc(0))).toEqual(names(plain.bytes))
      expect(names(plain.bytes).length).toBeGreaterThan(0)
    }
    const status = [...(await unzipped((await ask('0x4445200000011000')).bytes))]
    expect(JSON.parse(String(status[0]?.[1]))).toHaveProperty('QueueDEList')
  })

  it.each(groups)('leaves a DSFinV-K the one ZIP that it is in group %s', async (_name, ask) => {
    const { status, type, bytes } = await ask('0x4445200000011002')
    expect([status, type]).toEqual([200, 'application/zip'])
    expect([...(await unzipped(bytes)).keys()]).toContain('transactions_tse.csv')
  })

  it.each(groups)('is no flag where the word is not of version 2, in group %s', async (_n, ask) => {
    expect((await ask('0x4445000000010001')).status).toBe(400)
  })
})
