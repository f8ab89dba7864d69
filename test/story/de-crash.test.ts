// German queues whose server dies: at named places between the steps of explicit transactions, and
// under load at random moments. What was answered stays, nothing is signed twice, no log has a gap.
// CRASH_SEED repeats the moments of a run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkData } from '../../src/core/audit/check/check.js'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import { faultsOfDevices, storedLogs } from '../support/de/stored-logs.js'
import { answerOf, dataOf, masterData } from '../support/de/story-shop.js'
import { connected } from '../support/ledger.js'
import { Chance, Load } from '../support/load.js'
import type { Server } from '../support/server.js'
import type { TestSettings } from '../support/settings.js'
import { Site } from '../support/site.js'
import { ASK, requestText, type Till } from '../support/stand.js'

const SECONDS = 1000
const START = 0x4445_0000_0000_0008n
const UPDATE = 0x4445_0000_0000_0009n
const FINISH = 0x4445_0000_0000_0001n
const SALE = 0x4445_0001_0000_0001n
const CLOSING = 0x4445_0001_0000_0007n
const RECEIPT = 'Beleg^10.00_0.00_0.00_0.00_0.00^10.00:Bar'

/** Without master data no DSFinV-K is complete. */
const GERMAN = {
  market: 'DE',
  queue: { configuration: { init_masterData: masterData('Muster GmbH') } },
}

let site: Site
let server: Server
let settings: TestSettings

beforeEach(async () => {
  site = await Site.make({ tills: 1, till: GERMAN })
  settings = await site.settings()
})
afterEach(async () => {
  if (server.isAlive) await server.kill()
  await site.remove()
})

function till(): Till {
  const [first] = site.tills
  if (first === undefined) throw new Error('there is no till')
  return first
}

async function post(receiptCase: bigint, reference: string): Promise<string> {
  const { queueId, cashBoxId, accessToken } = till()
  const explicitStep = (receiptCase & ~ASK) !== FINISH && (receiptCase & ~ASK) !== SALE
  const reply = await fetch(`${server.url}/${queueId}/json/v1/sign`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cashboxid: cashBoxId,
      accesstoken: accessToken,
    },
    body: requestText(till(), { receiptCase, reference, ...(explicitStep ? { cents: null } : {}) }),
  })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  return text
}

async function sign(receiptCase: bigint, reference: string) {
  return answerOf(await post(receiptCase, reference))
}

/** What a till asks that got no answer. */
async function ask(receiptCase: bigint, reference: string) {
  const text = await post(receiptCase | ASK, reference)
  return text === 'null' ? null : answerOf(text)
}

/** The server dies while it works on this; a new one begins, which dies at the next place. */
async function dies(receiptCase: bigint, reference: string, next: string): Promise<void> {
  await expect(post(receiptCase, reference)).rejects.toThrow()
  await server.ended
  server = await site.serve({ ...settings, failPoints: next })
}

async function expectTar(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-crash-'))
  const { queueId, cashBoxId, accessToken } = till()
  for (const type of [2, 3]) {
    const url = `${server.url}/${queueId}/json/v1/journal?type=0x444500000000000${type}`
    const headers = { cashboxid: cashBoxId, accesstoken: accessToken }
    const reply = await fetch(url, { method: 'POST', headers })
    const path = join(folder, `export-${type}`)
    await writeFile(path, Buffer.from(await reply.arrayBuffer()))
    const { findings } = await verifyFile(path)
    expect(findings).toEqual([])
  }
  await rm(folder, { recursive: true })
}

it(
  'a crash between start and finish: the transaction is finished afterwards, once',
  async () => {
    server = await site.serve({ ...settings, failPoints: 'before-commit=kill@2' })
    const start = await sign(START, 'one')
    expect(start.identification).toBe('ft1#ST2')
    await dies(FINISH, 'one', 'after-commit=kill@1')
    expect(await ask(FINISH, 'one')).toBeNull()
    await dies(FINISH, 'one', 'after-device=kill@2')
    const finish = await ask(FINISH, 'one')
    expect(finish?.identification).toBe('ft2#T2')
    expect(finish === null ? '' : dataOf(finish, 0x16n)).toBe(RECEIPT)
    expect((await sign(START, 'two')).identification).toBe('ft3#ST3')
    await dies(UPDATE, 'two', 'before-commit=wait:1')
    expect((await sign(UPDATE, 'two')).identification).toBe('ft4#UT3')
    expect((await sign(FINISH, 'two')).identification).toBe('ft5#T3')
    expect((await sign(SALE, 'three')).identification).toBe('ft6#IT4')
    expect((await sign(START, 'left')).identification).toBe('ft7#ST5')
    expect((await sign(CLOSING, 'closing')).identification).toBe('ft8#IT6')
    await expectTar()
    await server.stop()
    await site.look(async (stand) => {
      const faults: string[] = []
      await checkData(stand.deps, (violation) => faults.push(JSON.stringify(violation)))
      const client = await connected(stand.connection)
      const [log = []] = [...(await storedLogs(client)).values()]
      expect([...faults, ...(await faultsOfDevices(client))]).toEqual([])
      await client.end()
      // what was not committed has left nothing behind, not even a counter
      expect(log.map((one) => one.operation.replace('Transaction', '')).join(' ')).toBe(
        'initialize updateTime registerClient Start Finish ' +
          'Start Finish Start Update Finish Start Finish Start Finish Start Finish',
      )
      expect(log.filter(({ processData }) => processData === RECEIPT).length).toBe(3)
    })
  },
  90 * SECONDS,
)

it(
  'killed under load: nothing answered is lost, nothing is made twice, no log has a gap',
  async () => {
    const chance = new Chance()
    console.log(`seed ${chance.seed}`)
    await site.more(2, GERMAN)
    // two queues on one TSE
    await site.more(1, { ...GERMAN, shares: till() })
    server = await site.serve(settings)
    const load = new Load({ tills: site.tills, clients: 8, urls: () => [server.url] })
    await load.more(25)
    await sleep(chance.between(100, 400))
    await server.kill()
    server = await site.serve(settings)
    await load.more(25)
    await load.stop()
    console.log(load.figures)
    expect(load.faults).toEqual([])
    await server.stop()
    expect(await site.faults(load)).toEqual([])
  },
  90 * SECONDS,
)
