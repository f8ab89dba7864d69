// How soon an event is on its page.
import { expect, it } from 'vitest'
import { accountHeaders } from '../../support/platform.js'
import type { PortalStand } from '../../support/portal-stand.js'

/** As in vitest.config.ts: a busy machine is late. */
const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1)

const MANY = 40
/** As often as pages take what has arrived. */
const BATCH_MS = 250
/** How often rows come, and which. */
const COUNT_PAINTS = `{
  const rows = () => [...document.querySelectorAll('main tbody tr')]
  const numbers = () => rows().map((row) => row.cells[0]?.textContent)
  const before = new Set(numbers())
  window.seen = new Set()
  window.paints = 0
  new MutationObserver(() => {
    const fresh = numbers().filter((one) => !before.has(one) && !seen.has(one))
    if (fresh.length > 0) paints += 1
    for (const one of fresh) seen.add(one)
  }).observe(document.querySelector('main'), { childList: true, subtree: true })
}`

export function figureTests(stand: () => PortalStand): void {
  it('an event is on the page within half a second', async () => {
    const { shop } = stand()
    const headers = { ...accountHeaders(shop.demo.dealer), 'content-type': 'application/json' }
    const body = JSON.stringify({ receipts: true })
    await fetch(`${shop.url}/platform/v1/event-settings`, { method: 'PUT', headers, body })
    const { page, context } = await stand().visitAs(shop.dealer, '/events')
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor()
    const first = page.getByRole('main').locator('tbody tr').first()
    const waits: number[] = []
    for (let sale = 0; sale < 9; sale += 1) {
      const before = await first.innerText().catch(() => '')
      await shop.sale()
      const begun = performance.now()
      await expect.poll(() => first.innerText(), { interval: 10 }).not.toBe(before)
      waits.push(performance.now() - begun)
    }
    const [, , , , middle = Number.NaN] = waits.toSorted((a, b) => a - b)
    expect(middle).toBeLessThanOrEqual(500 * PATIENCE)
    // many of them are painted together, so that a page stays as smooth as it is
    await page.evaluate(COUNT_PAINTS)
    const begun = performance.now()
    await Promise.all(Array.from({ length: MANY }, () => shop.sale()))
    const shown = () => page.evaluate<number>('seen.size')
    await expect.poll(shown, { interval: 50 }).toBeGreaterThanOrEqual(MANY)
    const batches = Math.ceil((performance.now() - begun) / BATCH_MS)
    expect(await page.evaluate<number>('paints')).toBeLessThanOrEqual(batches + 1)
    await context.close()
  })
}
