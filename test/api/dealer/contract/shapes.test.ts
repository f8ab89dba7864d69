// The contract, row by row: paths, queries and bodies that are wrong in one place. The refusal
// names that place, and nothing is changed.
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Operation } from '../../../../src/api/dealer/operation.js'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { callRow } from '../../../support/contract/cell.js'
import { cellOf } from '../../../support/contract/cells.js'
import { expectRefused } from '../../../support/contract/codes.js'
import { expectPromised } from '../../../support/contract/page.js'
import { refuse, refuseAll, rightCall } from '../../../support/contract/refusing.js'
import { wrongMembers, wrongTexts } from '../../../support/contract/shapes.js'
import { openWorld, type World } from '../../../support/contract/world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stand.close())

const named = (rows: readonly Operation[]) => rows.map((row) => [row.id, row] as const)
const withPath = dealerOperations.filter(({ params }) => wrongTexts(params).length > 0)
const withQuery = dealerOperations.filter(({ query }) => wrongTexts(query).length > 0)
const withJson = dealerOperations.filter(
  ({ body, upload }) => body !== undefined && upload === undefined,
)
const withUpload = dealerOperations.filter(({ upload }) => upload !== undefined)

describe('a path', () => {
  it.each(named(withPath))('%s: has ids and numbers that are some', async (_id, row) => {
    const sent = await rightCall(world, row)
    const { badPath } = row
    const wrong = wrongTexts(row.params).map(({ given, member }) => ({
      sent: { ...sent, params: { ...sent.params, ...given } },
      ...(badPath === undefined
        ? { code: 'SHAPE_INVALID' as const, members: [member] }
        : { code: badPath }),
    }))
    await refuseAll(world, row, wrong)
  })
})

describe('a query', () => {
  it.each(named(withQuery))('%s: has values of their kind', async (_id, row) => {
    const sent = await rightCall(world, row)
    const wrong = wrongTexts(row.query).map(({ given, member }) => ({
      sent: { ...sent, query: { ...sent.query, ...given } },
      ...{ code: 'SHAPE_INVALID' as const, members: [member] },
    }))
    await refuseAll(world, row, wrong)
  })
})

describe('a body', () => {
  it.each(named(withJson))('%s: each member must be what it is', async (_id, row) => {
    const sent = await rightCall(world, row)
    const wrong = wrongMembers(row, sent.body).map(({ given, member }) => ({
      sent: { ...sent, body: given },
      ...{ code: 'SHAPE_INVALID' as const, members: [member] },
    }))
    await refuseAll(world, row, wrong)
  })

  const wholes: [string, string | Buffer | undefined][] = [
    ['nothing', undefined],
    ['blanks', ' \n'],
    ['no JSON', '{"a":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['a number', '7'],
    ['true', 'true'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ]

  it.each(named(withJson))('%s: must be a JSON object', async (_id, row) => {
    const { body: _right, ...sent } = await rightCall(world, row)
    const given = row.bodyOptional === true ? wholes.slice(2) : wholes
    const wrong = given.map(([, body]) => ({
      sent: { ...sent, ...(body === undefined ? {} : { body }) },
      ...{ code: 'SHAPE_INVALID' as const, members: ['$'] },
    }))
    await refuseAll(world, row, wrong)
  })

  it.each(named(withJson))('%s: must be said to be JSON', async (_id, row) => {
    const sent = await rightCall(world, row)
    const headers = { ...sent.headers, 'content-type': 'application/x-www-form-urlencoded' }
    await refuse(world, row, { sent: { ...sent, headers }, code: 'SHAPE_INVALID', members: ['$'] })
  })

  it.each(named([...withJson, ...withUpload]))('%s: must not be too large', async (id, row) => {
    const { tooLarge } = cellOf(id)
    const limit = row.bodyLimit ?? 256 * 1024
    const sent =
      tooLarge === undefined
        ? { ...(await rightCall(world, row)), body: Buffer.alloc(limit + 1, ' ') }
        : await tooLarge(world)
    await refuse(world, row, { sent, code: 'BODY_TOO_LARGE' })
  })
})

describe('an upload', () => {
  const wrong = withUpload.flatMap((row) =>
    Object.entries(cellOf(row.id).wrongBodies ?? {}).map(
      ([what, made]) => [row.id, what, row, made] as const,
    ),
  )

  it.each(wrong)('%s must not be: %s', async (id, _what, row, made) => {
    const { body, members, ...sent } = await made(world)
    const given = { ...sent, ...(body === undefined ? {} : { body }) }
    const reply = await callRow(world, row, given)
    const code = id === 'importInvitations' ? 'CSV_FILE_INVALID' : 'SHAPE_INVALID'
    expectRefused(reply, { id, code, ...(members === undefined ? {} : { members }) })
    expectPromised(row, reply)
  })
})
