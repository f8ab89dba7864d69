// The route table against the specification, and the cells of the contract test against the route
// table: a new row without a cell, or a refusal that nothing brings about, fails here.
import { describe, expect, it } from 'vitest'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { refusalsOf } from '../../../../src/api/shared/account/document.js'
import { addressesOf } from '../../../../src/api/shared/account/routes.js'
import { statusOf } from '../../../../src/api/shared/trace.js'
import { errorTable } from '../../../../src/errors.js'
import { cells } from '../../../support/contract/cells.js'
import { ownRefusals } from '../../../support/contract/generated.js'
import { expectPromised } from '../../../support/contract/page.js'
import { placesOf } from '../../../support/contract/shapes.js'
import { specification } from '../../../support/contract/specification.js'
import { operationOf, type Reply } from '../../../support/dealer.js'

const lineOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

describe('the route table', () => {
  it('has every operation of the specification at its address, and no other', () => {
    expect(dealerOperations.map(lineOf).toSorted()).toEqual(
      specification.map(({ line }) => line).toSorted(),
    )
  })

  it.each(specification.map((one) => [one.line, one] as const))(
    '%s has its aliases, its status of success and its refusals',
    (line, { success, statuses, aliases = [] }) => {
      const row = dealerOperations.find((one) => lineOf(one) === line)
      if (row === undefined) throw new Error('no such row')
      expect(addressesOf(row).slice(1).map(lineOf).toSorted()).toEqual(aliases.toSorted())
      expect(row.success.status).toBe(success)
      const told = new Set(refusalsOf(row).map((code) => statusOf[errorTable[code].kind]))
      expect(statuses.filter((status) => !told.has(status))).toEqual([])
    },
  )
})

describe('a row of the table', () => {
  it('has a cell, and every cell a row', () => {
    expect(Object.keys(cells).toSorted()).toEqual(dealerOperations.map(({ id }) => id).toSorted())
  })

  it.each(dealerOperations.map((row) => [row.id, row] as const))(
    '%s has a call for every refusal that it documents, and for no other',
    (id, row) => {
      const called = Object.keys(cells[id]?.refuses ?? {})
      expect(called.toSorted()).toEqual(ownRefusals(row).toSorted())
    },
  )

  it.each(dealerOperations.map((row) => [row.id, row] as const))(
    '%s has a call for every id that its body or its headers take',
    (id, row) => {
      const places = Object.keys(cells[id]?.places ?? {})
      for (const place of placesOf(row)) expect(places).toContain(place)
    },
  )
})

describe('the judge of answers', () => {
  const row = operationOf('listEntitlements')
  const reply = (text: string, more: Partial<Reply> = {}): Reply => ({
    ...{ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, text },
    json: () => JSON.parse(text) as Record<string, unknown>,
    list: () => JSON.parse(text) as Record<string, unknown>[],
    ...more,
  })
  const right = '{"name":"A","totalTerms":2.5,"remainingTerms":1}'

  it('takes what the page promises', () => {
    expect(() => expectPromised(row, reply(`[${right}]`))).not.toThrow()
  })

  it.each([
    ['a missing member', reply('[{"name":"A","totalTerms":1}]')],
    ['an unknown member', reply(`[${right.replace('}', ',"more":1}')}]`)],
    ['another type', reply(`[${right.replace('2.5', '"2.5"')}]`)],
    ['null', reply(`[${right.replace('"A"', 'null')}]`)],
    ['no list', reply(right)],
    ['another media type', reply('x', { headers: { 'content-type': 'text/plain' } })],
    ['another status', reply(`[${right}]`, { status: 201 })],
    [
      'a code of another operation',
      reply('{"Message":"m","Code":"OutletNotFound","TraceId":"t"}', { status: 403 }),
    ],
  ])('refuses %s', (_what, wrong) => {
    expect(() => expectPromised(row, wrong)).toThrow()
  })
})
