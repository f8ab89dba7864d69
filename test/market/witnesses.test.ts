// The contract was frozen with France: what a French market brings is nothing that only France has.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
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

/** What no law and no interface of Austria and Germany asks for. */
const UNASKED = {
  // facts that stand in a signed document alone, bills before a sale, who was at the register
  page: ['page.headOf', 'page.namesOperator', 'page.provisional'],
  // the dealers' interface demands a package of their units, and names their queues by their ids
  templates: ['templates.usualIdentification', 'templates.usualPackage'],
}

/** What a country does by another member of the contract, and what it has no use for. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  AT: [
    // nothing is open in a register without daily closings
    'watch.openSince',
    ...UNASKED.page,
    // its queues use all units that their table lists
    'templates.unitMember',
    ...UNASKED.templates,
  ],
  DE: [
    // its units sign for others as security devices: the capability `tse`
    'facts.signsForOthers',
    ...UNASKED.page,
    // nothing in a row of its units can be wrong
    'templates.unitFaultsOf',
    ...UNASKED.templates,
  ],
}

it.each(['AT', 'DE'] as const)('what France has of the contract, %s has too', (code) => {
  const there = new Set(membersOf(markets[code]))
  const missing = membersOf(markets.FR).filter((name) => !there.has(name))
  expect(missing.sort()).toEqual([...(BESIDE[code] ?? [])].sort())
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
  const { page } = markets[code].facts
  expect(page?.lawMark?.({ caption, data: 'whatever' })).toBe(caption)
  expect(page?.lawMark?.({ caption: '', data: caption })).toBeUndefined()
})

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
