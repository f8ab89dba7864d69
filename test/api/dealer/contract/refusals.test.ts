// The contract, row by row: every refusal that an operation documents, brought about by a call of
// its own; and what happens when the database is away.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import type { ErrorCode } from '../../../../src/errors.js'
import { callRow } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { expectRefused } from '../../../support/contract/codes.js'
import { expectPromised } from '../../../support/contract/page.js'
import { refuse, rightCall } from '../../../support/contract/refusing.js'
import { openWorld, type World } from '../../../support/contract/world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stand.close())

const rows = dealerOperations.map((row) => [row.id, row] as const)

describe('a documented refusal', () => {
  const calls = rows.flatMap(([id, row]) =>
    Object.entries(cellOf(id).refuses ?? {}).map(
      ([code, made]) => [id, code as ErrorCode, row, made] as const,
    ),
  )

  it.each(calls)('%s: %s', async (_id, code, row, made) => {
    const sent = await made(world)
    try {
      const reply = await refuse(world, row, { sent, code, members: sent.members })
      if (code === 'ENTITLEMENTS_INSUFFICIENT') {
        expect(reply.json()).toMatchObject({ required: 1, available: 0 })
        expect(reply.json().name).toMatch(/\S/)
      }
      if (code === 'CSV_INVALID') expect(reply.json().Message).toMatch(/\d/)
    } finally {
      await sent.undo?.()
    }
  })
})

/** Nobody gets a connection; what is told to whoever asks for one. */
async function without<T>(error: Error, work: () => Promise<T>): Promise<T> {
  const { pool } = world.stand.deps.store
  const connect = (done?: (error: Error, client: undefined, release: () => void) => void) => {
    if (done === undefined) return Promise.reject(error)
    done(error, undefined, () => undefined)
    return undefined
  }
  const spy = vi.spyOn(pool, 'connect').mockImplementation(connect as never)
  try {
    return await work()
  } finally {
    spy.mockRestore()
  }
}

describe('without a database', () => {
  const asking = rows.filter(([id]) => cellOf(id).fromMemory !== true)
  const others = rows.filter(([id]) => cellOf(id).fromMemory === true)
  const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

  it.each(asking)('%s says to try again', async (id, row) => {
    const sent = await rightCall(world, row)
    const reply = await without(away(), () => callRow(world, row, sent))
    expectRefused(reply, { id, code: 'DATABASE_AWAY' })
    expectPromised(row, reply)
  })

  it.each(others)('%s answers as ever', async (_id, row) => {
    const sent = await rightCall(world, row)
    // whose call it is has been looked up a moment ago
    await callRow(world, row, sent)
    const reply = await without(away(), () => callRow(world, row, sent))
    expect(reply.status, reply.text).toBe(row.success.status)
  })

  it.each(asking)('%s: an error that nobody expected is told to the log only', async (id, row) => {
    const sent = await rightCall(world, row)
    const odd = new Error('a secret sentence')
    const reply = await without(odd, () => callRow(world, row, sent))
    expectRefused(reply, { id, code: 'INTERNAL' })
    expectPromised(row, reply)
    expect(reply.text).not.toContain('secret')
  })
})
