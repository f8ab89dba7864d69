import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { answer, createTill, job, openStand, type Stand } from '../../support/stand.js'

let database: TestDatabase
let stand: Stand
const warnings: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const log = {
    error: () => undefined,
    warn: (_details: object, message: string) => void warnings.push(message),
  }
  stand = openStand(database.config, { deps: { log } })
})

afterAll(async () => {
  await stand.close()
  await database.drop()
})

it('what a German register should send and does not is told once', async () => {
  const till = await createTill(stand, { market: 'DE' })
  for (let round = 0; round < 3; round += 1) await answer(stand.signing.sign(job(till)))
  await answer(stand.signing.sign(job(till, { terminal: null })))
  const missing = (name: string) => `${name} is missing in a receipt; the DSFinV-K wants it`
  expect([...warnings].sort()).toEqual(
    ['cbTerminalID', 'cbUser', 'ftPosSystemId'].map(missing).sort(),
  )
})
