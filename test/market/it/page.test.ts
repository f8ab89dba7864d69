// What the page of an Italian receipt shows: its number, its device, and what kind of document it
// is.
import { expect, it } from 'vitest'
import { page } from '../../../src/market/it/page.js'
import { startedQueue } from './queue.js'

it('a return is named over the receipt, with the number of the device in its head', async () => {
  const queue = await startedQueue()
  const water = { text: 'Acqua', amount: 1, kind: 0x13 }
  await queue.run({ reference: 'a', kind: 1, charges: [water], pays: [[1, 1]] })
  const { signatures } = await queue.run({
    ...{ reference: 'b', kind: 0x100_0001, previous: 'a', pays: [[-1, 1]] },
    charges: [{ ...water, amount: -1 }],
  })
  const told = page.toldBy(signatures)
  expect(told.head).toEqual([
    { label: 'RT', value: '99EMU000001' },
    { label: 'Documento n.', value: '0012-0002' },
  ])
  expect(told.marks.map(({ text }) => text)).toEqual([
    'DOCUMENTO COMMERCIALE emesso per RESO MERCE N. 0012-0001 del 02-07-2026',
  ])
  const z = await queue.run({ reference: 'z', kind: 0x2011 })
  expect(page.toldBy(z.signatures).head).toEqual([{ label: 'Documento n.', value: '0012' }])
  const training = await queue.run({
    reference: 't',
    kind: 0x2_0001,
    charges: [water],
    pays: [[1]],
  })
  const { marks } = page.toldBy(training.signatures)
  expect(marks).toEqual([{ text: 'DOCUMENTO DI PROVA', item: training.signatures[0] }])
})
