// `audit list`: what a person and a script see of the changes of an account.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditCommands } from '../../src/cli/audit.js'
import { type Context, UsageError } from '../../src/cli/command.js'
import { type DealerStand, openDealer } from '../support/dealer.js'

let stand: DealerStand
let operator = ''
beforeAll(async () => {
  stand = await openDealer()
  operator = await stand.operator()
  const shop = { name: 'A', address: 'B', postalCode: '1', city: 'C', country: 'AT' }
  const path = `/api/posoperators/${operator}/outlets`
  await stand.call(`POST ${path}`, { body: shop })
  await stand.call(`PUT ${path}/3`, { body: { ...shop, name: 'Z' } })
})
afterAll(() => stand.close())

async function list(options: Record<string, string>) {
  const command = auditCommands['audit list']
  const context = { store: stand.deps.store } as Context
  const output = await command?.run({
    options,
    positionals: [],
    open: () => Promise.resolve(context),
    openDatabase: () => Promise.resolve(context),
  })
  return { text: output?.text ?? '', json: output?.json as Record<string, unknown>[] }
}

describe('audit list', () => {
  it('shows the changes for a merchant, newest first, with before and after', async () => {
    const { text, json } = await list({ account: operator })
    expect(json.map((line) => line.operation)).toEqual(['updateOutlet', 'createOutlet'])
    expect(json[0]).toMatchObject({
      accountId: stand.dealer.accountId,
      onBehalfOf: operator,
      subjects: { outletNumber: 3 },
      before: { name: 'A' },
      after: { name: 'Z' },
      traceId: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    })
    expect(json[1]?.before).toBeNull()
    expect(text.split('\n')).toHaveLength(2)
    expect(text).toContain(`updateOutlet  {"outletId":"`)
  })

  it('shows the same for the dealer, by operation, day and number', async () => {
    const account = stand.dealer.accountId.toUpperCase()
    expect((await list({ account })).json).toHaveLength(2)
    expect((await list({ account, limit: '1' })).json).toHaveLength(1)
    expect((await list({ account, operation: 'createOutlet' })).json).toHaveLength(1)
    expect((await list({ account, to: '2020-01-01' })).text).toBe('Nothing was changed.')
    expect((await list({ account, from: '2020-01-01' })).json).toHaveLength(2)
  })

  it('refuses what is no account, moment or number', async () => {
    await expect(list({ account: 'x' })).rejects.toMatchObject({ code: 'ACCOUNT_UNKNOWN' })
    for (const wrong of [{ from: 'soon' }, { limit: '0' }, { limit: '1001' }, { limit: 'x' }]) {
      await expect(list({ account: operator, ...wrong })).rejects.toThrow(UsageError)
    }
    await expect(list({})).rejects.toThrow(UsageError)
  })
})
