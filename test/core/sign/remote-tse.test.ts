// German queues with a TSE behind another server, through the sign path on a database.

import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withWords } from '../../../src/case/reader.js'
import { checkData } from '../../../src/core/audit/check/check.js'
import { exportJournal } from '../../../src/core/journal/export.js'
import type { SignJob } from '../../../src/core/sign/job.js'
import { REMOTE_PACKAGE } from '../../../src/market/de/devices/remote.js'
import { marketOf } from '../../../src/market/index.js'
import { decodeRequest } from '../../../src/model/receipt-json.js'
import type { Finding } from '../../../src/model/verdict.js'
import { tarFile } from '../../../src/verify/de/verifiers.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { SERVICE_CASH_BOX, SERVICE_TOKEN, TseService } from '../../support/de/tse-service.js'
import { connected } from '../../support/ledger.js'
import {
  answer,
  createTill,
  openStand,
  type Stand,
  type Till,
  testKey,
} from '../../support/stand.js'

const IMPLICIT = 0x4445_0001_0000_0000n
const cases = { sale: 1n, zero: 2n, start: 3n, daily: 7n } as const
/** Archived TARs. */
const ARCHIVES = 0x4445_0000_0000_0003n
const DSFINVK = 0x4445_0000_0000_0002n
const MEMORY = 0x4445_0000_0000_0001n

let database: TestDatabase
let client: pg.Client
let service: TseService
let stand: Stand
const masterKey = testKey()

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})
beforeEach(async () => {
  service = await TseService.start()
  stand = open()
})
afterEach(async () => {
  await stand.close()
  await service.close()
})

function open(deps: NonNullable<Parameters<typeof openStand>[1]>['deps'] = {}): Stand {
  return openStand(database.config, { masterKey, allow: [`127.0.0.1:${service.port}`], deps })
}

function newTill(identification: string, shares?: Till): Promise<Till> {
  const configuration = { 'scu-timeout-ms': 2000 }
  const queue = { market: 'DE', identification, configuration }
  const credentials = { cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN }
  const scu = { package: REMOTE_PACKAGE, url: service.url, configuration: credentials }
  if (shares !== undefined) return createTill(stand, { shares, queue, started: false })
  return createTill(stand, { scu: { market: 'DE', ...scu }, queue, started: false })
}

function job(
  till: Till,
  name: keyof typeof cases,
  reference: string,
): SignJob & { market: string } {
  const isSale = name === 'sale'
  const text =
    `{"ftCashBoxID":"${till.cashBoxId}","cbTerminalID":"1","cbReceiptReference":"${reference}",` +
    `"cbReceiptMoment":"2026-01-31T10:15:00Z","cbChargeItems":[${isSale ? CHARGE : ''}],` +
    `"cbPayItems":[${isSale ? PAY : ''}],"ftReceiptCase":${IMPLICIT | cases[name]}}`
  const { request, wcfDates } = decodeRequest(text)
  const { accountId, cashBoxId, queueId } = till
  const style = { wcfDates, pascal: false }
  return {
    ...{ accountId, cashBoxId, queueId, market: 'DE', version: 'v1' as const },
    ...withWords(request),
    ...{ requestText: text, style },
  }
}

const CHARGE =
  '{"Quantity":1.0,"Description":"Brot","Amount":1.07,"VATRate":7.0,' +
  `"ftChargeItemCase":${0x4445_0000_0000_0012n}}`
const PAY =
  '{"Quantity":1.0,"Description":"Bar","Amount":1.07,' +
  `"ftPayItemCase":${0x4445_0000_0000_0001n}}`

const send = (till: Till, name: keyof typeof cases, reference: string) =>
  answer(stand.signing.sign(job(till, name, reference)))

async function started(identification: string, shares?: Till): Promise<Till> {
  const till = await newTill(identification, shares)
  expect(await send(till, 'start', 'start')).toContain('In-Betriebnahme-Beleg')
  return till
}

const rowsOf = async (till: Till, kind: string) =>
  (
    await client.query(
      'select * from market_row where queue_id = $1 and kind = $2 order by time_stamp',
      [till.queueId, kind],
    )
  ).rows

async function exported({ accountId, queueId }: Till, type: bigint): Promise<Buffer> {
  const deps = { store: stand.store, marketOf, now: () => new Date() }
  const range = { from: 0n, to: 0n }
  const { body } = await exportJournal(deps, { accountId, queueId, type, range })
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

async function verified(tar: Buffer) {
  const found: Finding[] = []
  const sink = { add: (one: Finding) => found.push(one), clear: () => found.splice(0) }
  async function* read(range = { start: 0, end: tar.length }) {
    yield tar.subarray(range.start, range.end)
  }
  const summary = await tarFile.verify(read, {}, sink)
  expect(found.filter(({ notice }) => notice !== true)).toEqual([])
  return summary
}

/** What the checker of stored data finds in everything that these tests have written. */
async function violations(): Promise<string[]> {
  const found: string[] = []
  const deps = { store: stand.store, marketOf, now: () => new Date() }
  await checkData(deps, ({ code, text }) => found.push(`${code} ${text}`))
  return found
}

const FAILED = 'Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen'

describe('a German queue with a remote TSE', () => {
  it('sells, survives an outage, and closes with an archive that verifies', async () => {
    const till = await started('KASSE-0001')
    const sold = await send(till, 'sale', 'first')
    expect(sold).toContain(
      'V0;KASSE-0001;Kassenbeleg-V1;Beleg^0.00_1.07_0.00_0.00_0.00^1.07:Bar;2;',
    )
    service.bend = ({ response }) => response.destroy() !== undefined
    expect(await send(till, 'sale', 'outage')).toContain(FAILED)
    const asked = service.calls.length
    expect(await send(till, 'sale', 'outage goes on')).toContain(FAILED)
    expect(service.calls).toHaveLength(asked)
    service.bend = () => false
    expect(await send(till, 'zero', 'back')).toContain('TSE Kommunikation wiederhergestellt')
    expect(await send(till, 'sale', 'again')).not.toContain(FAILED)
    await send(till, 'daily', 'closing')
    const [archive, ...others] = await rowsOf(till, 'archive')
    expect(others).toEqual([])
    const tar = await exported(till, ARCHIVES)
    expect(await verified(tar)).toMatchObject({ archives: 1, messages: 13, proven: 13 })
    expect(JSON.parse(archive?.content)).toMatchObject({ from: 1, to: 13, erased: true })
    expect((await service.stand.info()).logMemory).toBe(0)
    expect(await exported(till, MEMORY)).toHaveLength(0)
    expect((await exported(till, DSFINVK)).length).toBeGreaterThan(1000)
    expect(await violations()).toEqual([])
  })

  it('stores the item first, and the next closing ends what a crash left open', async () => {
    const till = await started('KASSE-0001')
    // after a closing, what the TSE has open is known
    await send(till, 'daily', 'day before')
    let passed = 0
    const broken = open({
      failPoints: {
        reach: (name) => {
          if (name !== 'before-commit') return undefined
          passed += 1
          return passed < 2 ? undefined : Promise.reject(new Error('stopped'))
        },
      },
    })
    service.bend = ({ operation, response }) =>
      operation === 'finishtransaction' && response.destroy() !== undefined
    await expect(broken.signing.sign(job(till, 'sale', 'lost'))).rejects.toThrow('stopped')
    await broken.close()
    service.bend = () => false
    const items = await client.query(
      'select response from queue_item where queue_id = $1 order by row',
      [till.queueId],
    )
    expect(items.rows.map(({ response }) => response === null)).toEqual([false, false, true])
    expect((await service.stand.info()).openTransactions).toEqual([3])
    // the server that did not crash has not heard of it: its next receipt finds the newer head
    await send(till, 'sale', 'after')
    expect((await service.stand.info()).openTransactions).toEqual([3])
    await send(till, 'daily', 'closing')
    expect((await service.stand.info()).openTransactions).toEqual([])
    const log = service.stand.log.map(({ der }) => der.toString('latin1'))
    expect(log.filter((one) => one.includes('AVBelegabbruch'))).toHaveLength(1)
    expect(await verified(await exported(till, ARCHIVES))).toMatchObject({ archives: 2 })
    expect(await violations()).toEqual([])
  })

  it('shares it with another one, and each has the whole memory', async () => {
    const first = await started('KASSE-0001')
    const second = await started('KASSE-0002', first)
    const sales = [first, second, first, second, first, second]
    await Promise.all(sales.map((till, at) => send(till, 'sale', `s${at}`)))
    await send(first, 'daily', 'first closing')
    await send(second, 'daily', 'second closing')
    const messages = service.stand.log.length
    for (const till of [first, second]) {
      const whole = await verified(await exported(till, ARCHIVES))
      expect(whole).toMatchObject({ archives: 2, messages })
    }
    expect(await violations()).toEqual([])
  })
})
