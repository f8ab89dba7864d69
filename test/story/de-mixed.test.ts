// A year of a German shop with two queues on one TSE, as mixed as the law allows: implicit and
// explicit receipts, every kind of business, TSEs that fail in every way, closings, changes of the
// TSE. Its exports are judged by the verifiers and by checks that share no code with the program.
// MIXED_RECEIPTS=17500 MIXED_CLOSINGS=30 makes it longer (5000 slips for each queue), MIXED_FOLDER
// keeps the exports. CRASH_SEED repeats the receipts, not the order of concurrent ones.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/audit/verify/file.js'
import type { Finding } from '../../src/market/contract.js'
import { rowsOf, type TableRow } from '../market/de/support/archive.js'
import {
  closingsOf,
  expectedSums,
  faultsOfReferences,
  faultsOfRules,
  faultsOfSlips,
  faultsOfTse,
  foundSums,
  type Tables,
} from '../support/de/story-dsfinvk-checks.js'
import { AGENCIES } from '../support/de/story-recipes.js'
import { GermanShop } from '../support/de/story-shop.js'
import { Tills } from '../support/de/story-till.js'
import {
  faultsOfAnswers,
  faultsOfContent,
  faultsOfLog,
  joined,
  type Logs,
  unzipped,
} from '../support/de/story-tse-checks.js'
import { CASES, Year } from '../support/de/story-year.js'
import { type LogMessage, readTar } from '../support/de/tse-log.js'
import { Chance } from '../support/load.js'

const RECEIPTS = Number(process.env.MIXED_RECEIPTS ?? 300)
const DAYS = Number(process.env.MIXED_CLOSINGS ?? 4)

let shop: GermanShop
let year: Year
let folder: string
let logs: Logs = new Map()
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

const PATIENCE_MS = 600_000

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
  it(
    'is lived through',
    async () => {
      const tills = new Tills(shop, new Chance())
      year = new Year(tills)
      await year.open()
      for (let day = 0; day < DAYS; day += 1) {
        await tills.crowd(Math.ceil((RECEIPTS * 0.75) / DAYS / 2))
        await special(day)
        await tills.crowd(Math.ceil((RECEIPTS * 0.75) / DAYS / 2))
        for (const queue of [0, 1]) {
          const memory = await shop.journal(queue, 'type=0x4445000000000001')
          expect.soft(await findingsOf(`memory-${day}-${queue}`, memory)).toEqual([])
        }
        await year.closeAll(day)
      }
      await year.stop()
      console.log(`${shop.sent.length} receipts`)
    },
    PATIENCE_MS,
  )

  it(
    'leaves exports without a finding',
    async () => {
      for (const queue of [0, 1]) {
        for (const type of [1, 2, 3]) {
          const bytes = await shop.journal(queue, `type=0x444500000000000${type}`)
          exported.set(`${queue}-${type}`, bytes)
          expect.soft(await findingsOf(`${queue}-${type}`, bytes)).toEqual([])
        }
      }
    },
    PATIENCE_MS,
  )

  it(
    'gives one TSE alone, and both behind each other',
    async () => {
      for (const queue of [0, 1]) {
        const parts = await Promise.all(
          shop.scuIds.map((scu) => shop.journal(queue, `type=0x4445000000000003&scu=${scu}`)),
        )
        for (const [at, part] of parts.entries()) {
          expect(await findingsOf(`${queue}-3-${at}`, part)).toEqual([])
          expect(joined([readTar(part)]).size).toBe(1)
        }
        expect(Buffer.concat(parts).equals(exported.get(`${queue}-3`) ?? Buffer.of())).toBe(true)
        const memories = await Promise.all(
          shop.scuIds.map((scu) => shop.journal(queue, `type=0x4445000000000001&scu=${scu}`)),
        )
        expect(sizes(joined(memories.map(readTar)))).toEqual(
          sizes(joined([tarsOf(1)[queue] ?? []])),
        )
      }
    },
    PATIENCE_MS,
  )

  it(
    'has in its journal the archives that the TAR is made of',
    async () => {
      const archives: LogMessage[][] = []
      for (const queue of [0, 1]) {
        const text = (await shop.journal(queue, 'type=0x4445')).toString('utf8')
        const rows = JSON.parse(text) as { FileName: string; FileContentBase64: string }[]
        expect(rows.length).toBeGreaterThan(DAYS)
        for (const { FileName, FileContentBase64 } of rows) {
          const [[name, tar] = ['', Buffer.of()]] = unzipped(
            Buffer.from(FileContentBase64, 'base64'),
          )
          expect(name).toBe(`${FileName}.tar`)
          archives.push(readTar(tar))
        }
      }
      logs = joined([...archives, ...[1, 3].flatMap((type) => tarsOf(type))])
      expect(sizes(joined(archives))).toEqual(sizes(joined(tarsOf(3))))
    },
    PATIENCE_MS,
  )

  it('has logs without a gap; every transaction was started and finished once', () => {
    expect(logs.size).toBe(2)
    for (const log of logs.values()) expect(faultsOfLog(log)).toEqual([])
  })

  it('has signed nothing twice, and every signature of an answer is in a log', () => {
    const { sent, names } = shop
    expect(faultsOfAnswers(logs, { sent, names })).toEqual([])
    expect(faultsOfContent(logs, { sent, names })).toEqual([])
  })

  it.each([0, 1])('has every receipt of queue %i in its DSFinV-K, with all sums', (queue) => {
    const tables = tablesOf(exported.get(`${queue}-2`) ?? Buffer.of())
    const closings = closingsOf(shop.sent, queue)
    expect(closings.length).toBe(year.closings[queue])
    expect(faultsOfSlips(tables, closings)).toEqual([])
    expect(foundSums(tables)).toEqual(closings.map((one) => expectedSums(one, AGENCIES)))
    expect(faultsOfRules(tables)).toEqual([])
    expect(faultsOfReferences(tables, closings)).toEqual([])
    expect(faultsOfTse(tables)).toEqual([])
    const heads = tables('cashpointclosing')
    expect(heads[0]?.NAME).toBe('Muster GmbH')
    expect(heads.at(-1)?.NAME).toBe(year.masterDataName[queue])
    expect(heads.at(-1)?.TAXONOMIE_VERSION).toBe(queue === 0 ? '2.3' : '2.4')
  })
})

const tarsOf = (type: number) =>
  [0, 1].map((queue) => readTar(exported.get(`${queue}-${type}`) ?? Buffer.of()))

const sizes = (found: Logs) => [...found].map(([serial, log]) => [serial, log.length])

function tablesOf(zip: Buffer): Tables {
  const files = new Map([...unzipped(zip)].map(([name, bytes]) => [name, bytes.toString('utf8')]))
  const read = new Map<string, TableRow[]>()
  return (name) => {
    const rows = read.get(name) ?? rowsOf(files, name)
    read.set(name, rows)
    return rows
  }
}

/** Of a DSFinV-K the notices as well: nothing at all may be said of it. */
async function findingsOf(name: string, bytes: Buffer): Promise<Finding[]> {
  const isZip = bytes.toString('latin1', 0, 2) === 'PK'
  const path = join(folder, `${name}${isZip ? '.zip' : '.tar'}`)
  await writeFile(path, bytes)
  const { findings, notices } = await verifyFile(path)
  const told = notices.filter(({ code }) => code !== 'CERTIFICATE_UNTRUSTED')
  return isZip ? [...findings, ...told] : findings
}
