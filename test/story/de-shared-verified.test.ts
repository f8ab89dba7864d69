// A busy month at one TSE with three queues: each DSFinV-K and the TAR of the TSE beside it are
// given to the verifier of the platform as an auditor would, and it has nothing to say.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { germany } from '../../src/market/de/index.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { type Act, placeOf, SharedTse, type Tagging } from '../support/de/shared-tse.js'
import { histories } from '../support/de/shared-tse-commands.js'
import { unzipped } from '../support/dsfinvk-zip.js'
import { openStand, type Stand, testKey } from '../support/stand.js'

const DE = 0x4445_0000_0000_0000n
const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31)
/** As many as a daily closing and what lies open over it need: a day before, between, after. */
const DAYS = 3
const WILD = Number(process.env.WILD_HISTORIES ?? 4)
const WILD_MS = 120_000 * Math.max(1, WILD / 4)
/** Master data: what the DSFinV-K wants of a business. */
const CONFIGURATION = germany.rollout.demo.configuration

let database: TestDatabase
let servers: [Stand, Stand]
let folder: string

beforeAll(async () => {
  database = await createTestDatabase()
  const masterKey = testKey()
  servers = [openStand(database.config, { masterKey }), openStand(database.config, { masterKey })]
  folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-shared-'))
})

afterAll(async () => {
  for (const stand of servers) await stand.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** States that a receipt of the day may have: signed, or answered without TSE. */
const GOOD = [0n, 2n]

class Month {
  readonly tse: SharedTse
  private readonly tagging: Tagging

  constructor(tse: SharedTse, tagging: Tagging) {
    this.tse = tse
    this.tagging = tagging
  }

  async say(queue: number, act: Act, members: { table?: number; numbers?: number[] } = {}) {
    const { table = 0, numbers = [] } = members
    const server = queue % 2
    const call = { act, queue, server, tagging: this.tagging, table, numbers }
    const answered = await this.tse.sign(call)
    expect(GOOD, `${act}: ${answered.text}`).toContain(answered.state)
    return answered
  }

  /** Tables with orders, ends of every kind, sales and training; what is open the closing ends. */
  async day(): Promise<void> {
    for (const queue of [0, 1, 2]) {
      await this.say(queue, 'sale')
      await this.say(queue, 'trainingSale')
      await this.say(queue, 'start')
      await this.say(queue, 'update')
      await this.say(queue, 'end')
      await this.say(queue, 'start', { table: 1 })
      await this.say(queue, 'order', { table: 1 })
      await this.say(queue, 'start', { table: 1 })
      await this.say(queue, 'cancel', { table: 1 })
      await this.say(queue, 'start')
    }
    await this.say(0, 'many', { numbers: [] })
    await this.outage()
    for (const queue of [0, 1, 2]) await this.say(queue, 'daily')
  }

  /** The end of a table and a sale in an outage, answers that are lost, a closing without TSE. */
  private async outage(): Promise<void> {
    await this.tse.fault([{ do: 'unreachable', calls: 60 }])
    await this.say(0, 'sale')
    await this.say(0, 'end')
    await this.say(1, 'daily')
    await this.tse.fault([{ do: 'error-after', calls: 6 }])
    await this.say(2, 'end')
    await this.tse.fault([])
    for (const queue of [0, 1, 2]) await this.say(queue, 'zero')
    await this.say(2, 'closeAll')
  }

  /** Verdicts of every queue's DSFinV-K beside the log of the TSE. */
  async verdicts(name: string) {
    const found = []
    for (const queue of [0, 1, 2]) {
      const [zip, tar] = [join(folder, `${name}-${queue}.zip`), join(folder, `${name}.tar`)]
      await writeFile(zip, await this.tse.export(queue, DE | 2n))
      await writeFile(tar, await this.tse.export(queue, DE | 3n))
      const verdict = await verifyFile(zip, { tar })
      const log = await verifyFile(tar)
      expect([log.findings, log.ok]).toEqual([[], true])
      const { ok, kind, findings, notices, summary } = verdict
      found.push({ ok, kind, findings, summary, codes: notices.map(({ code }) => code) })
    }
    return found
  }
}

let opened = 0
async function month(tagging: Tagging): Promise<Month> {
  opened += 1
  return new Month(await SharedTse.open(placeOf(servers), opened, CONFIGURATION), tagging)
}

const SOUND = { ok: true, kind: 'DSFinV-K', findings: [] }
/** SonstigerVorgang is in the log only, and nobody has certified an emulator. */
const NOTICES = new Set(['TAR_OTHER', 'CERTIFICATE_UNTRUSTED'])
const unexpected = (codes: string[]) => codes.filter((code) => !NOTICES.has(code))

describe('the exports of a busy month, DSFinV-K beside TAR', () => {
  it.each<Tagging>(['v0', 'v2'])(
    'have nothing that the verifier finds (%s)',
    async (tagging) => {
      const busy = await month(tagging)
      for (let day = 0; day < DAYS; day += 1) await busy.day()
      for (const verdict of await busy.verdicts(`busy-${tagging}`)) {
        expect(verdict).toMatchObject(SOUND)
        expect(verdict.summary).toMatchObject({ proven: expect.any(Number) })
        expect(unexpected(verdict.codes)).toEqual([])
      }
      const tables = await unzipped(await busy.tse.export(0, DE | 2n))
      expect(String(tables.get('transactions.csv')).match(/"AVTraining"/g)).toHaveLength(DAYS)
    },
    120_000,
  )

  it('would not pass beside the log of another TSE', async () => {
    const [one, other] = [await month('v0'), await month('v0')]
    await one.day()
    await other.day()
    const [zip, tar] = [join(folder, 'one.zip'), join(folder, 'other.tar')]
    await writeFile(zip, await one.tse.export(0, DE | 2n))
    await writeFile(tar, await other.tse.export(0, DE | 3n))
    const { ok, findings } = await verifyFile(zip, { tar })
    expect([ok, findings.some(({ code }) => code === 'TAR_LACKS')]).toEqual([false, true])
  })

  it('have what another queue ended unheard in the closing after it has heard of it', async () => {
    const late = await month('v0')
    const [owner, other] = [0, 1]
    await late.say(owner, 'start')
    // the list of open ones is not signed, and comes
    await late.tse.fault([{ do: 'wrong-signature', calls: 60 }])
    expect((await late.say(other, 'closeAll')).state).toBe(2n)
    await late.tse.fault([])
    for (const act of ['zero', 'sale', 'daily'] as const) await late.say(owner, act)
    const [before] = await late.verdicts('late')
    expect(before?.findings).toMatchObject([{ code: 'TAR_ONLY' }])
    await late.say(other, 'zero')
    for (const act of ['sale', 'daily'] as const) await late.say(owner, act)
    const [after] = await late.verdicts('late')
    expect(after).toMatchObject(SOUND)
  })

  it(
    'have nothing after whatever may happen to three queues',
    async () => {
      console.log(`MODEL_SEED=${seed}`)
      for (const [at, commands] of fc.sample(histories, { numRuns: WILD, seed }).entries()) {
        const { tse } = await month('v0')
        await fc.asyncModelRun(() => ({ model: { steps: 0 }, real: tse }), commands)
        const wild = new Month(tse, at % 2 === 0 ? 'v0' : 'v2')
        await tse.fault([])
        // an end whose answer was lost belongs to its register once whoever asked for it has heard
        for (const act of ['zero', 'sale', 'daily'] as const) {
          for (const queue of [0, 1, 2]) await wild.say(queue, act)
        }
        for (const verdict of await wild.verdicts(`wild-${at}`)) {
          const found = JSON.stringify(verdict.findings)
          const told = [`MODEL_SEED=${seed}, history ${at}`, ...tse.told, found].join('\n')
          expect(verdict, told).toMatchObject(SOUND)
          expect(unexpected(verdict.codes)).toEqual([])
        }
      }
    },
    WILD_MS,
  )
})
