// Books with everything in them, made by a queue with the emulated unit.
import type { Finding } from '../../../src/model/verdict.js'
import { mydataFile } from '../../../src/verify/gr/mydata.js'
import {
  type Charges,
  cash,
  customer,
  type Sent,
  startedQueue,
  type TestQueue,
} from '../../market/gr/queue.js'

const coffee: Charges = [['Ελληνικός καφές', 12.4, 24, 0x13]]

/** Receipt, service, order and its end, refund, invoice at home and abroad, and taxes. */
export async function filledQueue(): Promise<TestQueue> {
  const queue = await startedQueue()
  const abroad = {
    ...{ CustomerName: 'Käufer GmbH', CustomerVATId: 'DE123456789', CustomerCountry: 'DE' },
    ...{ CustomerZip: '10115', CustomerCity: 'Berlin', CustomerStreet: 'Am Markt 1' },
  }
  const sent: Sent[] = [
    { reference: 'a', kind: 1, charges: coffee, pays: cash(12.4) },
    { kind: 1, charges: [['Κούρεμα', 24.8, 24, 0x23]], pays: [['Κάρτα', 24.8, 5]] },
    { reference: 'o', kind: 0x3004, charges: coffee, more: { cbArea: '7' } },
    { kind: 1, charges: coffee, pays: cash(12.4), previous: 'o' },
    {
      ...{ kind: 0x100_0001, charges: [['x', -12.4, 24, 0x13]], pays: cash(-12.4) },
      previous: 'a',
    },
    { reference: 'b', kind: 0x1002, charges: coffee, pays: cash(12.4), customer },
    {
      ...{ kind: 0x100_1002, charges: [['x', -12.4, 24, 0x13]], pays: cash(-12.4), customer },
      previous: 'b',
    },
    { kind: 0x1002, charges: [['Βιβλίο', 50, 0, 0x1418]], pays: cash(50), customer: abroad },
    {
      ...{ kind: 0x1002, customer, pays: cash(104) },
      charges: [
        ['Μελέτη', 124, 24, 0x23],
        ["Περιπτ. δ' - Αμοιβές Συμβουλών Διοίκησης - 20%", -20, 0, 0xf8],
      ],
    },
    {
      ...{ kind: 1, pays: cash(11.9) },
      charges: [
        ['Δωμάτιο', 12.4, 24, 0x13],
        ['Έκπτωση', -0.5, 24, 0x4_0013],
      ],
    },
  ]
  for (const one of sent) {
    const { faults } = await queue.run(one)
    if (faults.length > 0) throw new Error(JSON.stringify(faults))
  }
  return queue
}

export async function judge(bytes: Buffer) {
  const findings: Finding[] = []
  const sink = { add: (one: Finding) => void findings.push(one), clear: () => undefined }
  async function* read() {
    yield bytes
  }
  const summary = await mydataFile.verify(read, {}, sink)
  return { findings, summary }
}

export const codesOf = ({ findings }: { findings: readonly Finding[] }): string[] =>
  findings.map(({ code }) => code)
