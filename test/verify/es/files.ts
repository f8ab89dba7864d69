// Journals with everything in them, made by a queue with the emulated unit.
import { randomBytes } from 'node:crypto'
import type { Finding } from '../../../src/model/verdict.js'
import { emulator } from '../../../src/simulator/es/unit.js'
import { journalFile } from '../../../src/verify/es/journal.js'
import { scuHead } from '../../market/at/support/stub-device.js'
import { TestQueue } from '../../market/es/queue.js'

export interface Wish {
  kind?: string
  settings?: Record<string, unknown>
  unit?: Record<string, unknown>
}

/** A queue with an emulated unit, before its start receipt. */
export async function newQueue({ kind, settings = {}, unit = {} }: Wish = {}): Promise<TestQueue> {
  const now = new Date('2026-06-01T08:00:00Z')
  const configuration = { nif: 'B12345674', name: 'Prueba, S.L.', ...(kind && { kind }), ...unit }
  const made = await emulator.create({ id: 'scu', configuration, now, randomBytes })
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

export async function startedQueue(wish: Wish = {}): Promise<TestQueue> {
  const queue = await newQueue(wish)
  await queue.run({ reference: 'start', kind: 0x4001 })
  later(queue)
  return queue
}

export const coffee = { text: 'Café', amount: 12.1, kind: 0x13 }
export const bread = { text: 'Pan & más', amount: 1.04, kind: 0x14 }
export const customer = {
  ...{ CustomerName: 'Cliente, S.A.', CustomerVATId: 'A28083806' },
  ...{ CustomerZip: '28001', CustomerStreet: 'Calle Mayor 1' },
}

/** Sale, invoice, refund, replacement, void, and kinds of tax. */
export async function filledQueue(wish: Wish = {}): Promise<TestQueue> {
  const queue = await startedQueue(wish)
  const back = { ...coffee, amount: -12.1, quantity: -1 }
  const exempt = { text: 'Clase', amount: 50, kind: 0x3028 }
  for (const sent of [
    { reference: 'a', kind: 1, charges: [coffee, bread], pays: [[13.14]] },
    { reference: 'b', kind: 0x1002, customer, charges: [coffee], pays: [[12.1, 5]] },
    { reference: 'c', kind: 0x100_0001, previous: 'a', charges: [back], pays: [[-12.1]] },
    { reference: 'd', kind: 1, charges: [coffee], pays: [[12.1]] },
    { reference: 'e', kind: 0x1001, previous: 'd', customer, charges: [coffee], pays: [[12.1]] },
    {
      ...{ reference: 'f', kind: 0x4_1002, previous: 'b', customer, pays: [[12.1, 5]] },
      charges: [coffee],
    },
    { reference: 'g', kind: 1, charges: [exempt, coffee], pays: [[62.1]] },
  ] satisfies Parameters<TestQueue['run']>[0][]) {
    const outcome = await queue.run(sent as Parameters<TestQueue['run']>[0])
    if (outcome.faults.length > 0) throw new Error(JSON.stringify(outcome.faults))
    later(queue)
  }
  return queue
}

export async function judge(bytes: Buffer) {
  const findings: Finding[] = []
  const sink = { add: (one: Finding) => void findings.push(one), clear: () => undefined }
  async function* read() {
    yield bytes
  }
  const summary = await journalFile.verify(read, {}, sink)
  return { findings, summary }
}

export const codesOf = ({ findings }: { findings: readonly Finding[] }): string[] =>
  findings.map(({ code }) => code)
