// A German unit that is served to other servers and one that a queue signs with are never the same
// one, whatever is asked in whatever order, and at the same time: a model of both.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TRANSACTION } from '../../../src/store/client.js'
import { setUnitsOfQueue } from '../../../src/store/rollout/inventory-changes.js'
import { attachUnit } from '../../../src/store/rollout/scus.js'
import { call } from '../../support/group-c.js'
import {
  makeBox,
  makeQueue,
  makeScu,
  makeServer,
  type TestServer,
  type TestSigner,
} from '../../support/make-scu.js'

const RUNS = Number(process.env.MODEL_RUNS ?? 6)

let service: TestServer
let second: TestServer
beforeAll(async () => {
  service = await makeServer()
  second = await makeServer({ database: service.database })
})
afterAll(async () => {
  await second.close()
  await service.close()
})

interface Place {
  signer: TestSigner
  /** A queue with another unit. */
  queueId: string
  ownUnit: string
}

async function place(): Promise<Place> {
  const box = await makeBox(service, 'DE')
  const ownUnit = await makeScu(service, box, { mode: 255 })
  const queueId = await makeQueue(service, box, [ownUnit])
  return { signer: { ...box, scuId: await makeScu(service, box) }, queueId, ownUnit }
}

type Outcome = 'done' | 'refused'

const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => 'done' as const,
    (error: { code?: string }) => {
      if (error.code !== 'FIELD_INVALID') throw error
      return 'refused' as const
    },
  )

const deeds = {
  /** As another server does. */
  serve: async ({ signer: { headers } }: Place, on = service): Promise<Outcome> => {
    const path = '/api/v0/idesscd/v1/tsestate'
    const body = { CurrentState: 1 }
    const told = await call(on.app, { method: 'POST', path, headers, body })
    if (told.body.code === undefined) return 'done'
    expect(told.body.code).toBe('SCU_NONE')
    return 'refused'
  },
  attach: ({ signer: { accountId, scuId }, queueId }: Place) =>
    outcomeOf(attachUnit(service.deps.store, { accountId, queueId, scuId })),
  found: ({ signer }: Place) => outcomeOf(makeQueue(second, signer, [signer.scuId])),
  set: ({ signer: { accountId, scuId }, queueId, ownUnit }: Place) =>
    outcomeOf(
      second.deps.store.prisma.$transaction(
        (tx) => setUnitsOfQueue(tx, { accountId, id: queueId }, [ownUnit, scuId]),
        TRANSACTION,
      ),
    ),
} as const
type Deed = keyof typeof deeds

async function stored({ signer: { accountId, scuId } }: Place) {
  const { rows } = await service.deps.store.pool.query<{ linked: boolean; served: boolean }>(
    `select exists (select from queue_scu where account_id = $1 and scu_id = $2) as linked,
      exists (select from served_log where account_id = $1 and scu_id = $2) as served`,
    [accountId, scuId],
  )
  return rows[0]
}

const deed = fc.constantFrom<Deed>('serve', 'attach', 'found', 'set')

it('in an order, each refuses what the first of the other kind has decided', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 2, maxLength: 4 }), async (order) => {
      const here = await place()
      let owner: 'queue' | 'others' | undefined
      let isAttached = false
      for (const name of order) {
        // the database lets no queue have a unit twice
        if (name === 'attach' && isAttached) continue
        const wanted = name === 'serve' ? 'others' : 'queue'
        owner ??= wanted
        expect(await deeds[name](here)).toBe(owner === wanted ? 'done' : 'refused')
        isAttached ||= owner === 'queue' && name !== 'found'
        const [linked, served] = [owner === 'queue', owner === 'others']
        expect(await stored(here)).toEqual({ linked, served })
      }
    }),
    { numRuns: RUNS },
  )
})

it('at the same time, one of them is refused, and nothing is both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Deed>('attach', 'found', 'set'), async (name) => {
      const here = await place()
      const [served, linked] = await Promise.all([deeds.serve(here, second), deeds[name](here)])
      expect([served, linked].toSorted()).toEqual(['done', 'refused'])
      expect(await stored(here)).toEqual({ linked: linked === 'done', served: served === 'done' })
    }),
    { numRuns: RUNS },
  )
})
