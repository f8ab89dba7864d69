// Cells of the contract test: templates, and the download of what they have published.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Cell, type Cells, expectMembers, type Refused, type Sent } from './cell.js'
import { GUID } from './merchant-cells.js'
import { SIGNING_ONLY, TILL } from './templates.js'
import type { World } from './world.js'

const TOKEN = expect.stringMatching(/^[A-Za-z0-9+/]{87}=$/)
const DOCUMENT = ['helpers', 'ftCashBoxId', 'ftSignaturCreationDevices', 'ftQueues']

/** Which account the template is executed for decides which path and which ids it has. */
type Executing = (world: World, template: string, query?: Record<string, string>) => Sent

const forOperator: Executing = ({ own }, template, query = {}) => ({
  params: { posOperatorId: own.operator },
  query: { outlet_number: '1', ...query },
  body: JSON.stringify(template),
})

const forItself: Executing = (_world, template, query = {}) => ({
  query,
  body: JSON.stringify(template),
})

/** Ids that the caller may not use: in a template they are refused, whoever's they are. */
const foreignIds = ({ foreign: { box, helper } }: World) => ({
  cashbox_id: box.cashBoxId,
  queue0_id: box.queueId,
  scu0_id: box.scuId,
  helper0_id: helper,
})

type IdName = keyof ReturnType<typeof foreignIds>

function refusing(executing: Executing): NonNullable<Cell['refuses']> {
  const withForeign = (name: IdName) => async (world: World) =>
    executing(world, TILL, { [name]: foreignIds(world)[name] })
  return {
    CASH_BOX_UNKNOWN: withForeign('cashbox_id'),
    QUEUE_UNKNOWN: withForeign('queue0_id'),
    SCU_UNKNOWN: withForeign('scu0_id'),
    HELPER_UNKNOWN: withForeign('helper0_id'),
    PACKAGE_OTHER: async (world) => {
      const id = randomUUID()
      const placed = { scu0_id: id, outlet_number: '1' }
      const first = executing(world, TILL, placed)
      const path = first.params === undefined ? 'configuration' : pathOf(world)
      const query = new URLSearchParams(first.query).toString()
      const reply = await world.stand.call(`POST /api/${path}?${query}`, { body: first.body })
      expect(reply.status, reply.text).toBe(200)
      return executing(world, TILL.replace('DE.CryptoVision', 'DE.Swissbit'), placed)
    },
    SIGNING_ROLE_MISSING: async (world) => executing(world, SIGNING_ONLY),
    ENTITLEMENTS_INSUFFICIENT: async (world) => {
      // such instances exist in one market, and for dealers with a role of their own
      const as = world.elsewhere
      const sent = executing(world, SIGNING_ONLY)
      if (sent.params !== undefined) sent.params = { posOperatorId: as.accountId }
      return { ...sent, as }
    },
  }
}

const pathOf = ({ own }: World): string => `posoperators/${own.operator}/templates`

const places = (executing: Executing): NonNullable<Cell['places']> =>
  Object.fromEntries(
    (['cashbox_id', 'queue0_id', 'scu0_id', 'helper0_id'] as const).map((name) => [
      name,
      async (id, world) => executing(world, TILL, { [name]: id }),
    ]),
  )

function wrongBodies(executing: Executing): NonNullable<Cell['wrongBodies']> {
  const raw = (body: string | Buffer | undefined) => async (world: World) => ({
    ...executing(world, TILL),
    ...{ body, members: ['$'] },
  })
  return {
    nothing: raw(undefined),
    blanks: raw('  \n'),
    'no JSON': raw('{"a":'),
    'a list': raw('[]'),
    'no UTF-8': raw(Buffer.from([0x7b, 0xff, 0x7d])),
    'a variable without value': raw(JSON.stringify('{"x":"|[never_given]|"}')),
  }
}

const leaves = { subjects: ['cashBoxId', 'outletNumber'], before: false, after: true }

function executionCell(executing: Executing, answers: Cell['answers']): Cell {
  return {
    works: async (world) => executing(world, TILL),
    ...{ answers, leaves, refuses: refusing(executing) },
    ...{ places: places(executing), wrongBodies: wrongBodies(executing) },
  }
}

const own = executionCell(forOperator, (reply) => {
  const { cashBoxId, accessToken, configuration } = reply.json()
  expect(reply.json()).toEqual({ cashBoxId: GUID, accessToken: TOKEN, configuration })
  expectMembers(configuration, [...DOCUMENT, 'timeStamp'])
  expect(configuration).toMatchObject({ ftCashBoxId: cashBoxId, ftQueues: [{ id: GUID }] })
  expect(accessToken).toEqual(TOKEN)
})

const RECORD_KEYS = [
  ...['id', 'productNumber', 'name', 'description', 'imageUrl', 'linkUrl', 'mode', 'deactivated'],
  ...['price', 'content', 'ownerAccountId', 'ownerName', 'market', 'createdAt', 'modifiedAt'],
]

const listing: Cell['answers'] = (reply, _sent, { own: { template, dealer } }) => {
  const found = reply.list().find(({ id }) => id === template)
  expect(found).toMatchObject({
    ...{ productNumber: '4445-028000', mode: 0, deactivated: false, market: 'DE' },
    ...{ ownerAccountId: dealer.accountId, content: TILL },
  })
  for (const one of reply.list()) expectMembers(one, RECORD_KEYS)
}

const boxes = new WeakMap<World, Promise<Credentials>>()

/** A published cash box, one per world: its id and token are what the download asks for. */
function published(world: World): Promise<Credentials> {
  const box = boxes.get(world) ?? publish(world)
  boxes.set(world, box)
  return box
}

async function publish(world: World): Promise<Credentials> {
  const { body, query } = forOperator(world, TILL)
  const line = `POST /api/${pathOf(world)}?${new URLSearchParams(query).toString()}`
  const reply = await world.stand.call(line, { body })
  expect(reply.status, reply.text).toBe(200)
  return {
    cashBoxId: String(reply.json().cashBoxId),
    accessToken: String(reply.json().accessToken),
  }
}

interface Credentials {
  cashBoxId: string
  accessToken: string
}

const inPath = ({ cashBoxId, accessToken }: Credentials): Sent => ({
  params: { cashBoxId },
  headers: { accountid: undefined, accesstoken: accessToken },
})
const inHeader = ({ cashBoxId, accessToken }: Credentials): Sent => ({
  headers: { accountid: undefined, cashboxid: cashBoxId, accesstoken: accessToken },
})

const expectDownload: Cell['answers'] = (reply) => {
  const document = reply.json()
  expectMembers(document, [...DOCUMENT, 'TimeStamp'])
  expect(document.ftCashBoxId).toEqual(GUID)
  expect(document.ftQueues).toMatchObject([{ Id: GUID, Package: expect.any(String) }])
}

const downloading = (form: (box: Credentials) => Sent): Cell => ({
  works: async (world) => form(await published(world)),
  answers: expectDownload,
  refuses: {
    CREDENTIALS_WRONG: async ({ own, foreign }): Promise<Refused> =>
      form({ ...own.box, cashBoxId: foreign.box.cashBoxId }),
    NEVER_PUBLISHED: async ({ own }) => form(own.box),
    FIELD_INVALID: async (world) => ({
      ...form(await published(world)),
      body: { publicKeyX509: 'AAAA' },
      members: ['publicKeyX509'],
    }),
    BODY_TOO_LARGE: async (world) => ({
      ...form(await published(world)),
      body: { publicKeyX509: 'A'.repeat(16 * 1024) },
    }),
  },
  places: { cashBoxId: async (id, { own }) => form({ ...own.box, cashBoxId: id }) },
})

export const templateCells: Cells = {
  executeTemplate: {
    ...own,
    refuses: {
      ...own.refuses,
      OUTLET_UNKNOWN: async (world) => forOperator(world, TILL, { outlet_number: '2' }),
    },
  },
  executeOwnTemplate: executionCell(forItself, (reply) => {
    const { configuration } = reply.json()
    expect(reply.json()).toEqual({ cashBoxId: GUID, accessToken: TOKEN, configuration })
    expectMembers(JSON.parse(String(configuration)), [...DOCUMENT, 'TimeStamp'])
  }),
  executeOwnTemplateV1: executionCell(forItself, (reply) => {
    const { configuration } = reply.json()
    expect(reply.json()).toEqual({ cashBoxId: GUID, accessToken: TOKEN, configuration })
    expectMembers(configuration, [...DOCUMENT, 'TimeStamp'])
  }),
  listTemplates: { works: async () => ({}), answers: listing },
  listTemplatesForOperator: {
    works: async (world) => ({ params: { posOperatorId: world.own.operator } }),
    answers: listing,
  },
  downloadConfiguration: downloading(inPath),
  downloadConfigurationByHeader: downloading(inHeader),
}
