// Servers that are killed while they make a bundle: it is finished, the same as one that nobody
// disturbed, and no file that was finished is made again.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createInspectionDesk, type InspectionDesk } from '../../src/core/event/inspection/desk.js'
import { INCLUDES } from '../../src/core/event/inspection/plan.js'
import { Child } from '../support/child.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { createTill, job, openStand, type Stand, type Till, testKey } from '../support/stand.js'

const RECEIPTS = 2_000

let database: TestDatabase
let stand: Stand
let till: Till
let root: string
let desk: InspectionDesk
const masterKey = testKey()
beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config, { masterKey })
  till = await createTill(stand)
  root = mkdtempSync(join(tmpdir(), 'fiskalwerk-killed-'))
  desk = createInspectionDesk({ store: stand.store, now: () => new Date(), root })
  for (let done = 0; done < RECEIPTS; done += 500) {
    await Promise.all(Array.from({ length: 500 }, () => stand.signing.sign(job(till))))
  }
}, 120_000)
afterAll(async () => {
  await stand.close()
  await database.drop()
  rmSync(root, { recursive: true, force: true })
})

async function start(): Promise<Child> {
  const settings = { connection: database.config, masterKey: masterKey.toString('base64'), root }
  const child = new Child('inspection-script.ts', [JSON.stringify(settings)])
  await child.line()
  return child
}

async function ask(): Promise<string> {
  const { accountId } = till
  const actor = { accountId, onBehalfOf: null, operation: 'askInspection', traceId: '' }
  const row = await desk.ask(actor, {
    ...{ posOperatorId: undefined, cashBoxIds: undefined, outletNumbers: undefined },
    ...{ from: new Date('2020-01-01'), to: new Date('2099-01-01') },
    ...{ include: [...INCLUDES], language: 'en' },
  })
  return row.id
}

const stateOf = async (id: string) => (await desk.get(till.accountId, id)).state

/** Finished files by name, with what changes when one is made again. */
function finished(id: string): Map<string, string> {
  const parts = join(root, id, 'parts')
  const ledger = readFileSync(join(root, id, 'ledger.ndjson'), 'utf8')
  const names = (readdirSync(parts, { recursive: true }) as string[]).filter((name) =>
    ledger.includes(`"name":"${name}"`),
  )
  return new Map(
    names.map((name) => {
      const { ino, mtimeMs } = statSync(join(parts, name))
      return [name, `${ino} ${mtimeMs}`]
    }),
  )
}

const isPacked = (id: string) => existsSync(join(root, id, 'bundle.zip'))

it('goes on where it was, twice', async () => {
  const id = await ask()
  let known = new Map<string, string>()
  for (let kill = 1; kill <= 2; kill += 1) {
    const server = await start()
    const count = () => {
      try {
        return finished(id).size
      } catch {
        return 0
      }
    }
    await expect.poll(count, { timeout: 60_000, interval: 5 }).toBeGreaterThan(known.size)
    await server.kill('SIGKILL')
    expect(await stateOf(id)).not.toBe('succeeded')
    const now = finished(id)
    for (const [name, mark] of known) expect([name, now.get(name)]).toEqual([name, mark])
    known = now
  }
  const last = await start()
  let seen = new Map<string, string>()
  while ((await stateOf(id)) !== 'succeeded') {
    // the files go when the bundle is there
    const now = isPacked(id) ? seen : finished(id)
    if (!isPacked(id)) seen = now
    expect(await stateOf(id)).not.toBe('failed')
    await sleep(20)
  }
  for (const [name, mark] of known) expect([name, seen.get(name)]).toEqual([name, mark])
  const calm = await ask()
  await expect.poll(() => stateOf(calm), { timeout: 60_000 }).toBe('succeeded')
  await last.kill('SIGKILL')
  const [one, two] = await Promise.all([id, calm].map((each) => desk.file(till.accountId, each)))
  expect(one?.sha256).toBe(two?.sha256)
  expect(readdirSync(join(root, id))).toEqual(['bundle.zip'])
}, 180_000)
