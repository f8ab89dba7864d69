// Clients that openapi-typescript and openapi-fetch make of the documents of a running server:
// they compile strictly, sign sales of every country, export journals and run a dealer's first day.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../support/shop.js'

const run = promisify(execFile)
const here = dirname(fileURLToPath(import.meta.url))
const modules = join(here, '../../node_modules')
const GROUPS = ['middleware', 'possystem', 'dealer']

let shop: Shop
let folder: string
beforeAll(async () => {
  shop = await openShop()
  // below the packages, so that the program finds them
  await mkdir(join(modules, '.cache'), { recursive: true })
  folder = await mkdtemp(join(modules, '.cache/client-'))
})
afterAll(async () => {
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Types of all documents, and the program that uses them, compiled. */
async function compile(): Promise<void> {
  await cp(join(here, 'program'), folder, { recursive: true })
  await mkdir(join(folder, 'made'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const files = GROUPS.map((group) => [
    join(folder, `${group}.json`),
    join(folder, `made/${group}.ts`),
  ])
  for (const [at, group] of GROUPS.entries()) {
    const document = await fetch(`${shop.url}/docs/${group}/openapi.json`)
    await writeFile(files[at]?.[0] ?? '', await document.text())
  }
  await run(process.execPath, ['scripts/client-types.mjs', ...files.flat()])
  await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder])
}

it('made clients sign, export and run a first day', { timeout: 180_000 }, async () => {
  await compile()
  const { dealer, cashBoxes: tills } = shop.demo
  const input = JSON.stringify({ url: shop.url, dealer, tills })
  const { stdout } = await run(process.execPath, [join(folder, 'out/first-day.js'), input])
  const { sales, day } = JSON.parse(stdout)
  expect(sales).toHaveLength(tills.length * 2)
  expect(tills.length).toBeGreaterThan(3)
  for (const one of sales) {
    const [signed] = Object.values(one) as { signatures: string[]; journal: number }[]
    expect(signed?.signatures.length, JSON.stringify(one)).toBeGreaterThan(0)
    expect(signed?.journal).toBeGreaterThan(100)
  }
  expect(day).toMatchObject({ invited: true, queues: 1, pin: expect.stringMatching(/^\d{4}$/) })
})
