// The autopilot on German queues: a TSE in this server and one behind a service, transactions that
// an outage has interrupted, and what the log of the TSE has of it all.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyFile } from '../../../src/core/audit/verify/file.js'
import { exportJournal } from '../../../src/core/journal/export.js'
import { REMOTE_PACKAGE } from '../../../src/market/de/devices/remote.js'
import { marketOf } from '../../../src/market/index.js'
import type { Finding } from '../../../src/model/verdict.js'
import { tarFile } from '../../../src/verify/de/verifiers.js'
import { openPilot, outagesOf, type PilotStand, violationsOf } from '../../support/autopilot.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { masterData } from '../../support/de/story-shop.js'
import { SERVICE_CASH_BOX, SERVICE_TOKEN, TseService } from '../../support/de/tse-service.js'
import { connected } from '../../support/ledger.js'
import { createTill, type Till, testKey } from '../../support/stand.js'

const START = 0x4445_0000_0000_0008n
const FINISH = 0x4445_0000_0000_0001n
const ZERO = 0x4445_0001_0000_0002n
const FAIL = 0x4445_0000_0000_000bn
const CLOSING = 0x4445_0001_0000_0007n
const MEMORY = 0x4445_0000_0000_0001n
const DSFINVK = 0x4445_0000_0000_0002n
const ARCHIVES = 0x4445_0000_0000_0003n
const DEAD = [{ do: 'unreachable' }]
const none = { cents: null } as const

let database: TestDatabase
let client: pg.Client
const masterKey = testKey()

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.config)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const queue = { configuration: { init_masterData: masterData('Muster GmbH') } }

async function looks(stand: PilotStand, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await stand.look()
    await new Promise((done) => setTimeout(done, 10))
  }
}

async function itemsOf({ queueId }: Till): Promise<{ terminal: string; response: string }[]> {
  const { rows } = await client.query(
    `select terminal_id as terminal, coalesce(response, '') as response from queue_item
     where queue_id = $1 order by row`,
    [queueId],
  )
  return rows
}

const ownOf = async (till: Till) =>
  (await itemsOf(till)).filter(({ terminal }) => terminal === 'AUTOPILOT')

/** Signature counter of the TSE in this server: what it has logged. */
async function counterOf({ scuIds }: Till): Promise<number> {
  const { rows } = await client.query('select state from scu where id = $1', [scuIds[0]])
  return JSON.parse(rows[0].state).counter
}

/** Transactions that the log of the TSE has, as an independent reader finds them. */
async function logOf(stand: PilotStand, { accountId, queueId }: Till) {
  const range = { from: 0n, to: 0n }
  const deps = { store: stand.store, marketOf, now: () => new Date() }
  const { body } = await exportJournal(deps, { accountId, queueId, type: MEMORY, range })
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  const tar = Buffer.concat(pieces)
  const found: Finding[] = []
  const sink = { add: (one: Finding) => found.push(one), clear: () => found.splice(0) }
  async function* read(part = { start: 0, end: tar.length }) {
    yield tar.subarray(part.start, part.end)
  }
  const summary = await tarFile.verify(read, {}, sink)
  expect(found.filter(({ notice }) => notice !== true)).toEqual([])
  return summary as unknown as { messages: number; proven: number }
}

/** The archived log and the DSFinV-K as files, judged as `fiskalwerk verify` does. */
async function filesAreAccepted(stand: PilotStand, { accountId, queueId }: Till): Promise<void> {
  const deps = { store: stand.store, marketOf, now: () => new Date() }
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-autopilot-'))
  const paths: string[] = []
  for (const type of [DSFINVK, ARCHIVES]) {
    const range = { from: 0n, to: 0n }
    const { body } = await exportJournal(deps, { accountId, queueId, type, range })
    const path = join(folder, String(type))
    await writeFile(path, body)
    paths.push(path)
  }
  const [book = '', tar = ''] = paths
  for (const verdict of [await verifyFile(book, { tar }), await verifyFile(tar)]) {
    expect(verdict.findings).toEqual([])
    expect(verdict.ok).toBe(true)
  }
  await rm(folder, { recursive: true })
}

describe('a TSE in this server', () => {
  let stand: PilotStand
  beforeAll(() => {
    stand = openPilot(database.config, { masterKey })
  })
  afterEach(async () => expect(await violationsOf(stand)).toEqual([]))
  afterAll(() => stand.close())

  it('questions leave nothing in its log; the closing does, and ends what was left', async () => {
    const till = await createTill(stand, { market: 'DE', queue })
    await stand.sign(till, { receiptCase: START, reference: 'table 1', ...none })
    await stand.fault(till, DEAD)
    await stand.sign(till, { receiptCase: FINISH, reference: 'table 1' })
    await stand.sign(till, { receiptCase: START, reference: 'table 2', ...none })
    await stand.sign(till)
    const before = await counterOf(till)
    await looks(stand, 10)
    expect(await counterOf(till)).toBe(before)
    await stand.fault(till)
    await stand.closed(till)
    expect(await outagesOf({ deps: stand }, till.queueId)).toMatchObject([
      { closedBy: 'autopilot', receipts: 3, attempts: 0 },
    ])
    const [own, ...others] = await ownOf(till)
    expect(others).toEqual([])
    expect(own?.response).toContain('TSE Kommunikation wiederhergestellt')
    // its own transaction, the end of the first table, the begin of the second
    expect(await counterOf(till)).toBe(before + 2 + 1 + 1)
    await stand.sign(till, { receiptCase: FINISH, reference: 'table 2' })
    const { messages, proven } = await logOf(stand, till)
    expect(proven).toBe(messages)
    expect(messages).toBe(await counterOf(till))
    await stand.sign(till, { receiptCase: CLOSING, ...none })
    await filesAreAccepted(stand, till)
  })

  it('that says it is well and refuses to sign: few closings, nothing in its log', async () => {
    const till = await createTill(stand, { market: 'DE', queue })
    await stand.fault(till, [{ do: 'certificate-expired' }])
    await stand.sign(till)
    const before = await counterOf(till)
    await looks(stand, 30)
    expect(await outagesOf({ deps: stand }, till.queueId)).toMatchObject([
      { ended: false, attempts: 1 },
    ])
    expect(await ownOf(till)).toHaveLength(1)
    expect(await counterOf(till)).toBe(before)
    await stand.fault(till)
    await stand.closed(till)
    expect(await ownOf(till)).toHaveLength(2)
  })

  it('shared by two queues: asked once, and both get their own closing', async () => {
    const first = await createTill(stand, { market: 'DE', queue })
    const second = await createTill(stand, { market: 'DE', queue, shares: first })
    await stand.fault(first, DEAD)
    await stand.sign(first)
    await stand.sign(second)
    await looks(stand, 5)
    const { rows } = await client.query('select * from unit_probe where scu_id = $1', first.scuIds)
    expect(rows).toHaveLength(1)
    await stand.fault(first)
    await stand.closed(first)
    await stand.closed(second)
    for (const till of [first, second]) expect(await ownOf(till)).toHaveLength(1)
    await logOf(stand, first)
  })

  it('in production a person is told what to do, and nothing is signed', async () => {
    const productive = openPilot(database.config, { masterKey, sandbox: false })
    const german = await createTill(stand, { market: 'DE', queue })
    const austrian = await createTill(stand)
    for (const till of [german, austrian]) {
      await stand.fault(till, DEAD)
      await stand.sign(till)
      await looks(productive, 2)
      await stand.fault(till)
    }
    await productive.closed(austrian)
    await looks(productive, 20)
    expect(await ownOf(german)).toEqual([])
    const outages = await outagesOf({ deps: stand }, german.queueId)
    expect(outages).toMatchObject([{ ended: false, attempts: 0 }])
    await productive.close()
    await stand.sign(german, { receiptCase: ZERO, ...none })
    await stand.look()
  })
})

describe('a TSE behind a service', () => {
  let service: TseService
  let stand: PilotStand

  beforeEach(async () => {
    service = await TseService.start()
    stand = openPilot(database.config, { masterKey, allow: [`127.0.0.1:${service.port}`] })
  })
  afterEach(async () => {
    await stand.close()
    await service.close()
  })

  function remoteTill(): Promise<Till> {
    const configuration = { cashBoxId: SERVICE_CASH_BOX, accessToken: SERVICE_TOKEN }
    const scu = { package: REMOTE_PACKAGE, url: service.url, configuration }
    return createTill(stand, { market: 'DE', queue, scu })
  }

  it('is asked by info alone, and closed when it answers', async () => {
    const till = await remoteTill()
    const before = service.stand.log.length
    service.bend = ({ response }) => response.destroy() !== undefined
    await stand.sign(till)
    service.calls.length = 0
    await looks(stand, 10)
    expect(new Set(service.calls)).toEqual(new Set(['tseinfo']))
    expect(service.stand.log).toHaveLength(before)
    service.bend = () => false
    await stand.closed(till)
    expect(await ownOf(till)).toHaveLength(1)
    expect(service.stand.log).toHaveLength(before + 2)
    await stand.sign(till)
    expect(await violationsOf(stand)).toEqual([])
  })

  it('waits while a receipt of the queue is at work in another process', async () => {
    const till = await remoteTill()
    await stand.sign(till, { receiptCase: START, reference: 'open', ...none })
    service.bend = ({ response }) => response.destroy() !== undefined
    await stand.sign(till)
    await looks(stand, 3)
    service.bend = () => false
    let release = (): void => undefined
    let arrived = (): void => undefined
    const stored = new Promise<void>((done) => {
      arrived = done
    })
    const other = openPilot(database.config, {
      ...{ masterKey, allow: [`127.0.0.1:${service.port}`] },
      failPoints: {
        reach: (name) => {
          if (name !== 'item-stored') return undefined
          arrived()
          return new Promise((done) => {
            release = done
          })
        },
      },
    })
    const failing = other.sign(till, { receiptCase: FAIL, reference: 'open', ...none })
    await stored
    await looks(stand, 30)
    expect(await ownOf(till)).toEqual([])
    release()
    await failing
    await stand.closed(till)
    expect(await ownOf(till)).toHaveLength(1)
    await other.close()
    expect(await violationsOf(stand)).toEqual([])
  })
})
