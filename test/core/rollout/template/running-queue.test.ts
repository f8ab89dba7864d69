// A local middleware whose configuration names another TSE for a queue that is in operation: the
// old one stays until the till changes over with its receipts.
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTemplates } from '../../../../src/core/rollout/template/execute.js'
import { markets } from '../../../../src/market/index.js'
import { type DealerStand, openDealer } from '../../../support/dealer.js'
import { type Box, RECEIPTS, rollOut, sign } from '../../../support/dealer-stock.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

const READY = 0x4445_0000_0000_0000n
const SWITCHING = READY | 0x100n
const SOURCE = 0x1_0000
const TARGET = 0x2_0000

/** What another server publishes, applied as a local middleware does. */
async function follow(box: Box, units: object[], scuId: string): Promise<void> {
  const templates = createTemplates({
    ...{ store: stand.deps.store, now: () => new Date(), log: stand.deps.log, sandbox: true },
    ...{ named: false, randomBytes, markets: Object.values(markets) },
  })
  const { accountId, cashBoxId, queueId, accessToken } = box
  const ids = units.map(
    (row) => (row as { ftSignaturCreationUnitDEId: string }).ftSignaturCreationUnitDEId,
  )
  const document = {
    ftCashBoxId: cashBoxId,
    ftSignaturCreationDevices: ids.map((Id) => ({
      ...{ Id, Package: 'fiskalwerk.SCU.DE.Software', Version: '0.1.0', Configuration: {} },
    })),
    ftQueues: [
      {
        ...{ Id: queueId, Package: 'fiskalwerk.Queue' },
        Configuration: {
          init_ftQueueDE: [{ ftQueueDEId: queueId, ftSignaturCreationUnitDEId: scuId }],
          init_ftSignaturCreationUnitDE: units,
        },
      },
    ],
  }
  await templates.execute(
    { accountId, onBehalfOf: null, operation: 'fetchConfiguration', traceId: '' },
    {
      ...{ accountId, outletNumber: 1, strict: false, query: new Map(), accessToken },
      ...{ body: JSON.stringify(document), mayCreateSigners: true },
    },
  )
}

async function started(): Promise<Box> {
  const operator = await stand.operator('Full', { market: 'DE' })
  const box = await rollOut(stand, operator, 'DE')
  expect((await sign(stand, box, RECEIPTS.start)).state).toBe(READY)
  return box
}

const row = (id: string, more: object = {}) => ({ ftSignaturCreationUnitDEId: id, ...more })

async function modes(...ids: string[]): Promise<number[]> {
  const rows = await stand.rows('select id, mode from scu')
  return ids.map((id) => Number(rows.find((one) => one.id === id)?.mode))
}

/** States of the receipts, in their order. */
async function states(box: Box, ...cases: bigint[]): Promise<bigint[]> {
  const found: bigint[] = []
  for (const one of cases) found.push((await sign(stand, box, one)).state)
  return found
}

const { daily, initiate, finish, sale } = RECEIPTS

it('prepares the unit that is named instead, and receipts of the till change over', async () => {
  const box = await started()
  const target = randomUUID()
  const wanted = [row(box.scuId), row(target)]
  await follow(box, wanted, target)
  expect(await modes(box.scuId, target)).toEqual([SOURCE, TARGET])
  expect(await states(box, sale)).toEqual([READY])
  expect(await states(box, daily, initiate, sale, finish, sale)).toEqual([
    ...[READY, READY, SWITCHING, READY, READY],
  ])
  await follow(box, [row(target)], target)
  expect(await modes(box.scuId, target)).toEqual([0, 0])
  expect(await states(box, sale)).toEqual([READY])
})

it('takes over a switch that the other server has prepared, and does not go back', async () => {
  const box = await started()
  const target = randomUUID()
  const to = (id: string) => JSON.stringify({ TargetScuId: id })
  const marked = [
    row(box.scuId, { Mode: SOURCE, ModeConfigurationJson: to(target) }),
    row(target, {
      ...{ Mode: TARGET, ModeConfigurationJson: JSON.stringify({ SourceScuId: box.scuId }) },
    }),
  ]
  await follow(box, marked, box.scuId)
  expect(await states(box, daily, initiate, finish, sale)).toEqual([READY, READY, READY, READY])
  // that server does not know that the till is done
  await follow(box, marked, box.scuId)
  expect(await states(box, sale)).toEqual([READY])
  expect(await states(box, daily)).toEqual([READY])
  expect((await sign(stand, box, initiate)).status).toBe(400)
})

it('gives a change up that is wanted no more', async () => {
  const box = await started()
  const target = randomUUID()
  await follow(box, [row(box.scuId), row(target)], target)
  await follow(box, [row(box.scuId), row(target)], box.scuId)
  expect(await modes(box.scuId, target)).toEqual([0, 0])
  await sign(stand, box, daily)
  expect((await sign(stand, box, initiate)).status).toBe(400)
})
