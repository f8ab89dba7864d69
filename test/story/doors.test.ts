// One Middleware behind several doors: the requests of the public collections for Austria and
// Germany get equal results through each, and what one door has signed another gives back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GrpcServer, startGrpc } from '../../src/api/middleware/grpc/server.js'
import {
  createCashBox,
  createQueue,
  createScu,
  type RolloutDeps,
} from '../../src/core/rollout/create.js'
import { listenAt } from '../../src/lib/listen.js'
import { marketOf } from '../../src/market/index.js'
import { decodeStoredRequest } from '../../src/model/stored-texts.js'
import { type Door, type DoorBox, DOORS as HTTP_DOORS, type Told } from '../support/doors.js'
import { grpcDoor } from '../support/grpc-door.js'
import { AUSTRIAN_SET, GERMAN_SET, type SetRequest } from '../support/request-sets.js'
import { AUSTRIAN_COLLECTION, GERMAN_COLLECTION } from '../support/sample-collections.js'
import { openShop, type Shop } from '../support/shop.js'

let shop: Shop
let grpc: GrpcServer
const grpcAddress = () => `127.0.0.1:${grpc.port}`
const DOORS: readonly Door[] = [
  ...HTTP_DOORS,
  grpcDoor('gRPC', '', grpcAddress),
  grpcDoor('gRPC by the names of version 1', 'v1/', grpcAddress),
]

beforeAll(async () => {
  shop = await openShop({ DATABASE_POOL: '6' })
  const { middleware, log } = shop.deps
  const listen = listenAt({ host: '127.0.0.1', port: 0 })
  grpc = await startGrpc(middleware, { listen, most: 100, log })
})
afterAll(async () => {
  await grpc.close()
  await shop.close()
})

/** A cash box of its own with one queue that was never started. */
async function boxOf(market: string): Promise<DoorBox> {
  const rollout: RolloutDeps = { store: shop.deps.store, marketOf, now: () => new Date() }
  const { accountId } = shop.demo.operator
  const { scuPackage, configuration = {} } = marketOf(market).rollout.demo
  const description = 'doors'
  const box = await createCashBox(rollout, { accountId, outletId: null, description })
  const unit = { accountId, cashBoxId: box.cashBoxId, market, description }
  const scuId = await createScu(rollout, { ...unit, package: scuPackage })
  const queueId = await createQueue(rollout, { ...unit, configuration, scuIds: [scuId] })
  return { ...box, queueId }
}

function textOf(box: DoorBox, { json, reference }: SetRequest, number: number): string {
  const named = `{"ftCashBoxID":"${box.cashBoxId}","cbReceiptReference":"${reference ?? number}",`
  return named + json.slice(1)
}

/** What cannot be equal in two queues: ids, moments, signatures, serial numbers. */
function comparable(told: Told): unknown {
  const register = 'answer' in told ? String(told.answer.ftcashboxidentification) : 'none'
  const text = JSON.stringify(told, (_name, value: unknown) => {
    if (typeof value !== 'string') return value
    return (
      value
        .replaceAll(register, 'REGISTER')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'MOMENT')
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'ID')
        .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'JWS')
        .replace(/"CurrentLogMemorySize":\d+/g, 'SIZE')
        // names of members have no digit
        .replace(/(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{22,}=*/g, 'BYTES')
        .replace(/(_[A-Za-z0-9+/]{3,11}=)|([0-9a-f]{16,})/g, 'BYTES')
    )
  })
  return JSON.parse(text)
}

async function storedOf({ queueId }: DoorBox): Promise<unknown[]> {
  const { rows } = await shop.deps.store.pool.query<{ request: string }>(
    'select request from queue_item where queue_id = $1 order by row',
    [queueId],
  )
  return rows.map(({ request }) => {
    const { cashBoxId: _, ...members } = decodeStoredRequest(request)
    return JSON.parse(
      JSON.stringify(members, (_name, value: unknown) =>
        // an empty text is a missing one over gRPC
        typeof value === 'bigint' ? String(value) : value === '' ? null : value,
      ),
    )
  })
}

interface RequestSet {
  name: string
  market: string
  set: readonly SetRequest[]
  /** One that is asked for a second time. */
  again: string
  /** What the collection exports besides the types of every market. */
  exports: readonly bigint[]
}

const SETS: readonly RequestSet[] = [
  {
    name: 'the receipts of the sample collection for Austria',
    market: 'AT',
    set: AUSTRIAN_COLLECTION,
    again: 'cash sale',
    exports: [],
  },
  {
    name: 'the receipts of the sample collection for Germany',
    market: 'DE',
    set: GERMAN_COLLECTION,
    again: 'agency',
    exports: [2n, 3n],
  },
  {
    name: 'every kind of receipt in Austria',
    market: 'AT',
    set: AUSTRIAN_SET,
    again: 'cash of the C demo',
    exports: [],
  },
  {
    name: 'every kind of receipt in Germany',
    market: 'DE',
    set: GERMAN_SET,
    again: 'cash of the C demo',
    exports: [],
  },
]

async function run(door: Door, box: DoorBox, set: readonly SetRequest[]): Promise<Told[]> {
  const told: Told[] = []
  for (const [number, request] of set.entries()) {
    told.push(await door.sign(shop.url, box, textOf(box, request, number)))
  }
  return told
}

describe.each(SETS)('$name', { timeout: 120_000 }, ({ market, set, again, exports }) => {
  const told = new Map<string, Told[]>()
  const boxes = new Map<string, DoorBox>()

  it('is answered through each door', async () => {
    for (const door of DOORS) {
      const box = await boxOf(market)
      boxes.set(door.name, box)
      told.set(door.name, await run(door, box, set))
    }
    const first = told.get(DOORS[0]?.name ?? '') ?? []
    // most of the set is receipts, some is wrong on purpose
    const signed = first.filter((one) => 'answer' in one)
    expect(signed.length).toBeGreaterThan(set.length * 0.8)
    const states = signed.map((one) => ('answer' in one ? one.answer.ftstate : undefined))
    expect(states.every((state) => /^\d{19}$/.test(String(state)))).toBe(true)
  })

  it('has equal results, member by member', () => {
    const [first, ...others] = DOORS
    const expected = (told.get(first?.name ?? '') ?? []).map(comparable)
    for (const door of others) {
      const seen = (told.get(door.name) ?? []).map(comparable)
      for (const [at, request] of set.entries()) {
        expect(seen[at], `${door.name}: ${request.name}`).toEqual(expected[at])
      }
    }
  })

  it('is stored with equal meaning', async () => {
    const [first, ...others] = [...boxes.values()]
    if (first === undefined) throw new Error('nothing was run')
    const expected = await storedOf(first)
    expect(expected.length).toBeGreaterThan(set.length * 0.8)
    for (const box of others) expect(await storedOf(box)).toEqual(expected)
  })

  it('is given back by every door as it was signed by any', async () => {
    const flag = 0x8000_0000_0000n
    for (const [name, box] of boxes) {
      const at = set.findIndex((request) => request.name === again)
      const request = set[at]
      if (request === undefined) throw new Error('the set has no such receipt')
      const asked = textOf(box, request, at).replace(
        /"ftReceiptCase":(\d+)/,
        (_, word: string) => `"ftReceiptCase":${BigInt(word) | flag}`,
      )
      for (const door of DOORS) {
        expect(await door.sign(shop.url, box, asked), `${name} by ${door.name}`).toEqual(
          told.get(name)?.[at],
        )
      }
    }
  })

  it('has one journal, byte for byte, and one echo', async () => {
    const box = boxes.get(DOORS[0]?.name ?? '')
    if (box === undefined) throw new Error('nothing was run')
    const base = BigInt(`0x${Buffer.from(market).toString('hex')}`)
    const own = [1n, ...exports].map((number) => (base << 48n) + number)
    const types = [0n, 1n, 2n, 3n, 0xffn, base, ...own]
    for (const type of types) {
      const [first, ...others] = await Promise.all(
        DOORS.map((door) => door.journal(shop.url, box, String(type))),
      )
      expect(first?.length, String(type)).toBeGreaterThan(10)
      for (const [at, bytes] of others.entries()) {
        expect(bytes.equals(first ?? Buffer.alloc(0)), `${type} ${DOORS[at + 1]?.name}`).toBe(true)
      }
    }
    for (const door of DOORS) {
      expect(await door.echo(shop.url, box, 'Grüße <&> 🌍'), door.name).toBe('Grüße <&> 🌍')
    }
  })
})
