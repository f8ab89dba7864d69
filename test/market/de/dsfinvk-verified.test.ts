import { it } from 'vitest'
import { dsfinvkFile } from '../../../src/market/de/verify.js'
import type { Finding } from '../../../src/market/market.js'
import { bytesOf } from './support/archive.js'
import { cash, charge, goods, pay, receipt } from './support/items.js'
import { Till } from './support/till.js'

async function findingsOf(file: Buffer): Promise<Finding[]> {
  const findings: Finding[] = []
  async function* read(range?: { start: number; end: number }) {
    yield range === undefined ? file : file.subarray(range.start, range.end)
  }
  const sink = { add: (one: Finding) => void findings.push(one), clear: () => findings.splice(0) }
  await dsfinvkFile.verify(read, {}, sink)
  return findings
}

it('x', async () => {
  const till = new Till()
  till.add(receipt([goods(11.9), charge(0x12, 5.35, { vatRate: 7 })], [cash(10), pay(4, 7.25)]))
  till.close()
  console.log(await findingsOf(await bytesOf(till.source())))
})
