// Inspection bundles over the nights in which clocks change: an hour that is there twice, and one
// that is missing, on both sides of the border between two periods. Each receipt is in one bundle.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BundleMaker, openBundleMaker, type Unpacked } from '../support/bundle-maker.js'
import { createTestDatabase, type TestDatabase } from '../support/db.js'
import { parameters } from '../support/de/story-shop.js'
import { createTill, job, openStand, type Stand, type Till, testKey } from '../support/stand.js'

/** Both countries change their clocks at this moment. */
const NIGHTS = [
  ['missing', '2026-03-29T01:00:00.000Z'],
  ['doubled', '2026-10-25T01:00:00.000Z'],
] as const
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Minutes around the change; the millisecond before and the change itself are the border. */
const MINUTES = [-190, -125, -60, -30, -1, -1 / MINUTE_MS, 0, 1, 30, 59, 60, 90, 180]
const CLOSING = { DE: 0x4445_0001_0000_0007n } as Record<string, bigint>

let database: TestDatabase
let stand: Stand
let maker: BundleMaker
let clock = 0
beforeAll(async () => {
  database = await createTestDatabase()
  const masterKey = testKey()
  stand = openStand(database.config, { masterKey, deps: { now: () => new Date(clock) } })
  maker = await openBundleMaker({ database, stand, masterKey })
}, 120_000)
afterAll(async () => {
  await maker.close()
  await stand.close()
  await database.drop()
})

const at = (change: number, minutes: number): number => Math.round(change + minutes * MINUTE_MS)
const iso = (moment: number): string => new Date(moment).toISOString()

/** A till that was started two days before, closed its day, and sold all through the night. */
async function sold(market: string, change: number): Promise<Till> {
  clock = change - 2 * DAY_MS
  const queue = market === 'DE' ? { configuration: parameters('Nachtcafé') } : {}
  const till = await createTill(stand, { market, queue })
  await close(till)
  for (const minutes of MINUTES) {
    clock = at(change, minutes)
    const text = `at-${MINUTES.indexOf(minutes)}.`
    const { kind } = await stand.signing.sign(job(till, { reference: text }))
    expect(kind).toBe('answered')
  }
  clock = at(change, 300)
  await close(till)
  return till
}

async function close(till: Till): Promise<void> {
  const receiptCase = CLOSING[till.market]
  if (receiptCase === undefined) return
  const { kind } = await stand.signing.sign(job(till, { receiptCase, cents: null }))
  expect(kind).toBe('answered')
}

/** The only register of a bundle; undefined: nothing of it is in the period. */
const folderOf = ({ root }: Unpacked): string => {
  const [name = ''] = readdirSync(join(root, 'queues'))
  return join(root, 'queues', name)
}

/** Places of the receipts in `MINUTES` that this text has. */
const placesIn = (text: string): number[] =>
  MINUTES.map((_, place) => place).filter((place) => text.includes(`at-${place}.`))

const signedIn = (folder: string, market: string): number => {
  if (market !== 'AT') return Number.NaN
  const dep = JSON.parse(readFileSync(join(folder, 'dep7.json'), 'utf8')) as {
    'Belege-Gruppe': { 'Belege-kompakt': string[] }[]
  }
  return dep['Belege-Gruppe'].flatMap((group) => group['Belege-kompakt']).length
}

describe.each(NIGHTS)('the night of a %s hour', (_hour, text) => {
  const change = Date.parse(text)
  const places = MINUTES.map((_, place) => place)
  it.each(['AT', 'DE'])(
    'has each receipt of %s on one side of a border',
    async (market) => {
      const till = await sold(market, change)
      const [start, end] = [iso(change - DAY_MS), iso(change + DAY_MS)]
      const whole = await maker.bundle(till.accountId, start, end)
      expect(whole.findings).toBe(0)
      const journal = readFileSync(join(folderOf(whole), 'journal.csv'), 'utf8')
      expect(placesIn(journal)).toEqual(places)
      const closings = market === 'DE' ? 1 : 0
      const rows = (folder: string) =>
        readFileSync(join(folder, 'receipt-journal.csv'), 'utf8').trim().split(/\r?\n/).slice(1)
      expect(rows(folderOf(whole))).toHaveLength(MINUTES.length + closings)
      // the change itself, midnight in both zones, and each end of the hour in question
      for (const minutes of [0, -180, -120, -60, 60]) {
        const border = at(change, minutes)
        const before = await maker.bundle(till.accountId, start, iso(border))
        const behind = await maker.bundle(till.accountId, iso(border), end)
        expect([minutes, before.findings, behind.findings]).toEqual([minutes, 0, 0])
        const left = places.filter((place) => at(change, MINUTES[place] ?? 0) < border)
        const [one, two] = [before, behind].map(folderOf) as [string, string]
        expect([minutes, placesIn(readFileSync(join(one, 'journal.csv'), 'utf8'))]).toEqual([
          ...[minutes, left],
        ])
        expect(placesIn(readFileSync(join(two, 'journal.csv'), 'utf8'))).toEqual(
          places.slice(left.length),
        )
        expect([...rows(one), ...rows(two)]).toEqual(rows(folderOf(whole)))
        if (market === 'AT') {
          expect([signedIn(one, market), signedIn(two, market)]).toEqual([
            ...[left.length, places.length - left.length],
          ])
        }
      }
      // an export of a TSE has whole seconds
      const ends = MINUTES.map((minutes) => iso(Math.floor(at(change, minutes) / 1000) * 1000))
      if (market === 'DE') expect(dsfinvk(folderOf(whole))).toEqual(ends)
    },
    300_000,
  )
})

/** When the receipts in the closed days of a German export ended. */
function dsfinvk(folder: string): string[] {
  const zip = join(folder, 'dsfinvk.zip')
  const text = execFileSync('unzip', ['-p', zip, 'transactions.csv'], { encoding: 'utf8' })
  const [names = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replaceAll('"', '').split(';'))
  return rows.map((row) => row[names.indexOf('BON_ENDE')] ?? '')
}
