// The route table against the specification, and the cells of the contract test against the route
// table: a new row without a cell, or a refusal that nothing brings about, fails here.
import { describe, expect, it } from 'vitest'
import { refusalsOf } from '../../../../src/api/dealer/document.js'
import { dealerOperations } from '../../../../src/api/dealer/operations.js'
import { addressesOf } from '../../../../src/api/dealer/routes.js'
import { statusOf } from '../../../../src/api/shared/trace.js'
import { errorTable } from '../../../../src/errors.js'
import { cells } from '../../../support/contract/cells.js'
import { ownRefusals } from '../../../support/contract/generated.js'
import { placesOf } from '../../../support/contract/shapes.js'
import { specification } from '../../../support/contract/specification.js'

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
