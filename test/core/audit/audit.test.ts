// The row that tells of a write: with it or not at all, and never with a secret.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audited } from '../../../src/core/audit/audit.js'
import { masked } from '../../../src/core/audit/mask.js'
import { auditLines } from '../../../src/core/audit/reading.js'
import { parseJson } from '../../../src/lib/json.js'
import { type DealerStand, openDealer } from '../../support/dealer.js'

let stand: DealerStand
beforeAll(async () => {
  stand = await openDealer()
})
afterAll(() => stand.close())

const deps = () => ({ store: stand.deps.store, now: () => new Date() })
const actorFor = (onBehalfOf: string | null) => ({
  accountId: stand.dealer.accountId,
  onBehalfOf,
  operation: 'test',
  traceId: 'trace',
})
const nameOf = async (id: string) =>
  (await stand.rows('select name from account where id = $1', [id]))[0]?.name

describe('a write', () => {
  it('commits with its row', async () => {
    const id = await stand.operator()
    const result = await audited(deps(), actorFor(id), async (tx) => {
      await tx.account.update({ where: { id }, data: { name: 'after' } })
      return { result: 7, subjects: { accountId: id }, before: { name: 'x' }, after: { n: 1n } }
    })
    expect([result, await nameOf(id)]).toEqual([7, 'after'])
    const [line] = await auditLines(stand.deps.store, { accountId: id, limit: 5 })
    expect(line).toMatchObject({ ...actorFor(id), after: parseJson('{"n":1}') })
  })

  it('that fails leaves neither', async () => {
    const id = await stand.operator('Full', { name: 'before' })
    const work = audited(deps(), actorFor(id), async (tx) => {
      await tx.account.update({ where: { id }, data: { name: 'after' } })
      throw new Error('half-way')
    })
    await expect(work).rejects.toThrow('half-way')
    expect(await nameOf(id)).toBe('before')
    expect(await auditLines(stand.deps.store, { accountId: id, limit: 5 })).toEqual([])
  })

  it('whose row cannot be written leaves neither', async () => {
    const id = await stand.operator('Full', { name: 'before' })
    const actor = { ...actorFor(id), accountId: 'no id' }
    const work = audited(deps(), actor, async (tx) => {
      await tx.account.update({ where: { id }, data: { name: 'after' } })
      return { result: 0, subjects: {} }
    })
    await expect(work).rejects.toThrow()
    expect(await nameOf(id)).toBe('before')
  })

  it('that runs into a deadlock is tried again', async () => {
    const [a, b] = [await stand.operator(), await stand.operator()]
    let met = 0
    let open = () => {}
    const both = new Promise<void>((resolve) => {
      open = resolve
    })
    const swap = (first: string, second: string) =>
      audited(deps(), actorFor(first), async (tx) => {
        await tx.account.update({ where: { id: first }, data: { city: 'x' } })
        met += 1
        if (met >= 2) open()
        await both
        await tx.account.update({ where: { id: second }, data: { city: 'y' } })
        return { result: first, subjects: { first } }
      })
    expect(await Promise.all([swap(a, b), swap(b, a)])).toEqual([a, b])
  })
})

describe('reading', () => {
  it('gives newest first, by operation, moment and page, for either account', async () => {
    const id = await stand.operator()
    for (const operation of ['one', 'two', 'one']) {
      const moment = new Date(Date.parse('2026-01-01T00:00:00Z') + 1000 * (await count(id)))
      const write = { store: stand.deps.store, now: () => moment }
      await audited(write, { ...actorFor(id), operation }, () =>
        Promise.resolve({ result: 0, subjects: { n: 1 } }),
      )
    }
    const read = async (more: object) =>
      (await auditLines(stand.deps.store, { accountId: id, limit: 9, ...more })).map(
        (line) => `${line.operation} ${line.moment.getUTCSeconds()}`,
      )
    expect(await read({})).toEqual(['one 2', 'two 1', 'one 0'])
    expect(await read({ operation: 'one' })).toEqual(['one 2', 'one 0'])
    expect(await read({ from: new Date('2026-01-01T00:00:01Z') })).toEqual(['one 2', 'two 1'])
    expect(await read({ to: new Date('2026-01-01T00:00:01Z') })).toEqual(['one 0'])
    const [newest] = await auditLines(stand.deps.store, { accountId: id, limit: 1 })
    expect(await read({ before: newest?.id })).toEqual(['two 1', 'one 0'])
    expect(await auditLines(stand.deps.store, { accountId: randomUUID(), limit: 9 })).toEqual([])
  })

  async function count(id: string): Promise<number> {
    const [row] = await stand.rows(
      'select count(*)::int as n from audit_entry where on_behalf_of = $1',
      [id],
    )
    return Number(row?.n)
  }
})

describe('secrets', () => {
  it.each([
    'accessToken',
    'ACCESSTOKEN',
    'relatedCashboxAccessToken',
    'encryptionKeyBase64',
    'ConnectionString',
    'connectionstring',
    'password_encrypted',
    'pin',
    'AdminPin',
    'privateKey',
    'apiSecret',
  ])('of the name %s are not kept, however deep', (name) => {
    expect(JSON.stringify(masked({ a: [{ [name]: 'geheim' }] }))).toBe(`{"a":[{"${name}":"***"}]}`)
    expect(JSON.stringify(masked(parseJson(`{"a":{"${name}":"geheim"}}`)))).not.toContain('geheim')
  })

  it.each(['email', 'eMailAddress', 'firstName', 'lastName', 'phone', 'telephone', 'contactName'])(
    'and what names a person is not kept either: %s',
    (name) => {
      expect(JSON.stringify(masked({ a: { [name]: 'Eva' } }))).toBe(`{"a":{"${name}":"***"}}`)
      expect(masked({ [name]: null, name: 'Café' })).toEqual({ [name]: null, name: 'Café' })
    },
  )

  it('leave their neighbours alone, and empty ones as they are', () => {
    const value = { description: 'pin', spinning: 'x', accessToken: null, keyId: 'k', n: 1n }
    expect(masked(value)).toEqual(value)
  })
})
