// Card payments of Greek documents, which a licensed provider signs.
import { expect, it } from 'vitest'
import type { GrDevice } from '../../../src/device/gr/unit.js'
import { emulator } from '../../../src/simulator/gr/unit.js'
import { type Pays, startedQueue } from './queue.js'

const signed = {
  aadeSignatureData: { aadeTransactionId: '1164', aadeProviderSignature: 'c2ln' },
}
const card = (kind: number): Pays => [['Card', 12.4, kind, signed]]

it('who signed is the provider of the unit, at once and later', async () => {
  const queue = await startedQueue()
  const unit = emulator.open(queue.scu, queue.tools)
  const device: GrDevice = {
    ...unit,
    identity: async (limit) => {
      const known = await unit.identity(limit)
      return { ...known, provider: { ...known.provider, id: '127' } }
    },
  }
  Object.assign(queue, { device, sandbox: true })
  const sold = await queue.run({
    ...{ kind: 1, reference: 'sold', charges: [['Coffee', 12.4, 24, 0x13]], pays: card(5) },
  })
  const written = sold.signatures.find(({ caption }) => caption === 'mydata-xml')?.data
  expect(written).toContain('<SigningAuthor>127</SigningAuthor><Signature>c2ln</Signature>')
  const paid = { kind: 0x3005, previous: 'sold', pays: card(0x1_0000_0005) }
  expect((await queue.run(paid)).stateData).toContain('<inv:SigningAuthor>127</inv:SigningAuthor>')
})
