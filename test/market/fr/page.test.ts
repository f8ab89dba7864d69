// What a French receipt says on a page, in a PDF and on a printer: the marks of the law, no tax on
// a bill, totals in words. The answers are those of the market's own step.
import { expect, it } from 'vitest'
import { writeJson } from '../../../src/lib/json-write.js'
import type { Signature } from '../../../src/model/receipt.js'
import { drawn, issued } from '../../support/drawn.js'
import { shown } from '../../support/shown.js'
import { type Sent, SIRET, TestQueue, wireOf } from './queue.js'

const wire = ({ format, type, caption, data }: Signature) => ({
  ...{ ftSignatureFormat: format, ftSignatureType: type, Caption: caption, Data: data },
})

async function pairOf(sent: Sent, before: Sent[] = []) {
  const queue = await TestQueue.started()
  for (const one of before) await queue.accept(one)
  const { signatures, identification, lines, stateWord } = await queue.accept(sent)
  const response = writeJson({
    ...{ ftReceiptIdentification: identification, ftState: stateWord },
    ...{ ftReceiptMoment: '2026-03-02T09:00:00Z', ftReceiptFooter: lines?.footer ?? [] },
    ftSignatures: signatures.map(wire),
  })
  return { request: wireOf({ ...sent, more: { ...sent.more, cbUser: 'Marie' } }), response }
}

async function viewOf(sent: Sent, before: Sent[] = []) {
  return shown({ ...(await pairOf(sent, before)), country: 'FR' }, 'fr')
}

const sale: Sent = { kind: 1, charges: [[3, 12]], pays: [[1, 12]] }

it('a ticket names outlet, operator and tax, and shows the document as a code', async () => {
  const view = await viewOf(sale)
  expect(view.title).toBe('Ticket de caisse')
  const facts = Object.fromEntries(view.facts.map(({ label, value }) => [label, value]))
  expect(facts).toMatchObject({ SIRET, Opérateur: 'Marie' })
  expect([view.vat.length, view.payments.length, view.marks]).toEqual([1, 1, []])
  expect(view.signatures.map(({ code }) => code)).toEqual([true])
})

it('a bill is a provisional document: neither tax nor payment', async () => {
  const view = await viewOf({ kind: 8, charges: [[3, 12]], pays: [[0x11, 12]] })
  expect([view.title, view.marks]).toEqual(['Note provisoire', ['document provisoire']])
  expect([view.vat, view.payments, view.taxNotes]).toEqual([[], [], []])
  expect(view.items.map(({ letter }) => letter)).toEqual([''])
})

it.each([
  [
    'a payment prove',
    {
      kind: 2,
      pays: [
        [1, 5],
        [0x11, -5],
      ],
    },
    'justificatif non valable pour encaissement',
  ],
  ['practice', { ...sale, flags: 2 }, 'mode école'],
  ['a copy', { kind: 0x16, previous: 'ticket 7' }, '1. Duplicata de ticket 7'],
] as [string, Sent, string][])(
  '%s has its mark over the receipt, and only there',
  async (_name, sent, mark) => {
    const view = await viewOf(sent)
    expect(view.marks[0]).toBe(mark)
    expect(view.signatures.filter(({ code }) => !code)).toEqual([])
  },
)

it('the second copy says so', async () => {
  const copy: Sent = { kind: 0x16, previous: 'ticket 7' }
  expect((await viewOf(copy, [copy])).marks).toEqual(['2. Duplicata de ticket 7'])
})

it('closings tell their totals in words and amounts', async () => {
  const view = await viewOf({ kind: 6 }, [sale, { kind: 1, charges: [[1, 8.5]], pays: [[1, 8.5]] }])
  const rows = view.signatures.filter(({ row }) => row)
  expect(rows.map(({ caption, data }) => `${caption}: ${data}`)).toEqual([
    'Totaux du jour: 20,50 (20 % 12,00 · 5,5 % 8,50)',
    'Totaux du mois: 20,50 (20 % 12,00 · 5,5 % 8,50)',
    'Total perpétuel: 20,50 (20 % 12,00 · 5,5 % 8,50)',
  ])
})

it.each(['{"total":1e999}', '{"total":"x","ci-n":{}}', '[1]', 'x'])(
  'totals that somebody made up are shown, not believed: %s',
  (data) => {
    const type = 0x4652_0000_0000_0003n
    const item = { ftSignatureFormat: 1, ftSignatureType: type, Caption: 'Day Totals', Data: data }
    const response = writeJson({ ftSignatures: [item] })
    const { signatures } = shown({ response, country: 'FR' }, 'fr')
    expect(signatures.map((one) => one.data)).toEqual([data])
  },
)

it('late entry is told', async () => {
  expect((await viewOf({ ...sale, flags: 1 })).marks).toEqual(['Saisi après une panne'])
})

it.each(['html', 'pdf', 'png', 'txt', 'escpos'] as const)('as %s it is drawn', async (format) => {
  const pair = await pairOf({ kind: 8, charges: [[3, 12]], pays: [[0x11, 12]] })
  const receipt = issued({ market: 'FR', accountCountry: 'FR', ...pair })
  const bytes = await drawn(receipt, format, { language: 'fr' })
  expect(bytes.length).toBeGreaterThan(200)
  const text = Buffer.from(bytes).toString('latin1')
  if (format === 'html' || format === 'txt') expect(text).toContain('document provisoire')
})
