// The contract was frozen with France: what a French market brings is nothing that only France has.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ToldItem } from '../../src/case/traits.js'
import { AtAuditor } from '../../src/market/at/audit.js'
import type { Market } from '../../src/market/contract.js'
import { markets } from '../../src/market/index.js'
import type { StoredMarketRow } from '../../src/model/journal.js'

/** Members of the contract that a market has, by their part. */
function membersOf(market: Market): string[] {
  const { facts, queue, describe, rollout } = market
  const { watch = {}, page = {} } = facts
  const { templates = {} } = rollout
  const parts = { market, facts, queue, describe, rollout, watch, page, templates }
  return Object.entries(parts).flatMap(([part, members]) =>
    Object.keys(members).map((name) => `${part}.${name}`),
  )
}

/** What one of both does by another member of the contract, or has no use for. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  AT: [
    // nothing is open in a register without daily closings
    'watch.openSince',
    // its queues use all units that their table lists
    'templates.unitMember',
  ],
  DE: [
    // nothing in a row of its units can be wrong
    'templates.unitFaultsOf',
  ],
}

it.each(['AT', 'DE'] as const)('what France has of the contract, %s has too', (code) => {
  const there = new Set(membersOf(markets[code]))
  const missing = membersOf(markets.FR).filter((name) => !there.has(name))
  expect(missing.sort()).toEqual([...(BESIDE[code] ?? [])].sort())
})

it('what one of both leaves alone the other has', () => {
  const { AT, DE } = markets
  const [alone = [], other = []] = [BESIDE.AT, BESIDE.DE]
  const [austrian, german] = [membersOf(AT), membersOf(DE)]
  expect(german).toEqual(expect.arrayContaining([...alone]))
  expect(austrian).toEqual(expect.arrayContaining([...other]))
})

it('kinds of work that France and the others share have one name', () => {
  for (const code of ['AT', 'DE', 'FR'] as const) {
    expect(Object.keys(markets[code].outbox ?? {})).toContain('exported')
  }
})

it.each([
  ['AT', 'Trainingsbuchung'],
  ['AT', 'Stornobuchung'],
  ['DE', 'Trainingsbuchung'],
  ['FR', 'mode école'],
] as const)('a receipt of %s that the law wants to be named "%s" is', (code, caption) => {
  const toldBy = (item: ToldItem) => markets[code].facts.page?.toldBy([item]).marks
  const item = { caption, data: 'whatever' }
  expect(toldBy(item)).toEqual([{ text: caption, item }])
  expect(toldBy({ caption: '', data: caption })).toEqual([])
})

it.each([
  ['AT', [['operator'], ['operator']]],
  ['DE', [['operator'], ['operator']]],
  ['FR', [[], ['tax', 'payments']]],
] as const)('of a sale and of a bill before it %s leaves out %j', (code, parts) => {
  const { page } = markets[code].facts
  const documents = ['receipt', 'tableCheck'] as const
  expect(documents.map((document) => [...(page?.omits(document) ?? [])])).toEqual(parts)
})

it.each([
  ['AT', undefined, 'MyIRAFVEd2aImaq7zN3uw'],
  ['DE', undefined, 'MyIRAFVEd2aImaq7zN3uw'],
  ['FR', 'fiskalwerk.SCU.FR.Software', 'ft20260131101500'],
] as const)('what an entry without package and a queue without name are in %s', (...row) => {
  const [code, usual, name] = row
  const { templates } = markets[code].rollout
  const queue = { id: '00112233-4455-6677-8899-aabbccddeeff', now: new Date('2026-01-31T10:15Z') }
  expect([templates?.packageOf(''), templates?.identificationOf(queue)]).toEqual([usual, name])
})

it.each(Object.entries(markets))(
  '%s knows its units in any case, and no others',
  (code, market) => {
    const { packages = [], packageOf } = market.rollout.templates ?? {}
    expect(packages.length).toBeGreaterThan(0)
    expect(packages.map((name) => packageOf?.(name.toUpperCase()))).toEqual(packages)
    const strangers = Object.values(markets)
      .filter(({ facts }) => facts.code !== code)
      .flatMap(({ rollout }) => rollout.templates?.packages ?? [])
    expect(strangers.flatMap((name) => packageOf?.(name) ?? [])).toEqual([])
  },
)

it('the export of Austria is proven by certificates that its rows name, as that of France', () => {
  const [queue, state] = [{} as never, markets.AT.queue.initial() as never]
  const auditor = new AtAuditor(queue, state, '')
  const prints = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const
  const journal = [prints[0], prints[1], prints[0]].map(
    (certificateFingerprint, at): StoredMarketRow => ({
      ...{ timeStamp: 0n, id: '', kind: 'RKSV', number: at + 1, scuId: 'unit', queueItemId: '' },
      ...{ certificateFingerprint, content: 'a.b.c' },
    }),
  )
  auditor.receipt({ row: 1, response: '{}', journal, actionTypes: [] })
  expect(auditor.legalExport()?.certificates).toEqual(prints)
})

/** What the files of a folder ask the source of an export for. */
function askedIn(folder: string): Set<string> {
  const root = new URL(`../../src/market/${folder}/`, import.meta.url)
  const files = readdirSync(root, { recursive: true }).map(String)
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\bsource\.(\w+)\(/g)].map(([, name = '']) => name)),
  )
}

it('of the source of an export France asks for nothing that the others leave alone', () => {
  const french = new Set([...askedIn('fr'), ...askedIn('kit')])
  const others = new Set([...askedIn('at'), ...askedIn('de')])
  expect([...french].sort()).toEqual(expect.arrayContaining(['itemsBetween', 'marketRows']))
  expect([...french].filter((name) => !others.has(name))).toEqual([])
})
