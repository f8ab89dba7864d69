// Every spelling of every address: the canonical one and each alias, with and without a version in
// front, in any case, with a slash at the end. Each leads to the operation and works there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { addressesOf } from '../../../../src/api/shared/account/routes.js'
import { lineOf } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { openWorld, type World } from '../../../support/contract/world.js'
import { refusal } from '../../../support/dealer.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stand.close())

const mixed = (path: string): string =>
  path.replace(/[a-z]/g, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter))

/** GUIDs may have braces. */
const braced = (path: string): string =>
  path.replace(/(?<=\/)[0-9a-f]{8}-[0-9a-f-]{27}(?=\/|$)/g, '%7b$&%7d')

/** What may stand in front of the path, and how the path may be written. */
const SPELLINGS: readonly (readonly [base: string, spelled: (path: string) => string])[] = [
  ['/api', (path) => path],
  ['/v0/api', (path) => `${braced(path).toUpperCase()}/`],
  ['/v1/api', mixed],
]

const addresses = dealerOperations.flatMap((row) =>
  addressesOf(row).flatMap((address) =>
    SPELLINGS.map(
      ([base, spelled]) =>
        [`${address.method} ${base}${address.path}`, row, address, base, spelled] as const,
    ),
  ),
)

/** Addresses that differ in their method only are one. */
const pathKey = ({ path }: { path: string }): string => path.replace(/:\w+/g, ':id').toLowerCase()

describe('an address', () => {
  it.each(addresses)('%s', async (_line, row, address, base, spelled) => {
    const sent = await cellOf(row.id).works(world)
    const [method = '', url = ''] = lineOf(address, sent, base).split(' ')
    const [path = '', query] = url.split('?')
    const { body, headers, as } = sent
    const line = `${method} ${spelled(path)}${query === undefined ? '' : `?${mixed(query)}`}`
    const reply = await world.stand.call(line, {
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
      ...(as === undefined ? {} : { as }),
    })
    expect(reply.status, `${line} ${reply.text}`).toBe(row.success.status)
    await cellOf(row.id).answers(reply, sent, world)
  })

  const paths = [...new Set(dealerOperations.flatMap((row) => addressesOf(row)).map(pathKey))]

  it.each(paths)('%s with a method that it does not have is 405', async (key) => {
    const own = dealerOperations
      .flatMap((row) => addressesOf(row))
      .filter((address) => pathKey(address) === key)
    const allowed = new Set<string>(own.map(({ method }) => method))
    const url = key.replace(/:\w+/g, '3f2504e0-4f89-41d3-9a0c-0305e82c3301')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allowed.has(method)) continue
      for (const base of ['/api', '/V1/Api']) {
        const headers = { accountid: undefined, accesstoken: undefined }
        const reply = await world.stand.call(`${method} ${base}${url}`, { headers })
        expect(refusal(reply)).toEqual({ status: 405, code: 'MethodNotAllowed' })
        const told = String(reply.headers.allow).split(', ')
        expect(told.toSorted()).toEqual([...allowed].toSorted())
      }
    }
  })

  it('of a plan may be its number, where the segment is no GUID', async () => {
    const { plan, planId } = world.own
    const byId = await world.stand.call(`GET /api/rolloutplans/${planId}`)
    for (const path of ['rolloutplans', 'rollout-plans']) {
      const reply = await world.stand.call(`GET /api/${path}/${plan}`)
      expect([reply.status, reply.text]).toEqual([200, byId.text])
    }
  })

  it('with a word in place of an id leads to the word', async () => {
    for (const word of ['settings', 'history', 'import/csv']) {
      const reply = await world.stand.call(`GET /api/pos-operators-invitation/${word}`)
      expect(reply.status, word).toBe(200)
    }
  })
})
