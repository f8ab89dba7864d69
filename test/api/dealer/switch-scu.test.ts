// The change of a queue's signing unit, from the dealer's call to the receipts of the till.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DealerStand, openDealer, refusal } from '../../support/dealer.js'
import { type Box, furtherUnit, RECEIPTS, rollOut, sign } from '../../support/dealer-stock.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer({ dealer: { market: 'DE' } })
})
afterAll(() => stand.close())

const READY = 0x4445_0000_0000_0000n
const SWITCHING = READY | 0x100n
const SOURCE = 0x1_0000
const TARGET = 0x2_0000

async function german(): Promise<{ box: Box; path: string; operator: string }> {
  const operator = await stand.operator('ReadWrite', { market: 'DE' })
  const box = await rollOut(stand, operator, 'DE')
  return { operator, box, path: `/api/posoperators/${operator}` }
}

async function started() {
  const made = await german()
  const begun = await sign(stand, made.box, RECEIPTS.start)
  expect(begun.status, begun.text).toBe(200)
  return { ...made, target: await furtherUnit(stand, made.box) }
}

const order = (path: string, { queueId }: Box, body: object) =>
  stand.call(`POST ${path}/queues/${queueId}/switch-scu`, { body })

async function unit(id: string): Promise<{ mode: number; configuration: Record<string, unknown> }> {
  const [row] = await stand.rows('select mode, configuration from scu where id = $1', [id])
  return {
    mode: Number(row?.mode),
    configuration: JSON.parse(String(row?.configuration)) as Record<string, unknown>,
  }
}

type Rows = Record<string, unknown>[]
interface PublishedBox {
  ftQueues: { configuration: Record<string, Rows | undefined> }[]
}

describe('a queue that is in operation', () => {
  it('goes through the whole switch: prepared here, carried out by receipts', async () => {
    const { box, path, target } = await started()
    const reply = await order(path, box, { targetScuId: target })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json()).toEqual({
      message: expect.stringContaining('Initiate-SCU-Switch'),
      scenario: 'TwoStepSwitch',
      queueId: box.queueId,
      cashBoxId: box.cashBoxId,
      targetScuId: target,
      sourceScuId: box.scuId,
      addedToCashBox: true,
      rebuilt: true,
      cloudRestartTriggered: false,
    })
    expect(await unit(box.scuId)).toMatchObject({
      mode: SOURCE,
      configuration: { TargetScuId: target },
    })
    expect(await unit(target)).toMatchObject({
      mode: TARGET,
      configuration: { SourceScuId: box.scuId },
    })
    const details = (await stand.call(`GET ${path}/cashboxes/${box.cashBoxId}`)).json()
    const published = details.configuration as PublishedBox
    const rows = published.ftQueues[0]?.configuration.init_ftSignaturCreationUnitDE ?? []
    const marks = rows.map((row) => [row.ftSignaturCreationUnitDEId, row.Mode])
    expect(marks).toEqual(
      expect.arrayContaining([
        [box.scuId, SOURCE],
        [target, TARGET],
      ]),
    )
    const [registered] = published.ftQueues[0]?.configuration.init_ftQueueDE ?? []
    expect(registered?.ftSignaturCreationUnitDEId).toBe(box.scuId)
    const before = await stand.call(`DELETE ${path}/cashboxes/${box.cashBoxId}/scus/${box.scuId}`)
    expect(refusal(before)).toEqual({ status: 409, code: 'ScuInUse' })
    for (const step of [RECEIPTS.daily, RECEIPTS.initiate]) {
      const done = await sign(stand, box, step)
      expect([done.status, done.state], done.text).toEqual([200, READY])
    }
    expect((await sign(stand, box, RECEIPTS.sale)).state).toBe(SWITCHING)
    const ended = await sign(stand, box, RECEIPTS.finish)
    expect([ended.status, ended.state], ended.text).toEqual([200, READY])
    const sale = await sign(stand, box, RECEIPTS.sale)
    expect([sale.state, sale.text.includes('signature')]).toEqual([READY, true])

    const list = (await stand.call(`GET ${path}/cashboxes`)).list()
    expect(list).toMatchObject([{ cashBoxId: box.cashBoxId, state: 1 }])
    const [source, taken] = [await unit(box.scuId), await unit(target)]
    expect([source.mode, taken.mode]).toEqual([0, 1])
    expect(source.configuration).not.toHaveProperty('TargetScuId')
    expect(taken.configuration).not.toHaveProperty('SourceScuId')
    const scus = (await stand.call(`GET ${path}/scus`)).list()
    expect(scus.map((one) => [one.id, one.tseState])).toEqual([
      [box.scuId, 2],
      [target, 1],
    ])
    const gone = await stand.call(`DELETE ${path}/cashboxes/${box.cashBoxId}/scus/${box.scuId}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await sign(stand, box, RECEIPTS.sale)).state).toBe(READY)
    const kept = await stand.call(`DELETE ${path}/cashboxes/${box.cashBoxId}/scus/${target}`)
    expect(refusal(kept)).toEqual({ status: 409, code: 'ScuInUse' })
  })

  it('refuses the initiate receipt of a till whose dealer has prepared nothing', async () => {
    const { box } = await started()
    await sign(stand, box, RECEIPTS.daily)
    expect((await sign(stand, box, RECEIPTS.initiate)).status).toBe(400)
  })

  it('is prepared once: the second call only says so', async () => {
    const { box, path, target } = await started()
    await order(path, box, { targetScuId: target })
    const again = await order(path, box, { targetScuId: target, rebuild: false })
    expect(again.json()).toMatchObject({
      scenario: 'TwoStepSwitchPending',
      addedToCashBox: false,
      rebuilt: false,
    })
  })

  it('may take another target until the till has begun', async () => {
    const { box, path, target } = await started()
    const other = await furtherUnit(stand, box)
    await order(path, box, { targetScuId: target })
    const changed = await order(path, box, { targetScuId: other })
    expect(changed.json()).toMatchObject({ scenario: 'TwoStepSwitch' })
    expect(changed.json().message).toContain('aufgehoben')
    expect((await unit(target)).mode).toBe(0)
    expect((await unit(box.scuId)).configuration.TargetScuId).toBe(other)
    await sign(stand, box, RECEIPTS.daily)
    await sign(stand, box, RECEIPTS.initiate)
    const late = await order(path, box, { targetScuId: target })
    expect(refusal(late)).toEqual({ status: 409, code: 'ScuSwitchNotPossible' })
    expect((await order(path, box, { targetScuId: other })).json().scenario).toBe(
      'TwoStepSwitchPending',
    )
    expect((await sign(stand, box, RECEIPTS.finish)).state).toBe(READY)
    expect((await order(path, box, { targetScuId: other })).json().scenario).toBe('AlreadyAssigned')
  })

  it('keeps the plan when the till calls the switch off, and may begin again', async () => {
    const { box, path, target } = await started()
    await order(path, box, { targetScuId: target })
    await sign(stand, box, RECEIPTS.daily)
    await sign(stand, box, RECEIPTS.initiate)
    const back = await sign(stand, box, RECEIPTS.callOff)
    expect(back.status, back.text).toBe(200)
    expect((await order(path, box, { targetScuId: target })).json().scenario).toBe(
      'TwoStepSwitchPending',
    )
    expect((await unit(box.scuId)).mode).toBe(SOURCE)
  })

  it('gives the plan up when the dealer wants the present unit', async () => {
    const { box, path, target } = await started()
    await order(path, box, { targetScuId: target })
    const reply = await order(path, box, { targetScuId: box.scuId })
    expect(reply.json()).toMatchObject({ scenario: 'AlreadyAssigned', sourceScuId: box.scuId })
    expect([(await unit(box.scuId)).mode, (await unit(target)).mode]).toEqual([0, 0])
    const gone = await stand.call(`DELETE ${path}/cashboxes/${box.cashBoxId}/scus/${target}`)
    expect(gone.status, gone.text).toBe(204)
  })
})

describe('a queue that is not in operation', () => {
  it('gets the unit at once and starts with it', async () => {
    const { box, path } = await german()
    const target = await furtherUnit(stand, box)
    const reply = await order(path, box, { targetScuId: target })
    expect(reply.json()).toMatchObject({
      scenario: 'DirectAssignment',
      sourceScuId: box.scuId,
      addedToCashBox: true,
    })
    expect((await sign(stand, box, RECEIPTS.start)).state).toBe(READY)
    const list = (await stand.call(`GET ${path}/scus`)).list()
    expect(list.map((one) => [one.id, one.tseState])).toEqual([
      [box.scuId, 0],
      [target, 1],
    ])
  })

  it('leaves the unit out of the cash box and publishes nothing when told so', async () => {
    const { box, path } = await german()
    const target = await furtherUnit(stand, box)
    const body = { targetScuId: target, addToCashBox: false, rebuild: false }
    expect((await order(path, box, body)).json()).toMatchObject({
      scenario: 'DirectAssignment',
      addedToCashBox: false,
      rebuilt: false,
    })
    expect((await stand.call(`GET ${path}/cashboxes`)).list()).toMatchObject([{ state: 0 }])
  })
})

const OTHER_OUTLET = `with shop as (
    insert into outlet (account_id, id, number, name, details, created_at)
    select account_id, gen_random_uuid(), 7, 'Ring', '{}', now() from scu where id = $1
    returning account_id, id)
  update scu set outlet_id = shop.id from shop where scu.id = $1`

describe('units that no queue may be switched to', () => {
  it.each([
    ['hidden', 'update scu set hidden = true where id = $1'],
    ['of another outlet', OTHER_OUTLET],
  ])('%s: 409', async (_what, change) => {
    const { box, path, target } = await started()
    await stand.rows(change, [target])
    const reply = await order(path, box, { targetScuId: target })
    expect(refusal(reply)).toEqual({ status: 409, code: 'ScuSwitchNotPossible' })
    expect((await unit(box.scuId)).mode).toBe(0)
  })

  it('with an expired certificate: 409, in the language of the caller', async () => {
    const { box, path } = await started()
    const old = await furtherUnit(stand, box, {
      configuration: { certificateValidUntil: new Date(Date.now() + 3000).toISOString() },
    })
    await new Promise((resolve) => setTimeout(resolve, 3200))
    const reply = await stand.call(`POST ${path}/queues/${box.queueId}/switch-scu`, {
      body: { targetScuId: old },
      headers: { 'accept-language': 'de' },
    })
    expect(reply.json().Message).toContain('abgelaufen')
    expect((await unit(old)).mode).toBe(0)
  })

  it('terminated: 409', async () => {
    const { box, path, target } = await started()
    await order(path, box, { targetScuId: target })
    for (const step of ['daily', 'initiate', 'finish'] as const) {
      await sign(stand, box, RECEIPTS[step])
    }
    const reply = await order(path, box, { targetScuId: box.scuId })
    expect(refusal(reply)).toEqual({ status: 409, code: 'ScuSwitchNotPossible' })
  })

  it('target of another switch: 409', async () => {
    const { operator, box, path, target } = await started()
    const second = await rollOut(stand, operator, 'DE')
    await sign(stand, second, RECEIPTS.start)
    await order(path, box, { targetScuId: target })
    const reply = await order(path, second, { targetScuId: target })
    expect(refusal(reply)).toEqual({ status: 409, code: 'ScuSwitchNotPossible' })
  })

  it('of another operator: 404', async () => {
    const { box, path } = await started()
    const foreign = await german()
    const reply = await order(path, box, { targetScuId: foreign.box.scuId })
    expect(refusal(reply)).toEqual({ status: 404, code: 'ScuNotFound' })
  })
})
