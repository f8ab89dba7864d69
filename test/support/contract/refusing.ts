// A call that must be refused: its answer, and that it has changed nothing at all.
import { expect } from 'vitest'
import type { Operation } from '../../../src/api/dealer/operation.js'
import { refusalsOf } from '../../../src/api/shared/account/document.js'
import type { ErrorCode } from '../../../src/errors.js'
import type { Reply } from '../dealer.js'
import { callRow, type Refused, type Sent } from './cell.js'
import { cellOf } from './cells.js'
import { expectRefused } from './codes.js'
import { expectPromised } from './page.js'
import { changedTables, snapshotOf } from './snapshot.js'
import type { World } from './world.js'

export interface Refusal {
  sent: Refused
  code: ErrorCode
  members?: readonly string[] | undefined
}

/** Makes the calls; fails unless each is refused in its way and the database is what it was. */
export async function refuseAll(
  world: World,
  row: Operation,
  refusals: readonly Refusal[],
): Promise<Reply[]> {
  const before = await snapshotOf(world.stand)
  const replies: Reply[] = []
  for (const { sent, code, members = [] } of refusals) {
    const calling = callRow(world, row, sent)
    await sent.meanwhile?.()
    const reply = await calling
    expectRefused(reply, { id: row.id, code, members })
    expect(refusalsOf(row)).toContain(code)
    expectPromised(row, reply)
    replies.push(reply)
  }
  // whoever came in between has changed something
  if (refusals.every(({ sent }) => sent.meanwhile === undefined)) {
    expect(changedTables(before, await snapshotOf(world.stand))).toEqual([])
  }
  return replies
}

export async function refuse(world: World, row: Operation, refusal: Refusal): Promise<Reply> {
  const [reply] = await refuseAll(world, row, [refusal])
  if (reply === undefined) throw new Error('there is no reply')
  return reply
}

/** A call of the row that would work. */
export const rightCall = (world: World, { id }: Operation): Promise<Sent> => cellOf(id).works(world)
