// The collections for Postman and Bruno: every call of every table is in them once, and what can be
// sent as it stands is answered as its table says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brunoFiles, postmanFile } from '../../scripts/collections/files.js'
import { type Request, requests } from '../../scripts/collections/requests.js'
import { dealerOperations } from '../../src/api/dealer/operations.js'
import { middlewareTable } from '../../src/api/middleware/table.js'
import { platformOperations } from '../../src/api/platform/operations.js'
import { possystemTable } from '../../src/api/possystem/table.js'
import { receiptTable } from '../../src/api/receipt/table.js'
import { sandboxTable } from '../../src/api/sandbox/table.js'
import { openShop, type Shop } from '../support/shop.js'

const list = requests()

interface Item {
  name: string
  item?: Item[]
  request?: {
    method: string
    header: { key: string; value: string }[]
    url: { raw: string }
    body?: { raw: string }
  }
}

const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((one) => (one.item === undefined ? [one] : flat(one.item)))
const sent = flat((JSON.parse(postmanFile(list)) as { item: Item[] }).item)

describe('every call of the tables', () => {
  it('is there once', () => {
    const tables: [string, number][] = [
      ['PosSystem', possystemTable.routes.length],
      ['Middleware', middlewareTable(false).routes.length],
      ['Receipts', receiptTable.routes.length],
      ['Sandbox', sandboxTable.routes.length],
      ['Dealer', dealerOperations.length],
      ['Platform', platformOperations.length],
    ]
    for (const [group, count] of tables) {
      expect(list.filter((one) => one.group === group).length, group).toBe(count)
    }
    expect(sent).toHaveLength(list.length)
    // two of the same name would be one file: collection and environment beside them
    expect(brunoFiles(list).size).toBe(list.length + 2)
  })

  it('has its method and address in the file of Bruno', () => {
    const files = [...brunoFiles(list)].filter(([name]) => name.split('/').length === 3)
    const told = files.map(([, text]) => {
      const [, method = '', path = ''] =
        /^(\w+) \{\n {2}url: \{\{url\}\}([^?\n]*)/m.exec(text) ?? []
      return `${method.toUpperCase()} ${path}`
    })
    const wanted = list.map(({ method, path }) => `${method} ${path}`)
    expect(told.toSorted()).toEqual(wanted.toSorted())
    // a line of a block is never its end
    for (const [name, text] of files) {
      expect(text.match(/^\}$/gm)?.length, name).toBe(text.match(/^[\w:-]+ \{$/gm)?.length)
    }
  })
})

/** Calls that need no more than the environment, and end nothing. */
const TRIED = new Set(['PosSystem', 'Middleware', 'Dealer', 'Platform', 'Sandbox'])
/** Streams, what waits for something that was done before, and one of several parameters. */
const NEED_MORE = new Set([
  ...['/platform/v1/events/stream', '/v2/instore/events', '/v2/api/instore/events'],
  ...['/v2/pair', '/v2/api/instore/pair', '/v2/PayResponse'],
  ...['/api/configuration', '/api/configuration/{{cashBoxId}}'],
  ...['/v0/response', '/api/pos-operators-invitation/pdf'],
  ...['/platform/v1/inspection-file', '/platform/v1/actions'],
])
function isTried({ method, group, path, query }: Request): boolean {
  if (!TRIED.has(group) || NEED_MORE.has(path)) return false
  if (query.some(({ value, optional }) => !optional && value === '')) return false
  return method === 'GET' || (method === 'POST' && !['Dealer', 'Platform'].includes(group))
}

describe('what can be sent as it stands', () => {
  let shop: Shop
  let known: Record<string, string>
  beforeAll(async () => {
    shop = await openShop({}, undefined, { countries: ['AT'] })
    known = {
      ...{ url: '', cashBoxId: shop.box.cashBoxId, accessToken: shop.box.accessToken },
      ...{ queueId: shop.box.queueId, scuId: shop.box.scuIds[0] ?? '' },
      ...{ accountId: shop.demo.dealer.accountId, accountToken: shop.demo.dealer.accessToken },
    }
  })
  afterAll(() => shop?.close())

  const filled = (text: string): string =>
    text.replace(/\{\{([\w$]+)\}\}/g, (whole, name: string) =>
      name === '$guid' ? crypto.randomUUID() : (known[name] ?? whole),
    )

  it('is answered as its table says', async () => {
    const tried: string[] = []
    const wrong: string[] = []
    for (const [at, call] of list.entries()) {
      const { request } = sent[at] ?? {}
      if (request === undefined || !isTried(call)) continue
      const url = filled(request.url.raw)
      if (url.includes('{{')) continue
      const headers = Object.fromEntries(
        request.header.map(({ key, value }) => [key, filled(value)]),
      )
      const method = request.method as 'GET' | 'POST'
      const payload = request.body === undefined ? {} : { payload: filled(request.body.raw) }
      const answer = await shop.app.inject({ method, url, headers, ...payload })
      const name = `${call.group} ${method} ${call.path}`
      tried.push(name)
      if (!call.answers.includes(answer.statusCode)) {
        wrong.push(`${name}: ${answer.statusCode} ${answer.body.slice(0, 300)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(tried.length).toBeGreaterThan(40)
  }, 60_000)
})
