// The surcharge for retailers (recargo de equivalencia) that a wholesaler adds to the tax: in both
// systems, in the sums, and rates that do not go together.
import { expect, it } from 'vitest'
import { find, type Node, textAt, treeOf } from '../../../src/verify/xml.js'
import { bread, coffee, customer, judge, later, startedQueue } from '../../verify/es/files.js'
import type { Item, Sent } from './queue.js'

/** 100 net: 21 VAT and 5.20 of surcharge. */
const goods = { ...coffee, amount: 126.2, more: surcharge('5.2') }
function surcharge(rate: unknown): object {
  return { ftChargeItemCaseData: JSON.stringify({ ES: { TipoRecargoEquivalencia: rate } }) }
}
const sale: Sent = { reference: 'a', kind: 0x1001, customer, charges: [goods], pays: [[126.2]] }
const requestOf = ({ stateData }: { stateData: string | null }): Node =>
  treeOf(JSON.parse(stateData ?? '{}').ES.GovernmentAPI.Request)
const rowOf = (root: Node, name: string, members: string[]) => {
  const row = find(root, name)
  return members.map((member) => textAt(row, member))
}

it.each([
  [undefined, 'RegistroAlta', 'DetalleDesglose', 'BaseImponibleOimporteNoSujeto'],
  ['Araba', 'TicketBai', 'DetalleIVA', 'BaseImponible'],
  ['Bizkaia', 'TicketBai', '', ''],
])('%s: its own rate and amount, and part of the sums', async (kind, name, list, base) => {
  const queue = await startedQueue(kind === undefined ? {} : { kind })
  const made = await queue.run({ ...sale, charges: [goods, bread], pays: [[127.24]] })
  expect(made.faults).toEqual([])
  if (list !== '') {
    const root = find(requestOf(made), name) as Node
    const quota = kind === undefined ? 'CuotaRepercutida' : 'CuotaImpuesto'
    const surcharged = ['TipoRecargoEquivalencia', 'CuotaRecargoEquivalencia']
    expect(rowOf(root, list, [base, 'TipoImpositivo', quota, ...surcharged])).toEqual([
      ...['100.00', '21', '21.00', '5.2', '5.20'],
    ])
    if (kind === undefined) {
      expect([textAt(root, 'CuotaTotal'), textAt(root, 'ImporteTotal')]).toEqual([
        ...['26.24', '127.24'],
      ])
    } else expect(textAt(find(root, 'IDDetalleFactura'), 'ImporteUnitario')).toBe('100')
  }
  later(queue)
  const back = { ...goods, amount: -126.2, quantity: -1 }
  const refund = { ...sale, reference: 'b', kind: 0x100_1001, previous: 'a', charges: [back] }
  const plain = { ...back, more: {} }
  const other = await queue.run({ ...refund, charges: [plain], pays: [[-126.2]] })
  expect(other.faults[0]?.message).toContain('RefundItemsMismatch')
  expect((await queue.run({ ...refund, pays: [[-126.2]] })).faults).toEqual([])
  const outcomes = queue.rows.filter((row) => row.kind === 'T')
  expect(outcomes.filter(({ content }) => !content.includes('"Correcto"'))).toEqual([])
  expect((await judge(await queue.books())).findings).toEqual([])
})

it.each<[string, Partial<Item> & { more: object }]>([
  ['another rate', { more: surcharge('1.4') }],
  ['no number', { more: surcharge('much') }],
  ['beside no tax', { kind: 0x3028, rate: 0, more: surcharge('5.2') }],
  ['VAT of the plain price', { more: { ...surcharge('5.2'), VATAmount: 21.9 } }],
])('refused: %s', async (_name, change) => {
  const queue = await startedQueue()
  const made = await queue.run({ ...sale, charges: [{ ...goods, ...change }] })
  expect(made.faults[0]?.message).toMatch(/EEEE_(SurchargeNotAllowed|VatAmountMismatch)/)
})

it.each(['1.75', '5.20'])('taken: %s beside 21 %', async (rate) => {
  const queue = await startedQueue()
  const made = await queue.run({ ...sale, charges: [{ ...goods, more: surcharge(rate) }] })
  expect(made.faults).toEqual([])
})

it('is no business of other taxes', async () => {
  const queue = await startedQueue({ unit: { taxRegime: 'IGIC' } })
  const made = await queue.run(sale)
  expect(made.faults[0]?.message).toContain('EEEE_SurchargeNotAllowed')
})
