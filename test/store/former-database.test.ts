// A database that an older version filled: this version brings it up, is killed meanwhile, begins
// again, reads all of it, and goes on.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkData } from '../../src/core/audit/check/check.js'
import { marketOf } from '../../src/market/index.js'
import { migrate, missingMigrations } from '../../src/postgres/migrate.js'
import { quietLog } from '../support/data-folder.js'
import type { TestDatabase } from '../support/db.js'
import { unzipped } from '../support/dsfinvk-zip.js'
import { type FormerBox, keptDatabases, openFormer } from '../support/former-database.js'
import { openShop, type Shop } from '../support/shop.js'
import { unpacked } from '../support/tse-device.js'

const MASTER_KEY = createHash('sha256').update('former database of the tests').digest('base64')
const MARKETS = ['AT', 'DE']

describe.each(keptDatabases())('the database %s', (name) => {
  let shop: Shop
  let boxes: FormerBox[]
  let applied: string[]
  let broken: { refused: unknown; missing: string[] }
  const box = (market: string): FormerBox => {
    const found = boxes.find((one) => one.market === market)
    if (found === undefined) throw new Error(`the sample has no ${market}`)
    return found
  }
  beforeAll(async () => {
    const former = await openFormer(name)
    boxes = former.boxes
    broken = await killedWhileMigrating(former.database)
    applied = await migrate(former.database.config, quietLog)
    shop = await openShop({ MASTER_KEY }, undefined, { database: former.database })
  })
  afterAll(() => shop.close())

  async function call(market: string, path: string, body?: string, more = {}) {
    const { cashBoxId, accessToken } = box(market)
    const response = await fetch(shop.url + path, {
      method: 'POST',
      headers: { cashboxid: cashBoxId, accesstoken: accessToken, ...JSON_BODY, ...more },
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  it('is brought up by the migrations that it lacks', () => {
    expect(applied.length).toBeGreaterThan(0)
  })

  it('keeps what was finished when it was killed, and nothing of what was under way', () => {
    expect(broken.refused).toBeInstanceOf(Error)
    expect(broken.missing).toContain(RECORDED)
    expect(applied).toEqual(broken.missing.filter((one) => one !== 'of the job queue'))
  })

  it('is the demo that it was: nothing is made a second time, new countries come beside it', () => {
    const ids = (list: readonly { queueId: string; cashBoxId: string }[]) =>
      list.map(({ queueId, cashBoxId }) => [queueId, cashBoxId]).sort()
    const countries = new Set(boxes.map(({ market }) => market))
    const former = shop.demo.cashBoxes.filter(({ market }) => countries.has(market))
    expect(ids(former)).toEqual(ids(boxes))
  })

  it('holds nothing that this version finds fault with', async () => {
    expect(await violations(shop)).toEqual([])
  })

  it.each(MARKETS)('gives the journals that it gave, byte for byte: %s', async (market) => {
    const { queueId, exports } = box(market)
    const given: Record<string, unknown> = {}
    for (const type of Object.keys(exports)) {
      const { status, bytes } = await call(market, `/${queueId}/json/v1/journal?type=${type}`)
      expect(status).toBe(200)
      given[type] = Object.fromEntries(
        (await membersOf(bytes)).map(([member, content]) => [member, sha256(content)]),
      )
    }
    expect(given).toEqual(exports)
  })

  it.each(MARKETS)('repeats the answer of an operation that it had: %s', async (market) => {
    const { cashBoxId, accessToken, operation } = box(market)
    const headers = {
      'x-cashbox-id': cashBoxId,
      'x-cashbox-accesstoken': accessToken,
      'x-operation-id': operation.id,
      'x-possystem-id': 'till',
    }
    const { bytes } = await call(market, '/v2/sign', operation.body, headers)
    expect(bytes.toString()).toBe(operation.answer)
  })

  it.each(MARKETS)('shows the receipts that were issued: %s', async (market) => {
    const response = await fetch(shop.url + box(market).document, {
      headers: { accept: 'text/html' },
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Coffee')
  })

  describe('goes on', () => {
    async function sign(market: string, receipt: object) {
      const { queueId, cashBoxId } = box(market)
      const whole = {
        ...{ ftCashBoxID: cashBoxId, cbTerminalID: '1', cbReceiptMoment: '2026-11-22T09:00:00Z' },
        ...{ cbChargeItems: [], cbPayItems: [], ...receipt },
      }
      const { status, bytes } = await call(
        market,
        `/${queueId}/json/v1/sign`,
        JSON.stringify(whole),
      )
      expect(status, bytes.toString()).toBe(200)
      return bytes.toString()
    }
    const sale = (market: 'AT' | 'DE', reference: string) => ({
      cbReceiptReference: reference,
      cbChargeItems: [
        {
          ...{ Quantity: 1, Description: 'Tee', Amount: 3.6, VATRate: market === 'AT' ? 20 : 19 },
          ftChargeItemCase: market === 'AT' ? '0x4154000000000003' : '0x4445000000000001',
        },
      ],
      cbPayItems: [
        {
          ...{ Quantity: 1, Description: 'Cash', Amount: 3.6 },
          ftPayItemCase: market === 'AT' ? '0x4154000000000001' : '0x4445000000000001',
        },
      ],
      ftReceiptCase: market === 'AT' ? '0x4154000000000001' : '0x4445000000000001',
    })

    it('in Austria: a zero receipt ends the outage, and sales are signed', async () => {
      const zero = { cbReceiptReference: 'zero', ftReceiptCase: '0x4154000000000002' }
      expect(await sign('AT', zero)).toContain('"data":"Von ftD#14 bis ftE#15"')
      expect(await sign('AT', sale('AT', 'after'))).toContain('_R1-AT')
    })

    it('in Germany: the open transaction is finished, and the day closed', async () => {
      const finished = await sign('DE', sale('DE', 'kept-table'))
      expect(finished).toContain('V0;')
      const closing = { cbReceiptReference: 'closing', ftReceiptCase: '0x4445000108000007' }
      await sign('DE', closing)
    })

    it('and its journal goes on behind the rows that were there, in both forms', async () => {
      const { queueId } = box('AT')
      const { rows } = await shop.deps.store.pool.query(
        `select count(*) filter (where r.tableoid = 'recorded_receipt'::regclass) > 0 as joined,
           (select count(*) > 0 from market_journal m where m.queue_id = $1) as apart
         from receipt_journal r where r.queue_id = $1`,
        [queueId],
      )
      expect(rows).toEqual([{ joined: true, apart: true }])
      const whole = await call('AT', `/${queueId}/json/v1/journal?type=0x4154`)
      const ticks = [...whole.bytes.toString().matchAll(/"TimeStamp":(\d+)/g)].map(([, tick]) =>
        BigInt(tick ?? 0),
      )
      const stored = await shop.deps.store.pool.query(
        'select time_stamp from market_row where queue_id = $1 order by time_stamp',
        [queueId],
      )
      expect(ticks).toEqual(stored.rows.map((row) => row.time_stamp))
    })

    afterAll(async () => {
      expect(await violations(shop)).toEqual([])
    })
  })
})

/** Receipts and their records become one row. */
const RECORDED = '20261129000000_recorded_receipts'

/** A server that dies in the middle of that migration: its session ends while it waits. */
async function killedWhileMigrating({ config }: TestDatabase) {
  const [blocker, watcher] = [new pg.Client(config), new pg.Client(config)]
  await Promise.all([blocker.connect(), watcher.connect()])
  try {
    await blocker.query('begin')
    await blocker.query('lock table receipt_journal in share update exclusive mode')
    const migrating = migrate(config, quietLog).catch((error: unknown) => error)
    await vi.waitFor(
      async () => {
        const { rows } = await watcher.query(
          `select pg_terminate_backend(pid) as ended from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'
             and query like '%recorded_receipt%'`,
        )
        expect(rows).toEqual([{ ended: true }])
      },
      { timeout: 30_000, interval: 20 },
    )
    return { refused: await migrating, missing: await missingMigrations(config) }
  } finally {
    await Promise.all([blocker.end(), watcher.end()])
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** What is in an archive by name; a file that is none under ''. */
async function membersOf(bytes: Buffer): Promise<[string, Buffer][]> {
  if (bytes.subarray(0, 2).toString() === 'PK') return [...(await unzipped(bytes))]
  if (bytes.subarray(257, 262).toString() === 'ustar') {
    return (await unpacked(bytes)).map(({ name, content }) => [name, content])
  }
  const text = bytes.toString()
  const isDep7 = text.includes('"Belege-Gruppe"')
  return [['', isDep7 ? Buffer.from(JSON.stringify(JSON.parse(text))) : bytes]]
}

/** What the checker of stored data finds, the legal exports with it. */
async function violations({ deps: { store } }: Shop): Promise<string[]> {
  const found: string[] = []
  const { receipts } = await checkData({ store, marketOf, now: () => new Date() }, (violation) => {
    found.push(JSON.stringify(violation))
  })
  expect(receipts).toBeGreaterThan(60)
  return found
}
