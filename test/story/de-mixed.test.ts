// A year of a German shop.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyFile } from '../../src/core/verify/file.js'
import { germany } from '../../src/market/de/index.js'
import { KINDS, recipe } from '../support/de/story-recipes.js'
import { dataOf, expectedData, GermanShop, IMPLICIT } from '../support/de/story-shop.js'
import { Chance } from '../support/load.js'

let shop: GermanShop
const chance = new Chance()
beforeAll(async () => {
  shop = await GermanShop.open(chance)
})
afterAll(() => shop.close())

it('thin', async () => {
  console.log('seed', chance.seed)
  for (const q of [0, 1]) await shop.send(q, { word: IMPLICIT | 3n, reference: `start${q}` })
  for (let kind = 0; kind < KINDS; kind += 1) {
    const made = recipe(kind, chance)
    const sent = await shop.send(kind % 2, {
      word: IMPLICIT | BigInt(made.code) | (made.flags ?? 0n),
      reference: `r${kind}`,
      recipe: made,
    })
    expect([dataOf(sent.answer, 0x15n), dataOf(sent.answer, 0x16n)]).toEqual(expectedData(made))
  }
  for (const q of [0, 1]) await shop.send(q, { word: IMPLICIT | 7n, reference: `close${q}` })
  const folder = await mkdtemp(join(tmpdir(), 'fiskalwerk-mixed-'))
  for (const q of [0, 1])
    for (const type of [1, 2, 3]) {
      const path = join(folder, `${q}-${type}`)
      await writeFile(path, await shop.journal(q, `type=0x444500000000000${type}`))
      const verdict = await verifyFile(path, { verifiers: germany.verifiers })
      console.log(q, type, verdict.kind, verdict.findings.slice(0, 5), verdict.notices.slice(0, 5))
    }
})
