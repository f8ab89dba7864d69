// Cells of the contract test: Queues, SCUs, CashBoxes, helpers.
import { expect } from 'vitest'
import type { Reply } from '../dealer.js'
import { type Box, furtherUnit, rollOut } from '../dealer-stock.js'
import { type Cells, expectMembers, type Refused, type Sent } from './cell.js'
import { expectSentence, GUID } from './merchant-cells.js'
import type { World } from './world.js'

const posOperatorId = ({ own }: World) => own.operator
const operatorPath = (world: World): Sent => ({ params: { posOperatorId: posOperatorId(world) } })
const queuePath = (world: World, queueId = world.own.box.queueId) => ({
  params: { posOperatorId: posOperatorId(world), queueId },
})
const scuPath = (world: World, scuId = world.own.box.scuId) => ({
  params: { posOperatorId: posOperatorId(world), scuId },
})
const boxPath = (world: World, cashBoxId = world.own.box.cashBoxId) => ({
  params: { posOperatorId: posOperatorId(world), cashBoxId },
})
const helperPath = (world: World, helperId = world.own.helper) => ({
  params: { posOperatorId: posOperatorId(world), helperId },
})
const placePath = (world: World, { cashBoxId, scuId }: Pick<Box, 'cashBoxId' | 'scuId'>) => ({
  params: { posOperatorId: posOperatorId(world), cashBoxId, scuId },
})
/** Nobody's. */
const NONE = '00000000-0000-4000-8000-00000000dead'

const newBox = ({ stand, own }: World) => rollOut(stand, own.operator, 'DE')

/** A further unit of the caller's operator: held by the box, or by none. */
async function spare({ stand }: World, box: Box, held = false): Promise<string> {
  return furtherUnit(stand, box, { held })
}

/** The spare unit is in no CashBox, and the spare Queue works with its first unit. */
async function apart({ stand, spare: { box, scuId } }: World): Promise<void> {
  await stand.rows('delete from cash_box_scu where scu_id = $1', [scuId])
  await stand.rows('delete from queue_scu where queue_id = $1', [box.queueId])
  await stand.rows('insert into queue_scu values ($1, $2, $3, 0)', [
    ...[box.accountId, box.queueId, box.scuId],
  ])
}

/** Everything of the box but its Queue has left the Queue. */
async function unlinked({ stand }: World, { queueId }: Box): Promise<void> {
  await stand.rows('delete from queue_scu where queue_id = $1', [queueId])
}

/** It stands at an outlet of its own. */
async function moved({ stand }: World, scuId: string): Promise<void> {
  await stand.rows(
    `with shop as (
      insert into outlet (account_id, id, number, name, details, created_at)
      select s.account_id, gen_random_uuid(), max(o.number) + 1, 'Ring', '{}', now()
      from scu s join outlet o on o.account_id = s.account_id where s.id = $1
      group by s.account_id returning id)
    update scu set outlet_id = shop.id from shop where scu.id = $1`,
    [scuId],
  )
}

const QUEUE = {
  ...{ id: GUID, cashBoxId: GUID, outletNumber: 1, description: expect.any(String) },
  ...{ packageName: expect.any(String), packageVersion: expect.any(String) },
  ...{ startMoment: null, stopMoment: null },
}
const SCU = {
  ...{ id: GUID, description: expect.any(String), outletNumber: 1 },
  ...{ packageName: expect.any(String), packageVersion: expect.any(String), isHidden: false },
  ...{ serialNumber: expect.any(String), certificationId: expect.any(String) },
  certificateExpirationDate: expect.stringMatching(/Z$/),
  ...{ isCertificateExpired: false, tseState: 0 },
}

const UPDATED_KEYS = ['type', 'title', 'status', 'detail', 'instance', 'errors']

function expectUpdated(reply: Reply): void {
  expectMembers(reply.json(), UPDATED_KEYS)
  expect(reply.json()).toMatchObject({ type: 'about:blank', title: 'Updated', status: 200 })
  expect(reply.json().detail).toMatch(/\S/)
  expect(reply.json().instance).toMatch(/\/api\/posoperators\//i)
  expect(reply.json().errors).toEqual({})
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
}

const described = { description: ' Till 1 ' }

export const queueCells: Cells = {
  listQueues: {
    works: async (world) => operatorPath(world),
    answers: (reply, _sent, { own }) => {
      const ids = reply.list().map(({ id }) => id)
      expect(ids).toContain(own.box.queueId)
      for (const one of reply.list()) expectMembers(one, Object.keys(QUEUE))
      expect(reply.list()[0]).toEqual(QUEUE)
    },
  },
  getQueue: {
    works: async (world) => queuePath(world),
    answers: (reply, { params }) =>
      expect(reply.json()).toEqual({
        ...{ ...QUEUE, id: params?.queueId, commissioningDate: null, purchaseDate: null },
      }),
    refuses: { QUEUE_UNKNOWN: async (world) => queuePath(world, NONE) },
  },
  exportQueueJournal: {
    works: async (world) => ({ ...queuePath(world), query: { type: '1' } }),
    answers: (reply) => {
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(Array.isArray(JSON.parse(reply.text))).toBe(true)
    },
    refuses: {
      QUEUE_UNKNOWN: async (world) => ({ ...queuePath(world, NONE), query: { type: '1' } }),
      JOURNAL_TYPE_UNKNOWN: async (world) => ({
        ...queuePath(world),
        query: { type: '0x5858000000000001' },
        members: ['$'],
      }),
      JOURNAL_FORMAT: async (world) => ({
        ...queuePath(world),
        query: { type: '0xff', format: 'csv' },
        members: ['$'],
      }),
    },
  },
  showQueueRegistration: {
    works: async (world) => queuePath(world),
    answers: (reply, { params }) =>
      expect(reply.json()).toMatchObject({
        ...{ queueId: params?.queueId, cashBoxId: GUID, startReceipt: null },
        units: [{ scuId: GUID, serialHexadecimal: expect.stringMatching(/^[0-9a-f]+$/i) }],
      }),
    leaves: { subjects: ['queueId'], before: false, after: true, shows: true },
    refuses: { QUEUE_UNKNOWN: async (world) => queuePath(world, NONE) },
  },
  updateQueue: {
    works: async (world) => ({
      ...queuePath(world, world.spare.box.queueId),
      body: { ...described, purchaseDate: '2026-01-05T00:00:00Z', commissioningDate: null },
    }),
    answers: expectSentence,
    leaves: { subjects: ['queueId'], before: true, after: true },
    refuses: { QUEUE_UNKNOWN: async (world) => ({ ...queuePath(world, NONE), body: described }) },
  },
  switchScu: {
    works: async (world) => {
      await apart(world)
      const { box, scuId } = world.spare
      return { ...queuePath(world, box.queueId), body: { targetScuId: scuId } }
    },
    answers: (reply, { params, body }) =>
      expect(reply.json()).toEqual({
        ...{ message: expect.stringMatching(/\S/), scenario: 'DirectAssignment' },
        ...{ queueId: params?.queueId, cashBoxId: GUID, sourceScuId: GUID },
        targetScuId: (body as { targetScuId: string }).targetScuId,
        ...{ addedToCashBox: true, rebuilt: true, cloudRestartTriggered: false },
      }),
    leaves: { subjects: ['queueId', 'scuId', 'cashBoxId'], before: true, after: true },
    places: {
      targetScuId: async (id, world) => ({ ...queuePath(world), body: { targetScuId: id } }),
    },
    refuses: {
      QUEUE_UNKNOWN: async (world) => ({
        ...queuePath(world, NONE),
        body: { targetScuId: world.own.box.scuId },
      }),
      SCU_UNKNOWN: async (world) => ({ ...queuePath(world), body: { targetScuId: NONE } }),
      SCU_SWITCH_IMPOSSIBLE: async (world) => {
        const box = await newBox(world)
        const targetScuId = await spare(world, box)
        await moved(world, targetScuId)
        return { ...queuePath(world, box.queueId), body: { targetScuId } }
      },
      QUEUE_WITHOUT_UNIT: async (world) => {
        const box = await newBox(world)
        const further = await newBox(world)
        await world.stand.rows('update queue set cash_box_id = $1 where id = $2', [
          ...[box.cashBoxId, further.queueId],
        ])
        await unlinked(world, further)
        const targetScuId = await spare(world, box)
        return { ...queuePath(world, box.queueId), body: { targetScuId } }
      },
    },
  },
}

export const scuCells: Cells = {
  listScus: {
    works: async (world) => ({ ...operatorPath(world), query: { outletNumber: '1' } }),
    answers: (reply, _sent, { own }) => {
      const found = reply.list().find(({ id }) => id === own.box.scuId)
      expect(found).toEqual(SCU)
      for (const one of reply.list()) expectMembers(one, Object.keys(SCU))
    },
  },
  getScu: {
    works: async (world) => scuPath(world),
    answers: (reply, { params }) => expect(reply.json()).toEqual({ ...SCU, id: params?.scuId }),
    refuses: { SCU_UNKNOWN: async (world) => scuPath(world, NONE) },
  },
  updateScu: {
    works: async (world) => ({ ...scuPath(world), body: described }),
    answers: expectUpdated,
    leaves: { subjects: ['scuId'], before: true, after: true },
    refuses: { SCU_UNKNOWN: async (world) => ({ ...scuPath(world, NONE), body: described }) },
  },
  addScu: {
    works: async (world) => {
      await apart(world)
      return placePath(world, { ...world.spare.box, scuId: world.spare.scuId })
    },
    answers: (reply) => expect(reply.text).toBe(''),
    leaves: { subjects: ['cashBoxId', 'scuId'], before: true, after: true },
    refuses: {
      ...placing(),
      SCU_OUTLET_OTHER: async (world) => {
        const box = await newBox(world)
        const scuId = await spare(world, box)
        await moved(world, scuId)
        return placePath(world, { ...box, scuId })
      },
      QUEUE_WITHOUT_UNIT: async (world) => {
        const box = await newBox(world)
        await unlinked(world, box)
        return placePath(world, { ...box, scuId: await spare(world, box) })
      },
    },
  },
  removeScu: {
    works: async (world) => {
      await apart(world)
      const { box, scuId } = world.spare
      await world.stand.rows('insert into cash_box_scu values ($1, $2, $3)', [
        ...[box.accountId, box.cashBoxId, scuId],
      ])
      return placePath(world, { ...box, scuId })
    },
    answers: (reply) => expect(reply.text).toBe(''),
    leaves: { subjects: ['cashBoxId', 'scuId'], before: true, after: true },
    refuses: {
      ...placing(),
      SCU_IN_USE: async (world) => placePath(world, await newBox(world)),
      QUEUE_WITHOUT_UNIT: async (world) => {
        const box = await newBox(world)
        await unlinked(world, box)
        return placePath(world, { ...box, scuId: await spare(world, box, true) })
      },
    },
  },
}

function placing() {
  return {
    CASH_BOX_UNKNOWN: async (world: World): Promise<Refused> =>
      placePath(world, { ...world.own.box, cashBoxId: NONE }),
    SCU_UNKNOWN: async (world: World): Promise<Refused> =>
      placePath(world, { ...world.own.box, scuId: NONE }),
  }
}

/** As many live PINs as there may be. */
async function pinsGone(world: World): Promise<Refused> {
  await world.stand.rows(
    `insert into pairing_pin (account_id, cash_box_id, pin_hash, expires_at)
     select gen_random_uuid(), gen_random_uuid(), decode(md5(n::text), 'hex'),
       now() + interval '1 hour'
     from generate_series(1, 5000) n`,
  )
  return { ...boxPath(world), undo: () => world.stand.rows('delete from pairing_pin') }
}

const PARTS = {
  ...{ description: expect.any(String), ipAddress: '', outletNumber: 1, state: expect.any(Number) },
  ...{ timeStamp: expect.any(Number), productType: 0 },
}
const COMPONENT = {
  ...{ id: GUID, description: expect.any(String), packageName: expect.any(String) },
  ...{ packageVersion: expect.any(String), url: null, outletNumber: 1 },
}

export const boxCells: Cells = {
  listCashBoxes: {
    works: async (world) => operatorPath(world),
    answers: (reply, _sent, { own }) => {
      const found = reply.list().find(({ cashBoxId }) => cashBoxId === own.box.cashBoxId)
      expect(found).toEqual({ cashBoxId: own.box.cashBoxId, ...PARTS })
      for (const one of reply.list()) {
        expectMembers(one, ['cashBoxId', ...Object.keys(PARTS)])
      }
      expect(reply.text).not.toContain(own.box.accessToken)
    },
  },
  getCashBox: {
    works: async (world) => boxPath(world),
    answers: (reply, _sent, { own }) =>
      expect(reply.json()).toEqual({
        ...{ cashBoxId: own.box.cashBoxId, accessToken: own.box.accessToken, cashBox: PARTS },
        queues: [
          {
            ...{ ...COMPONENT, id: own.box.queueId, countryCode: 'DE', timeout: 0 },
            ...{ commissioningDate: null, purchaseDate: null, decommissioningDate: null },
          },
        ],
        signatureCreationUnits: [{ ...COMPONENT, id: own.box.scuId, market: 'DE', mode: 0 }],
        helpers: [{ ...COMPONENT, id: own.helper }],
        ...{ queueATProperties: [], configuration: null },
      }),
    refuses: { CASH_BOX_UNKNOWN: async (world) => boxPath(world, NONE) },
  },
  updateCashBox: {
    works: async (world) => ({ ...boxPath(world), body: described }),
    answers: expectUpdated,
    leaves: { subjects: ['cashBoxId'], before: true, after: true },
    refuses: { CASH_BOX_UNKNOWN: async (world) => ({ ...boxPath(world, NONE), body: described }) },
  },
  createPairingPin: {
    works: async (world) => boxPath(world),
    answers: (reply) => expect(reply.text).toMatch(/^"\d{4}"$/),
    leaves: { subjects: ['cashBoxId'], before: false, after: true },
    refuses: {
      CASH_BOX_UNKNOWN: async (world) => boxPath(world, NONE),
      PIN_NONE_FREE: pinsGone,
    },
  },
  updateHelper: {
    works: async (world) => ({ ...helperPath(world), body: described }),
    answers: expectUpdated,
    leaves: { subjects: ['helperId'], before: true, after: true },
    refuses: {
      HELPER_UNKNOWN: async (world) => ({ ...helperPath(world, NONE), body: described }),
    },
  },
}
