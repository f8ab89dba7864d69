// What is checked of one receipt holds where another signing unit has signed the one before.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checksOf } from '../../../src/core/event/receipt/checks.js'
import { setFault } from '../../../src/core/faults.js'
import { createScu } from '../../../src/core/rollout/create.js'
import { marketOf } from '../../../src/market/index.js'
import { itemsBetween } from '../../../src/store/journal/journal-items.js'
import { createTestDatabase, type TestDatabase } from '../../support/db.js'
import { answer, createTill, job, openStand, type Stand, testKey } from '../../support/stand.js'

let database: TestDatabase
let stand: Stand
beforeAll(async () => {
  database = await createTestDatabase()
  stand = openStand(database.config, { masterKey: testKey() })
})
afterAll(async () => {
  await stand.close()
  await database.drop()
})

it('the first receipt of the next unit is proven, and so is the one behind it', async () => {
  const { store, deps } = stand
  const first = await createTill(stand)
  const { accountId, cashBoxId, scuIds } = first
  const { scuPackage } = marketOf('AT').rollout.demo
  const second = await createScu(
    { store, marketOf, now: deps.now },
    { accountId, cashBoxId, market: 'AT', description: 'second', package: scuPackage },
  )
  const queue = { scuIds: [...scuIds, second] }
  const till = await createTill(stand, { shares: first, queue })
  const sell = (reference: string) =>
    answer(stand.signing.sign(job(till, { cents: 100, reference })))
  await sell('r1')
  await setFault(deps, { scuId: scuIds[0] ?? '', steps: [{ do: 'error', calls: 100 }] })
  await sell('r2')
  await sell('r3')

  const key = { accountId, queueId: till.queueId }
  const told: string[] = []
  for await (const page of itemsBetween(store, key, { from: 1, to: 9 })) {
    for (const item of page) {
      const place = { key, market: 'AT', item, language: 'en' as const }
      const checks = await checksOf({ store, marketOf, now: deps.now }, place)
      told.push(checks.map(({ ok, text }) => (ok === true ? 'ok' : text)).join(' '))
    }
  }
  expect(told).toEqual(Array(4).fill('ok ok ok ok'))
  const { rows } = await store.pool.query<{ units: bigint }>({
    text: 'select count(distinct scu_id) as units from recorded_receipt where queue_id = $1',
    values: [till.queueId],
  })
  expect(Number(rows[0]?.units)).toBe(2)
})
