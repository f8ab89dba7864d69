// The kept list of operators: how long it is used, and what makes it old.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperatorList } from '../../../src/core/accounts/operators.js'
import type { Store } from '../../../src/store/client.js'
import { type DealerStand, openDealer } from '../../support/dealer.js'

let stand: DealerStand
let accountId = ''
beforeAll(async () => {
  stand = await openDealer()
  accountId = stand.dealer.accountId
  await stand.operator('Full', { name: 'A' })
})
afterAll(() => stand.close())

/** The list with a clock of its own, and how often it has read all rows. */
function opened() {
  let moment = 0
  let reads = 0
  const { store } = stand.deps
  const query = (statement: { name: string }) => {
    if (statement.name === 'operators') reads += 1
    return store.pool.query(statement as never)
  }
  const watched = { ...store, pool: { query } } as unknown as Store
  const list = createOperatorList({ store: watched, now: () => new Date(moment) })
  return {
    json: (fresh = false) => list.json(accountId, fresh),
    wait: (milliseconds: number) => {
      moment += milliseconds
    },
    reads: () => reads,
  }
}

describe('the kept list', () => {
  it('is used for a minute and read anew then', async () => {
    const list = opened()
    const first = await list.json()
    list.wait(59_999)
    expect(await list.json()).toBe(first)
    expect(list.reads()).toBe(1)
    list.wait(1)
    await list.json()
    expect(list.reads()).toBe(2)
  })

  it('is not used when it is not wanted, and is replaced then', async () => {
    const list = opened()
    await list.json()
    await list.json(true)
    expect(list.reads()).toBe(2)
    await list.json()
    expect(list.reads()).toBe(2)
  })

  it('is not used when the clock was set back', async () => {
    const list = opened()
    await list.json()
    list.wait(-1)
    await list.json()
    expect(list.reads()).toBe(2)
  })

  it('is old as soon as anybody has written a row behind it', async () => {
    const list = opened()
    await list.json()
    await stand.rows(`update account set city = 'Linz' where name = 'A'`)
    expect(await list.json()).toContain('Linz')
    await stand.operator('Full', { name: 'B', state: 'pending' })
    await list.json()
    expect(list.reads()).toBe(2)
    await stand.rows(`update connection set state = 'active'`)
    expect(JSON.parse(await list.json())).toHaveLength(2)
  })
})
