// The contract, row by row: a call that works answers what the specification says, in every
// spelling of its members; it shows nothing of other dealers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { callRow, type Sent } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { expectPromised } from '../../../support/contract/page.js'
import { idsOf, openWorld, type World } from '../../../support/contract/world.js'
import type { Reply } from '../../../support/dealer.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stand.close())

const rows = dealerOperations.map((row) => [row.id, row] as const)

async function works(row: (typeof dealerOperations)[number], change?: (sent: Sent) => Sent) {
  const cell = cellOf(row.id)
  const sent = await cell.works(world)
  const changed = change === undefined ? sent : change(sent)
  const reply = await callRow(world, row, changed)
  expect(reply.status, reply.text).toBe(row.success.status)
  return { cell, sent, reply }
}

function expectType(row: (typeof dealerOperations)[number], { headers, text }: Reply): void {
  if (row.success.status === 204) {
    expect([headers['content-type'], text]).toEqual([undefined, ''])
    return
  }
  const type = row.success.contentType ?? 'application/json'
  expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
}

describe('a call that works', () => {
  it.each(rows)('%s answers what the specification says', async (_id, row) => {
    const { cell, sent, reply } = await works(row)
    expectType(row, reply)
    await cell.answers(reply, sent, world)
  })

  it.each(rows)('%s answers what its page says', async (_id, row) => {
    const { reply } = await works(row)
    expectPromised(row, reply)
  })

  it.each(rows)('%s shows nothing of another dealer', async (_id, row) => {
    const { reply } = await works(row)
    for (const [what, id] of Object.entries(idsOf(world.foreign))) {
      expect(reply.text, what).not.toContain(id)
    }
  })
})

const withBody = rows.filter(([, { body, upload }]) => body !== undefined && upload === undefined)

describe('a body that works', () => {
  it.each(withBody)('%s takes unknown members, and names in any case', async (_id, row) => {
    const { cell, sent, reply } = await works(row, (right) => ({
      ...right,
      body: { ...(shouted(right.body) as object), unknownMember: { deep: [1] } },
    }))
    await cell.answers(reply, sent, world)
  })

  it.each(withBody)('%s takes a comma behind the last member', async (_id, row) => {
    const { cell, sent, reply } = await works(row, (right) => ({
      ...right,
      body: JSON.stringify(right.body, undefined, 2).replace(/\n\}$/, ',\r\n}\r\n'),
    }))
    await cell.answers(reply, sent, world)
  })
})

/** Names of members in capitals, at every depth. */
function shouted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shouted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name.toUpperCase(), shouted(one)]),
  )
}
