// How soon an event is on its page.
import { expect, it } from 'vitest'
import { accountHeaders } from '../../support/platform.js'
import type { PortalStand } from '../../support/portal-stand.js'

/** As in vitest.config.ts: a busy machine is late. */
const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1)

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
    await context.close()
  })
}
