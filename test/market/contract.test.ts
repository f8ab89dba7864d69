// What every market of the table has to keep, whatever its law says. docs/new-market.md names it.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withWords } from '../../src/case/reader.js'
import { admit } from '../../src/case/refusals.js'
import {
  countryWord,
  isReceiptRequest,
  withoutReceiptRequest,
  wordOf,
} from '../../src/case/word.js'
import { lesson } from '../../src/cli/demo.js'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { FiscalError } from '../../src/errors.js'
import { shortId } from '../../src/lib/id.js'
import { writeJson } from '../../src/lib/json-write.js'
import type { Market } from '../../src/market/contract.js'
import { markets, typesOf } from '../../src/market/index.js'
import { decodeRequest } from '../../src/model/receipt-json.js'
import { openShop, type Shop } from '../support/shop.js'

const table: [string, Market][] = Object.entries(markets)
const COUNTRY_BITS = 48n

/** The demo's sale of a market as a request, with another case where one is given. */
function saleOf(market: Market, receiptCase?: bigint) {
  const more = receiptCase === undefined ? {} : { ftReceiptCase: receiptCase }
  const moment = { cbReceiptMoment: '2026-01-31T10:15:00Z' }
  return decodeRequest(writeJson({ ...moment, ...market.rollout.demo.sale, ...more })).request
}

describe.each(table)('market %s', (code, market) => {
  it('has facts that the rest of the world understands', () => {
    const { facts } = market
    expect(facts.code).toBe(code)
    expect(code).toMatch(/^[A-Z]{2}$/)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: facts.zone })).not.toThrow()
    expect(Intl.supportedValuesOf('currency')).toContain(facts.currency)
    expect(market.cases.country).toBe(code)
  })

  it('reads its own configuration and state back as they were', () => {
    const configuration = market.queue.configuration.parse({})
    expect(market.queue.configuration.parse(JSON.parse(JSON.stringify(configuration)))).toEqual(
      configuration,
    )
    const state = market.queue.initial()
    expect(market.queue.state.parse(JSON.parse(JSON.stringify(state)))).toEqual(state)
  })

  it('has the references that the PosSystem API names looked up, beside its own', () => {
    const { request } = withWords(saleOf(market))
    const sale = withWords({ ...request, previousReceiptReference: 'R1' })
    const sought = market.queue.lookUp(sale, ['R1', 'R2']) ?? []
    const references = sought.map(({ reference }) => reference)
    expect(new Set(references).size).toBe(references.length)
    const found = sought.filter(({ wants }) => wants !== 'rows').map(({ reference }) => reference)
    expect(found).toEqual(expect.arrayContaining(['R1', 'R2']))
    expect(market.queue.lookUp(withWords(saleOf(market)), [])).toBeUndefined()
  })

  it('takes the name that a queue gets when none is given', () => {
    for (let n = 0; n < 50; n += 1) {
      const name = shortId(randomUUID())
      expect(market.queue.identification.safeParse(name).success, name).toBe(true)
    }
  })

  it('admits its own sale and refuses that of another country', () => {
    const { receiptCase } = saleOf(market)
    expect(() => admit(withWords(saleOf(market)), market.cases)).not.toThrow()
    const elsewhere = (countryWord('XX') << COUNTRY_BITS) | (receiptCase & 0xffff_ffff_ffffn)
    expect(() => admit(withWords(saleOf(market, elsewhere)), market.cases)).toThrow(FiscalError)
  })

  it('knows a receipt request, and the case without it', () => {
    const { receiptCase } = saleOf(market)
    expect(isReceiptRequest(wordOf(receiptCase))).toBe(false)
    const flags = Array.from({ length: 48 }, (_, bit) => receiptCase | (1n << BigInt(bit)))
    const requests = flags.filter((word) => isReceiptRequest(wordOf(word)))
    expect(requests.length).toBeGreaterThan(0)
    for (const word of requests) {
      expect(isReceiptRequest(wordOf(withoutReceiptRequest(word)))).toBe(false)
    }
  })

  it('finds its legal export by its word, and takes no word of another country', () => {
    const { journalType } = market.rollout.demo
    expect(journalType).toMatch(/^0x[0-9A-F]{16}$/)
    const word = BigInt(journalType)
    const found = typesOf(market).find((one) => one.matches(word))
    expect(found).toMatchObject({ contentType: expect.stringMatching(/^[a-z]+\/[a-z+-]+/) })
    for (const other of ['XX', 'ZZ', ...table.map(([letters]) => letters)]) {
      if (other === code) continue
      const foreign = (countryWord(other) << COUNTRY_BITS) | (word & 0xffff_ffff_ffffn)
      expect(typesOf(market).some((one) => one.matches(foreign))).toBe(false)
    }
  })

  it('has a software device for the demo, which keeps its secrets apart', async () => {
    const driver = market.drivers[market.rollout.demo.scuPackage]
    expect([driver?.software, driver?.remote]).toEqual([true, false])
    const made = await driver?.create({
      id: randomUUID(),
      configuration: driver.configuration.parse({}),
      now: new Date('2026-01-31T10:15:00Z'),
      randomBytes,
    })
    const secrets = Object.values(JSON.parse(made?.secrets ?? '{}') as Record<string, string>)
    expect(secrets.length).toBeGreaterThan(0)
    for (const secret of secrets) {
      expect(`${made?.configuration}${made?.state}`).not.toContain(secret)
    }
  })

  it('takes fault scripts where the device is in this server, and nowhere else', () => {
    for (const driver of Object.values(market.drivers)) {
      expect(driver.faults.length > 0).toBe(driver.software)
    }
  })
})

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

describe.each(table)('the demo of market %s', (code, market) => {
  it('signs its sale, exports its journal, and the verifier accepts it', async () => {
    const box = shop.demo.cashBoxes.find((one) => one.market === code)
    const headers = { cashboxid: box?.cashBoxId ?? '', accesstoken: box?.accessToken ?? '' }
    const post = (path: string, body = '') =>
      fetch(`${shop.url}/${box?.queueId}/json/v1/${path}`, { method: 'POST', headers, body })
    const moment = new Date().toISOString()
    const members = {
      cbReceiptReference: '1',
      cbReceiptMoment: moment,
      ...market.rollout.demo.sale,
    }
    const sale = await post('sign', writeJson(members))
    expect(sale.status, await sale.text()).toBe(200)

    const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-contract-'))
    try {
      const file = join(folder, market.rollout.demo.exportFile)
      const journal = await post(`journal?type=${market.rollout.demo.journalType}`)
      writeFileSync(file, Buffer.from(await journal.arrayBuffer()))
      expect(await verifyFile(file)).toMatchObject({ ok: true, findings: [] })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is in the lines that people paste', () => {
    const addresses = { middleware: shop.url, possystem: shop.url }
    expect(lesson(shop.demo, addresses)).toContain(`# --- ${code}: queue`)
  })
})
