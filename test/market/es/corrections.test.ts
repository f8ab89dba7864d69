// A record that was wrong is said once more under the same number (subsanación): a new link of the
// chain, with the same amounts; and what cannot be corrected so is refused.
import { beforeEach, expect, it } from 'vitest'
import type { EsDevice } from '../../../src/device/es/unit.js'
import { serve } from '../../../src/simulator/es/authority.js'
import { emptyRegister, type Register } from '../../../src/simulator/es/register.js'
import { coffee, customer, judge, later, newQueue } from '../../verify/es/files.js'
import type { Sent, TestQueue } from './queue.js'

let queue: TestQueue
let register: Register

beforeEach(async () => {
  queue = await newQueue()
  register = emptyRegister()
  const own = queue.device as EsDevice
  queue.device = {
    ...own,
    call: async ({ body }) => {
      const asked = { method: 'POST', body: String(body), now: queue.moment }
      return { ...serve(register, asked, { waitSeconds: 0, most: 100 }), headers: {} }
    },
  }
  await queue.run({ reference: 'start', kind: 0x4001 })
  later(queue)
})

const invoice: Sent = {
  ...{ reference: 'a', kind: 0x1001, customer, charges: [coffee], pays: [[12.1]] },
}
const repair = (ES: object, more: Partial<Sent> = {}): Sent => ({
  ...{ ...invoice, reference: 'b', previous: 'a' },
  more: { ftReceiptCaseData: JSON.stringify({ ES: { Subsanacion: 'S', ...ES } }) },
  ...more,
})
const requestOf = (outcome: { stateData: string | null }): string =>
  JSON.parse(outcome.stateData ?? '{}').ES.GovernmentAPI.Request
const ruleOf = ({ faults }: { faults: readonly { message: string }[] }) =>
  /EEEE_(\w+)/.exec(faults[0]?.message ?? '')?.[1]

it('the corrected record has the same number, and is a new link of the chain', async () => {
  const first = await queue.run(invoice)
  later(queue)
  const named = { ...customer, CustomerName: 'Cliente Nuevo, S.A.' }
  const second = await queue.run(repair({}, { customer: named }))
  expect(second.faults).toEqual([])
  const [, number] = first.identification.split('#')
  expect(second.identification.split('#')[1]).toBe(number)
  const request = requestOf(second)
  expect(request).toContain('<Subsanacion>S</Subsanacion><TipoFactura>F1</TipoFactura>')
  expect(request).toContain('Cliente Nuevo, S.A.')
  expect(queue.state.records).toBe(2)
  later(queue)
  const next = await queue.run({ ...invoice, reference: 'c' })
  expect(next.identification).toMatch(/-2$/)
  // it can be cancelled as it was before, once
  later(queue)
  const ended = await queue.run({ ...invoice, reference: 'd', previous: 'a', kind: 0x4_1001 })
  expect(ended.faults).toEqual([])
  expect(ruleOf(await queue.run(repair({})))).toBe('PreviousReceiptIsVoided')
  const { findings, summary } = await judge(await queue.books())
  expect(findings).toEqual([])
  expect(summary).toMatchObject({ records: 4 })
})

it('one that was refused says so, else the authority does not know it', async () => {
  await queue.run(invoice)
  later(queue)
  register = emptyRegister()
  const unknown = await queue.run(repair({}))
  expect(unknown.faults[0]?.message).toContain('(3002)')
  later(queue)
  const taken = await queue.run(repair({ RechazoPrevio: 'X' }, { reference: 'e' }))
  expect(taken.faults).toEqual([])
  expect(requestOf(taken)).toContain('<RechazoPrevio>X</RechazoPrevio>')
})

it.each([
  [
    'CorrectionItemsMismatch',
    repair({}, { charges: [{ ...coffee, amount: 24.2 }], pays: [[24.2]] }),
  ],
  ['CorrectionItemsMismatch', repair({}, { kind: 1 })],
  ['CorrectionUnknown', repair({ RechazoPrevio: 'Q' })],
  ['CorrectionUnknown', repair({ Subsanacion: 'N', RechazoPrevio: 'X' })],
  ['CorrectionUnknown', repair({ Subsanacion: 'maybe' })],
  ['CorrectionOfInvoiceOnly', repair({}, { kind: 0x4_1001 })],
  ['PreviousReceiptNotFound', repair({}, { previous: 'nobody' })],
])('refused: %s', async (rule, sent) => {
  await queue.run(invoice)
  later(queue)
  expect(ruleOf(await queue.run(sent))).toBe(rule)
  expect(queue.state.records).toBe(1)
})

it('files of a province are not corrected so', async () => {
  const other = await newQueue({ kind: 'Araba' })
  await other.run({ reference: 'start', kind: 0x4001 })
  later(other)
  await other.run(invoice)
  later(other)
  expect(ruleOf(await other.run(repair({})))).toBe('CorrectionNotSupported')
})
