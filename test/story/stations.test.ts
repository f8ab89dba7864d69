import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executedFiles } from '../support/executed.js'
import { posHeaders } from '../support/pos-server.js'
import { openShop, type Shop } from '../support/shop.js'

let shop: Shop
beforeAll(async () => {
  // as for whoever calls soon again: on a full machine two calls lie further apart
  shop = await openShop({ credentialsMs: 3_600_000 }, undefined, { countries: ['AT'] })
})
afterAll(() => shop.close())

function receipt(charge: string, pay: string, receiptCase: string): string {
  return JSON.stringify({
    ftCashBoxID: shop.box.cashBoxId,
    cbTerminalID: '1',
    cbReceiptReference: randomUUID(),
    cbReceiptMoment: '2026-03-14T10:00:00Z',
    cbChargeItems: [
      { Quantity: 1, Description: 'Melange', Amount: 4.2, VATRate: 20, ftChargeItemCase: charge },
    ],
    cbPayItems: [{ Quantity: 1, Description: 'Bar', Amount: 4.2, ftPayItemCase: pay }],
    ftReceiptCase: receiptCase,
  })
}

async function middleware(): Promise<void> {
  const { cashBoxId: cashboxid, accessToken: accesstoken, queueId } = shop.box
  const headers = { cashboxid, accesstoken, 'content-type': 'application/json' }
  const words = ['4707387510509010947', '4707387510509010945', '4707387510509010945'] as const
  const url = `${shop.url}/${queueId}/json/v1/sign`
  const answer = await fetch(url, { method: 'POST', headers, body: receipt(...words) })
  expect(answer.status, await answer.text()).toBe(200)
}

async function posSystem(): Promise<void> {
  const headers = { ...posHeaders(shop.box), 'content-type': 'application/json' }
  const words = ['0x4154200000000013', '0x4154200000000001', '0x4154200000000001'] as const
  const url = `${shop.url}/v2/sign`
  const answer = await fetch(url, { method: 'POST', headers, body: receipt(...words) })
  expect(answer.status, await answer.text()).toBe(201)
}

const page = readFileSync(new URL('../../docs/sign-cycle.md', import.meta.url), 'utf8')

/** Files that a part of the page names, with the market of this receipt. */
function stationsIn(text: string): string[] {
  const named = text
    .replaceAll('<cc>', 'at')
    .matchAll(/`((?:api|case|core|market|model|store)\/[^`]+\.ts)`/g)
  return [...new Set([...named].map(([, path = '']) => path))]
}

const [table = '', further = ''] =
  page.split('## Won, lost, unknown')[0]?.split('There is no timer') ?? []
const middlewareStations = stationsIn(table)
const posParagraph = further.split('**Through the PosSystem API**')[1]?.split('**A large')[0] ?? ''
const posStations = [
  ...stationsIn(posParagraph),
  ...middlewareStations.filter((path) => !path.startsWith('api/') && !path.startsWith('model/')),
]

const MOST_FILES = { middleware: 104, posSystem: 129 }
const ROUNDS = { least: 6, most: 40 }

/**
 * Files that every one of some calls executes: other work in between is not in all of them. A full
 * machine takes more calls for that, so they go on while the files are more than a call may take.
 */
async function executedBy(call: () => Promise<void>, budget: number): Promise<string[]> {
  for (let round = 0; round < 3; round += 1) await call()
  let executed = await executedFiles(call)
  for (let round = 1; round < ROUNDS.most; round += 1) {
    if (round >= ROUNDS.least && executed.length <= budget) break
    // work that one call has left behind is over before the next one
    await sleep(200)
    const again = new Set(await executedFiles(call))
    executed = executed.filter((path) => again.has(path))
  }
  return executed
}

describe('the road of a receipt', () => {
  it('through the Middleware has the stations of its page, and at most 12', async () => {
    const executed = await executedBy(middleware, MOST_FILES.middleware)
    expect(executed).toEqual(expect.arrayContaining(middlewareStations))
    expect(middlewareStations.length).toBeLessThanOrEqual(12)
    expect(executed.length, 'files executed').toBeLessThanOrEqual(MOST_FILES.middleware)
  })

  it('through the PosSystem API has the stations of its page, and at most 15', async () => {
    const executed = await executedBy(posSystem, MOST_FILES.posSystem)
    expect(executed).toEqual(expect.arrayContaining(posStations))
    expect(posStations.length).toBeLessThanOrEqual(15)
    expect(executed.length, 'files executed').toBeLessThanOrEqual(MOST_FILES.posSystem)
  })
})
