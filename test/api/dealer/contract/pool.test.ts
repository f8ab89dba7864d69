// Every operation gets along with one connection to the database: none holds one while it waits for
// another, so many calls at once never wait for each other for ever.
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { callRow } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { openWorld, type World } from '../../../support/contract/world.js'
import { operationOf } from '../../../support/dealer.js'

let world: World
let held: PoolClient[] = []
beforeAll(async () => {
  world = await openWorld()
  const { pool } = world.stand.deps.store
  pool.options.max = pool.totalCount
  held = await Promise.all(Array.from({ length: pool.totalCount - 1 }, () => pool.connect()))
})
afterAll(async () => {
  for (const client of held) client.release()
  await world.stand.close()
})

it.each(dealerOperations.map((row) => [row.id, row] as const))('%s', async (_id, row) => {
  const reply = await callRow(world, row, await cellOf(row.id).works(world))
  expect(reply.status, reply.text).toBe(row.success.status)
})

it('executeTemplate for a cash box that is published already', async () => {
  const row = operationOf('executeTemplate')
  const sent = await cellOf(row.id).works(world)
  const { cashBoxId, configuration } = (await callRow(world, row, sent)).json()
  const [queue] = Object(configuration).ftQueues as { id: string }[]
  const query = { ...sent.query, cashbox_id: String(cashBoxId), queue0_id: String(queue?.id) }
  const reply = await callRow(world, row, { ...sent, query })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json().cashBoxId).toBe(cashBoxId)
})
