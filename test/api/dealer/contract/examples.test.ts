// The bodies that the document of the Dealer API shows, sent as they stand: each gets the success
// that the document promises. Ids that only the caller has stand in for those of the document.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { callRow } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { expectPromised } from '../../../support/contract/page.js'
import { openWorld, type World } from '../../../support/contract/world.js'

const OWN = ['targetScuId', 'queueIds', 'rolloutPlanNumber']

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.stand.close())

const rows = dealerOperations.filter(({ example }) => example !== undefined)

describe('the example of', () => {
  it.each(rows.map((row) => [row.id, row] as const))('%s works', async (id, row) => {
    const sent = await cellOf(id).works(world)
    const own = Object.entries(Object(sent.body) as object).filter(([name]) => OWN.includes(name))
    const { example } = row
    const body =
      typeof example === 'string' ? example : { ...Object(example), ...Object.fromEntries(own) }
    const reply = await callRow(world, row, { ...sent, body })
    expect(reply.status, reply.text).toBe(row.success.status)
    expectPromised(row, reply)
  })
})
