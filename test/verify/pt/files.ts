// A file of the books with everything in it, made by a queue with the emulated unit.
import { randomBytes } from 'node:crypto'
import type { Finding } from '../../../src/model/verdict.js'
import { emulator } from '../../../src/simulator/pt/unit.js'
import { saftFile } from '../../../src/verify/pt/saft.js'
import { scuHead } from '../../market/at/support/stub-device.js'
import { TestQueue } from '../../market/pt/queue.js'

/** A queue with an emulated unit, before its start receipt. */
export async function newQueue(settings: Record<string, unknown> = {}): Promise<TestQueue> {
  const now = new Date('2026-06-01T08:00:00Z')
  const made = await emulator.create({ id: 'scu', configuration: undefined, now, randomBytes })
  const scu = { ...scuHead('scu-1', 0), ...made }
  const queue = new TestQueue({ scu, settings })
  queue.moment = now
  queue.device = emulator.open(scu, {
    now: () => queue.moment,
    sleep: async () => undefined,
    fetch: async () => {
      throw new Error('no network')
    },
  })
  return queue
}

export const later = (queue: TestQueue, minutes = 1): void => {
  queue.moment = new Date(queue.moment.getTime() + minutes * 60_000)
}

export async function startedQueue(settings: Record<string, unknown> = {}): Promise<TestQueue> {
  const queue = await newQueue(settings)
  await queue.run({ reference: 'start', kind: 0x4001 })
  later(queue)
  return queue
}

const coffee = { text: 'Café', amount: 2.46, kind: 0x13 }
const customer = { CustomerName: 'Cliente, Lda.', CustomerVATId: '503504564' }

export async function filledQueue(): Promise<TestQueue> {
  const queue = await startedQueue()
  const bread = { text: 'Pão de água', amount: 1.06, kind: 0x11 }
  const book = { text: 'Consulta médica', amount: 30, kind: 0x0728 }
  const course = { text: 'Course', amount: 123, kind: 0x23 }
  const debt = { text: 'Course', amount: 50, kind: 0x98, rate: 0 }
  for (const sent of [
    { reference: 'a', kind: 1, charges: [coffee, bread], pays: [[3.52]] },
    {
      reference: 'b',
      kind: 1,
      charges: [{ ...coffee, amount: 24.6, quantity: 10 }],
      pays: [[24.6]],
    },
    { reference: 'v', kind: 1, charges: [coffee], pays: [[2.46]] },
    {
      ...{ reference: 'n', kind: 0x100_0001, previous: 'b', pays: [[-24.6]] },
      charges: [{ ...coffee, amount: -24.6, quantity: -10 }],
    },
    { reference: 'p', kind: 7, charges: [course] },
    { reference: 'i', kind: 0x1001, previous: 'p', customer, charges: [course], pays: [[123, 9]] },
    { reference: 'r', kind: 2, previous: 'i', customer, charges: [debt], pays: [[50, 5]] },
    { reference: 'x', kind: 0x1001, customer, charges: [book], pays: [[30]] },
    {
      ...{ reference: 'h', kind: 0x8_1001, charges: [course], pays: [[123]] },
      more: { ftReceiptCaseData: '{"PT":{"Series":"A","Number":7}}' },
    },
    {
      ...{ reference: 'vv', kind: 0x4_0001, previous: 'v', pays: [[-2.46]] },
      charges: [{ ...coffee, amount: -2.46, quantity: -1 }],
    },
  ] as const) {
    const outcome = await queue.run(sent as unknown as Parameters<TestQueue['run']>[0])
    const [fault] = outcome.faults
    if (fault !== undefined) throw new Error(`${sent.reference}: ${fault.message}`)
    later(queue)
  }
  return queue
}

export async function judge(
  bytes: Buffer,
  key?: string,
): Promise<{ findings: Finding[]; summary: object }> {
  const findings: Finding[] = []
  const sink = { add: (one: Finding) => findings.push(one), clear: () => findings.splice(0) }
  async function* read() {
    yield bytes
  }
  const summary = await saftFile.verify(read, key === undefined ? {} : { key }, sink)
  return { findings, summary }
}
