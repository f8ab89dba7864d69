// A call that must be refused: its answer, and that it has changed nothing at all. Called by the
// tests of the contract.
import { expect } from 'vitest'
import type { Operation } from '../../../src/api/dealer/operation.js'
import type { ErrorCode } from '../../../src/errors.js'
import type { Reply } from '../dealer.js'
import { callRow, type Refused, type Sent } from './cell.js'
import { cellOf } from './cells.js'
import { expectRefused } from './codes.js'
import { changedTables, snapshotOf } from './snapshot.js'
import type { World } from './world.js'

export interface Refusal {
  code: ErrorCode
  members?: readonly string[] | undefined
}

/** Makes the call; fails unless it is refused in this way and the database is what it was. */
export async function refuse(
  world: World,
  row: Operation,
  { sent, code, members = [] }: Refusal & { sent: Refused },
): Promise<Reply> {
  const before = await snapshotOf(world.stand)
  const calling = callRow(world, row, sent)
  if (sent.meanwhile !== undefined) await sent.meanwhile()
  const reply = await calling
  expectRefused(reply, { id: row.id, code, members })
  // whoever comes in between has changed something, and says so
  if (sent.meanwhile === undefined) {
    expect(changedTables(before, await snapshotOf(world.stand))).toEqual([])
  }
  return reply
}

/** A call of the row that would work. */
export const rightCall = (world: World, { id }: Operation): Promise<Sent> => cellOf(id).works(world)
