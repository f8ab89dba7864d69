// What a new queue and a new signing unit may be called and configured as.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createQueue, createScu, type NewQueue } from '../../../src/core/rollout/create.js'
import { shortId } from '../../../src/lib/id.js'
import { marketOf } from '../../../src/market/index.js'
import { openShop, type Shop } from '../../support/shop.js'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const deps = () => ({ store: shop.deps.store, marketOf, now: () => new Date() })

function newQueue(more: Partial<NewQueue> = {}): Promise<string> {
  const { operator } = shop.demo
  const { cashBoxId, scuIds } = shop.box
  const base = { accountId: operator.accountId, cashBoxId, market: 'AT', description: 'x', scuIds }
  return createQueue(deps(), { ...base, ...more })
}

async function identificationOf(id: string): Promise<unknown> {
  const found = await shop.deps.store.pool.query('select identification from queue where id = $1', [
    id,
  ])
  return found.rows[0]?.identification
}

describe('the name of a queue towards the tax office', () => {
  it('is the short Base64 form of its id, without special characters', () => {
    // the bytes in the order in which .NET keeps them: three groups turned around
    const bytes = Buffer.from('33221100554477668899aabbccddeeff', 'hex')
    expect(shortId('00112233-4455-6677-8899-aabbccddeeff')).toBe(
      bytes.toString('base64').replace(/[+/=]/g, ''),
    )
  })

  it('is that form when none is given, and the given one else', async () => {
    const id = await newQueue()
    expect(await identificationOf(id)).toBe(shortId(id))
    expect(await identificationOf(await newQueue({ identification: 'Kassa 1' }))).toBe('Kassa 1')
  })

  it.each(['', 'A_B', ' A', 'A ', 'Ä', 'A\n', 'A'.repeat(65)])('%j is refused', async (name) => {
    await expect(newQueue({ identification: name })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      details: { field: 'identification' },
    })
  })

  it('is never given twice in one account', async () => {
    await newQueue({ identification: 'Kassa 2' })
    await expect(newQueue({ identification: 'Kassa 2' })).rejects.toMatchObject({
      code: 'IDENTIFICATION_TAKEN',
    })
  })
})

describe('what is not offered', () => {
  it('a closed system is refused when the queue is made', async () => {
    await expect(newQueue({ configuration: { ClosedSystemKind: 'GLN' } })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      details: { field: 'configuration.ClosedSystemKind' },
    })
  })

  it('a package that nobody serves is refused, and those that are served are named', async () => {
    const unit = { accountId: shop.demo.operator.accountId, cashBoxId: shop.box.cashBoxId }
    const made = createScu(deps(), {
      ...unit,
      market: 'AT',
      package: 'somebody.elses.Device',
      description: 'x',
    })
    await expect(made).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      message: expect.stringContaining('fiskalwerk.SCU.AT.Software or fiskalwerk.SCU.AT.Remote'),
    })
  })
})
