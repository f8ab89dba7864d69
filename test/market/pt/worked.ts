// The six documents of the published vectors as one queue makes them (vectors/documents.json).
import { readFileSync } from 'node:fs'
import type { PtDevice } from '../../../src/device/pt/unit.js'
import { TestQueue } from './queue.js'

interface Vectors {
  publicKey: string
  documents: { text: string; hash: string; printed: string; code: string }[]
  atExamples: string[]
  secondKey: string
  secondDocuments: { text: string; hash: string; printed: string }[]
  codes: Record<string, string>
}
export const vectors: Vectors = JSON.parse(
  readFileSync(new URL('vectors/documents.json', import.meta.url), 'utf8'),
)

/** Knows the six documents and nothing else: another text has no signature. */
const device: PtDevice = {
  identity: async () => ({
    ...{ nif: '500000000', publicKey: vectors.publicKey, certificateNumber: '9999' },
  }),
  sign: async (data) => {
    const found = vectors.documents.find(({ text }) => text === data.toString('utf8'))
    if (found === undefined) throw new Error(`no vector: ${data.toString('utf8')}`)
    return Buffer.from(found.hash, 'base64')
  },
  series: async () => {
    throw new Error('nothing is communicated')
  },
}

const series = Object.fromEntries(
  Object.entries(vectors.codes).map(([chain, code]) => [
    chain,
    { name: 'FW2026A', code, since: '2026-01-01', number: 0, lastHash: '', lastEntry: '' },
  ]),
)
const customer = { CustomerName: 'Cliente', CustomerVATId: '503504564', CustomerCountry: 'PT' }
const coffee = { text: 'Coffee', amount: 12.3, kind: 0x13 }

export async function workedQueue(): Promise<TestQueue> {
  const state = { series, issuer: null, keys: [], scuId: null }
  const queue = new TestQueue({ device, state, started: true, settings: { 'fs-limit': 1000 } })
  const at = (time: string) => {
    queue.moment = new Date(`2026-06-15T${time}+01:00`)
  }
  at('10:30:15')
  await queue.run({ reference: 'a', kind: 1, charges: [coffee], pays: [[12.3]] })
  at('10:31:00')
  const bread = { text: 'Bread', amount: 1.06, kind: 0x11 }
  const wine = { text: 'Wine', amount: 11.3, kind: 0x12 }
  await queue.run({ reference: 'b', kind: 1, charges: [bread, wine], pays: [[12.36]] })
  at('10:32:00')
  const back = { ...coffee, amount: -12.3, quantity: -1 }
  await queue.run({
    ...{ reference: 'c', kind: 0x100_0001, previous: 'a', charges: [back], pays: [[-12.3]] },
  })
  at('10:33:00')
  const course = { text: 'Course', amount: 123, kind: 0x23 }
  await queue.run({
    ...{ reference: 'd', kind: 0x1001, customer, charges: [course], pays: [[123, 9]] },
  })
  at('10:34:00')
  const debt = { text: 'Course', amount: 123, kind: 0x98, rate: 0 }
  await queue.run({
    ...{ reference: 'e', kind: 2, previous: 'd', customer, charges: [debt], pays: [[123, 5]] },
  })
  at('10:35:00')
  await queue.run({ reference: 'f', kind: 7, charges: [{ ...course, amount: 61.5 }] })
  return queue
}
