// Inspection bundles from the call to the unpacked file.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Asking, askInspection, endOf, unpacked } from '../../support/inspections.js'
import { openPlatform, type PlatformShop } from '../../support/platform.js'

let shop: PlatformShop
let asking: Asking
beforeAll(async () => {
  shop = await openPlatform()
  shop.deps.jobs.start()
  asking = { url: shop.url, as: shop.dealer }
  for (let at = 0; at < 5; at += 1) await shop.receipt()
})
afterAll(async () => {
  await shop.deps.jobs.stop()
  await shop.deps.inspections.close()
  await shop.close()
})

const WISH = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }

const filesIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()

it('shows', async () => {
  const asked = await askInspection(asking, { ...WISH, posOperatorId: shop.operatorId })
  const told = await endOf(asking, asked.id)
  console.log(JSON.stringify(told))
  const folder = await unpacked(asking, asked.id)
  console.log(folder, filesIn(folder))
  console.log(readFileSync(join(folder, 'verification/report.json'), 'utf8'))
  expect(told.job.state).toBe('succeeded')
})
