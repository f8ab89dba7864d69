// The journals of queues that were replaced, moved or stopped: the CashBox's own credentials reach
// them at every door, the locally hosted form by their id, dealers who may read, and a command.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../src/cli/command.js'
import { journalCommands } from '../../src/cli/journal.js'
import { putConnection, type Right } from '../../src/store/account/connections.js'
import type { DealerStand } from '../support/dealer.js'
import { type Door, type DoorBox, DOORS as HTTP_DOORS, JSON_V1 } from '../support/doors.js'
import { grpcDoor } from '../support/grpc-door.js'
import { type GrpcStand, standGrpc } from '../support/grpc-server.js'
import {
  type BoxAccess,
  newId,
  openTwoServers,
  START,
  STOP,
  signAt,
  type TwoServers,
} from '../support/two-servers.js'

interface Served {
  stand: DealerStand
  grpc: GrpcStand
  url: string
}

let two: TwoServers
let remembering: Served
let open: Served
let former: Record<Fate, DoorBox>
let stranger: BoxAccess
let folder: string

const fates = ['replaced', 'moved', 'stopped and replaced', 'stopped'] as const
type Fate = (typeof fates)[number]

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'fiskalwerk-journals-'))
  two = await openTwoServers()
  remembering = await served(two.servers[1])
  open = await served(await two.third({ MIDDLEWARE_AUTH: 'off' }))
  former = {
    replaced: await withFate((box) => replace(box, [newId()])),
    moved: await withFate(async ({ queueId }) => {
      await made(newId(), [queueId], { unit: newId(), move: true })
    }),
    'stopped and replaced': await withFate(async (box) => {
      await stop(box)
      await replace(box, [newId()])
    }),
    stopped: await withFate(stop),
  }
  stranger = await made(newId(), [newId()])
}, 60_000)
afterAll(async () => {
  for (const { grpc } of [remembering, open]) await grpc.close()
  await open.stand.close()
  await two.close()
  rmSync(folder, { recursive: true })
})

async function served(stand: DealerStand): Promise<Served> {
  const grpc = await standGrpc(stand.deps)
  return { stand, grpc, url: await stand.app.listen({ host: '127.0.0.1', port: 0 }) }
}

type Box = DoorBox & { unit: string }

async function made(
  box: string,
  queues: string[],
  { unit = newId(), ...more }: { unit?: string; move?: boolean } = {},
): Promise<BoxAccess & { unit: string }> {
  const reply = await two.template({ box, queues, unit, ...more })
  expect(reply.status, reply.text).toBe(200)
  return { cashBoxId: box, accessToken: String(reply.json().accessToken), unit }
}

async function replace({ cashBoxId, unit }: Box, queues: string[]): Promise<void> {
  const reply = await two.template({ box: cashBoxId, queues, unit })
  expect(reply.status, reply.text).toBe(200)
}

async function stop(box: Box): Promise<void> {
  const told = await signAt(two.servers[0], { ...box, receiptCase: STOP })
  expect(told.status, told.text).toBe(200)
}

/** A queue with receipts from both servers, which remember it, and what becomes of it. */
async function withFate(become: (box: Box) => Promise<void>): Promise<DoorBox> {
  const queueId = newId()
  const box = { ...(await made(newId(), [queueId])), queueId }
  expect((await signAt(two.servers[0], { ...box, receiptCase: START })).status).toBe(200)
  expect((await signAt(two.servers[1], box)).status).toBe(200)
  await become(box)
  return box
}

const doorsOf = (at: () => Served): Door[] => [
  ...HTTP_DOORS,
  JSON_V1,
  ...(['', 'v1/'] as const).map((prefix) =>
    grpcDoor(`gRPC ${prefix}`, prefix, () => at().grpc.address),
  ),
]

/** The text of its receipt journal; the refusal where there is none. */
async function journalOf(door: Door, { url }: Served, box: DoorBox): Promise<string> {
  const [told] = await Promise.allSettled([door.journal(url, box, '2')])
  return told.status === 'fulfilled' ? told.value.toString() : String(told.reason)
}

const rows = (text: string): number => text.split('ftReceiptJournalId').length - 1

describe.each(fates)('the journal of a queue that was %s', (fate) => {
  it.each(doorsOf(() => remembering).map((door) => [door.name, door] as const))(
    'is reached by its CashBox over %s, and by no other one',
    async (_name, door) => {
      const box = former[fate]
      expect(rows(await journalOf(door, remembering, box))).toBeGreaterThanOrEqual(2)
      const foreign = { ...stranger, queueId: box.queueId }
      expect(rows(await journalOf(door, remembering, foreign))).toBe(0)
      const guessed = { ...box, accessToken: stranger.accessToken }
      expect(rows(await journalOf(door, remembering, guessed))).toBe(0)
    },
  )

  it.each(doorsOf(() => open).map((door) => [door.name, door] as const))(
    'is reached without credentials over %s in the locally hosted form',
    async (_name, door) => {
      const nobody = { ...former[fate], accessToken: 'none' }
      expect(rows(await journalOf(door, open, nobody))).toBeGreaterThanOrEqual(2)
      expect(rows(await journalOf(door, open, { ...nobody, queueId: newId() }))).toBe(0)
    },
  )

  it('is reached by a dealer with the right Read, and by none without a connection', async () => {
    const { queueId } = former[fate]
    const line = `GET /api/posoperators/${two.operator}/queues/${queueId}/journal?type=2`
    const reader = await dealerWith('Read')
    const told = await remembering.stand.call(line, { as: reader })
    expect([told.status, rows(told.text) >= 2]).toEqual([200, true])
    const nobody = await two.servers[0].account()
    const refused = await remembering.stand.call(line, { as: nobody })
    expect([refused.status >= 400, rows(refused.text)]).toEqual([true, 0])
  })

  it('is written by the command, by the id of the queue alone', async () => {
    const out = path.join(folder, `${randomUUID()}.json`)
    const open = async () => ({ store: two.servers[0].deps.store }) as Context
    const said = await journalCommands['journal export']?.run({
      options: { queue: former[fate].queueId, type: '2', out },
      ...{ positionals: [], open, openDatabase: open },
    })
    expect(said?.json).toMatchObject({ queueId: former[fate].queueId, file: out })
    expect(rows(readFileSync(out, 'utf8'))).toBeGreaterThanOrEqual(2)
  })
})

async function dealerWith(right: Right) {
  const account = await two.servers[0].account()
  await putConnection(two.servers[0].deps.store, {
    ...{ id: randomUUID(), accountId: account.accountId, toAccountId: two.operator },
    ...{ rights: right, state: 'active', createdAt: new Date() },
  })
  return account
}
