// A year of a German shop with two queues on one TSE, as mixed as the law allows: implicit and
// explicit receipts, every kind of business, TSEs that fail in every way, closings, changes of the
// TSE. Its exports are judged by the verifiers and by checks that share no code with the program.
// MIXED_RECEIPTS=5000 MIXED_CLOSINGS=30 makes it longer, MIXED_FOLDER keeps the exports.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/verify/file.js'
import { germany } from '../../src/market/de/index.js'
import { GermanShop } from '../support/de/story-shop.js'
import { Tills } from '../support/de/story-till.js'
import { CASES, Year } from '../support/de/story-year.js'
import { Chance } from '../support/load.js'

const RECEIPTS = Number(process.env.MIXED_RECEIPTS ?? 300)
const DAYS = Number(process.env.MIXED_CLOSINGS ?? 4)

let shop: GermanShop
let year: Year
let folder: string
const exported = new Map<string, Buffer>()

beforeAll(async () => {
  const chance = new Chance()
  console.log(`seed ${chance.seed}`)
  shop = await GermanShop.open(chance)
  folder = process.env.MIXED_FOLDER ?? (await mkdtemp(join(tmpdir(), 'fiskalwerk-mixed-')))
  await mkdir(folder, { recursive: true })
})
afterAll(async () => {
  await shop.close()
  if (process.env.MIXED_FOLDER === undefined) await rm(folder, { recursive: true })
})

async function special(day: number): Promise<void> {
  const queue = Math.floor(day / 4) % 2
  if (day % 4 === 0) {
    await year.explicitOutage(queue)
    await year.lostAnswers(1 - queue)
  } else if (day % 4 === 1) {
    await year.closeWithoutTse(queue)
    await year.newMasterData(1 - queue, day % 8 === 1 ? CASES.yearly : CASES.daily)
  } else if (day % 4 === 2) {
    await year.change(queue)
    await year.changeInOutage(1 - queue)
    await year.explicitOutage(queue)
  } else {
    await year.refusals(queue)
    await year.longOutage()
    await year.lateEntries(1 - queue)
  }
}

describe('a year of a German shop', () => {
  it('is lived through', async () => {
    const tills = new Tills(shop, new Chance())
    year = new Year(tills)
    await year.open()
    for (let day = 0; day < DAYS; day += 1) {
      await tills.crowd(Math.ceil((RECEIPTS * 0.75) / DAYS / 2))
      await special(day)
      await tills.crowd(Math.ceil((RECEIPTS * 0.75) / DAYS / 2))
      await year.closeAll(day)
    }
    await year.stop()
    console.log(`${shop.sent.length} receipts`)
  }, 600_000)

  it('leaves exports without a finding', async () => {
    for (const queue of [0, 1]) {
      for (const type of ['1', '2', '3']) {
        const name = `${queue}-${type}`
        const bytes = await shop.journal(queue, `type=0x444500000000000${type}`)
        exported.set(name, bytes)
        const path = join(folder, name)
        await writeFile(path, bytes)
        const verdict = await verifyFile(path, { verifiers: germany.verifiers })
        expect.soft(verdict.findings, name).toEqual([])
      }
    }
  })
})
