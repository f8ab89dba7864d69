// Cash boxes for tests of the Dealer API: rolled out for an operator of the stand, and signed with
// over HTTP as a till does.
import { randomUUID } from 'node:crypto'
import { createCashBox, createQueue, createScu } from '../../src/core/rollout/create.js'
import { marketOf } from '../../src/market/index.js'
import type { DealerStand } from './dealer.js'

export interface Box {
  market: string
  accountId: string
  cashBoxId: string
  accessToken: string
  queueId: string
  scuId: string
}

const rollout = ({ deps }: DealerStand) => ({ store: deps.store, marketOf, now: () => new Date() })

/** A cash box with a queue and its software unit, not started. */
export async function rollOut(stand: DealerStand, accountId: string, market: string): Promise<Box> {
  const deps = rollout(stand)
  const access = await createCashBox(deps, { accountId, outletId: null, description: 'Till' })
  const unit = { accountId, cashBoxId: access.cashBoxId, market, description: 'Part' }
  const scuId = await createScu(deps, {
    ...unit,
    package: marketOf(market).rollout.demo.scuPackage,
  })
  const queueId = await createQueue(deps, { ...unit, scuIds: [scuId] })
  return { market, accountId, ...access, queueId, scuId }
}

/** A further unit, in the cash box or (without one) in none. */
export async function furtherUnit(
  stand: DealerStand,
  { accountId, market, cashBoxId }: Omit<Box, 'queueId' | 'scuId' | 'accessToken'>,
  { held = false, configuration = {} }: { held?: boolean; configuration?: object } = {},
): Promise<string> {
  const scuId = await createScu(rollout(stand), {
    ...{ accountId, market, cashBoxId, description: 'Further' },
    package: marketOf(market).rollout.demo.scuPackage,
    configuration: { ...configuration },
  })
  if (!held) await stand.rows('delete from cash_box_scu where scu_id = $1', [scuId])
  return scuId
}

/** Receipt cases of a German queue, all with the implicit flag. */
export const RECEIPTS = {
  start: 0x4445_0001_0000_0003n,
  stop: 0x4445_0001_0000_0004n,
  sale: 0x4445_0001_0000_0001n,
  daily: 0x4445_0001_0000_0007n,
  initiate: 0x4445_0001_0000_0017n,
  finish: 0x4445_0001_0000_0018n,
  callOff: 0x4445_0001_0004_0017n,
} as const

export interface Signed {
  status: number
  text: string
  state: bigint
}

/** One receipt of the till, over HTTP. */
export async function sign(
  { app }: DealerStand,
  box: Box & { posSystemId?: string },
  receiptCase: bigint,
): Promise<Signed> {
  const system = box.posSystemId === undefined ? '' : `"ftPosSystemId":"${box.posSystemId}",`
  const answer = await app.inject({
    method: 'POST',
    url: '/json/v1/sign',
    headers: {
      cashboxid: box.cashBoxId,
      accesstoken: box.accessToken,
      'content-type': 'application/json',
    },
    payload:
      `{"ftCashBoxID":"${box.cashBoxId}",${system}"cbTerminalID":"1",` +
      `"cbReceiptReference":"${randomUUID()}","cbReceiptMoment":"${new Date().toISOString()}",` +
      `"cbChargeItems":[],"cbPayItems":[],"ftReceiptCase":${receiptCase}}`,
  })
  const state = /"ftState":(\d+)/.exec(answer.body)?.[1] ?? '-1'
  return { status: answer.statusCode, text: answer.body, state: BigInt(state) }
}
