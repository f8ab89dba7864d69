// The address is the state: whatever is chosen on a list is there again when its address is opened.
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { PortalStand } from '../../support/portal-stand.js'
import { goTo, type Visit } from '../../support/portal-visit.js'

/** Every list with filters, but that of calls: looking at it makes more of them. */
const LISTS = [
  ...['/', '/queues', '/cashboxes', '/operators', '/scus', '/outages', '/history', '/jobs'],
  ...['/reports', '/exports', '/invitations'],
]
const WORDS = ['', 'demo', 'nothing-like-it']
const FILTERS = 'main .filters :is(select, input[type=checkbox], input[type=search])'

const ageless = (text: string) => text.replace(/\d+ (second|minute)s? ago/g, '…')

const valuesOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(FILTERS)})]
      .map((one) => (one.type === 'checkbox' ? String(one.checked) : one.value))`,
  )

/** Sets each filter to one of its values, by a number of its own. */
async function choose(page: Page, numbers: readonly number[]): Promise<void> {
  for (const [at, filter] of (await page.locator(FILTERS).all()).entries()) {
    const number = numbers[at % numbers.length] ?? 0
    const type = await filter.getAttribute('type')
    if (type === 'checkbox') await filter.setChecked(number % 2 === 1)
    else if (type === 'search') {
      const word = WORDS[number % WORDS.length] ?? ''
      await filter.fill(word)
      await page.waitForURL(({ search }) => word === '' || search.includes(word))
    } else {
      const options = await filter.locator('option').count()
      await filter.selectOption({ index: number % options })
    }
  }
}

async function shownBy({ page, settled }: Pick<Visit, 'page' | 'settled'>) {
  await settled()
  const shown = await page.locator('main :is(tbody tr, .empty)').allInnerTexts()
  return { address: page.url(), values: await valuesOf(page), rows: ageless(shown.join()) }
}

export function addressTests(stand: () => PortalStand): void {
  it('what was chosen on a list is there again behind its address', {
    timeout: 120_000,
  }, async () => {
    const visit = await stand().visitAs(stand().shop.dealer, '/me')
    const { page, faults, context, settled } = visit
    let chosen = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...LISTS),
        fc.array(fc.nat(60), { minLength: 7, maxLength: 7 }),
        async (list, numbers) => {
          await goTo(page, list)
          await page.locator('main h1').first().waitFor()
          await settled()
          await choose(page, numbers)
          const before = await shownBy(visit)
          await page.goto(before.address)
          await page.locator('main h1').first().waitFor()
          expect(await shownBy(visit)).toEqual(before)
          chosen += before.address.includes('?') ? 1 : 0
        },
      ),
      {
        numRuns: 16,
        endOnFailure: true,
        examples: LISTS.map((list) => [list, [1, 1, 1, 1, 1, 1, 1]]),
      },
    )
    expect(chosen).toBeGreaterThan(LISTS.length / 2)
    expect(faults).toEqual([])
    await context.close()
  })

  it('a field says what its address says, whoever has changed that', async () => {
    const visit = await stand().visitAs(stand().shop.dealer, '/queues')
    const { page, faults, context, settled } = visit
    const field = page.locator('main .filters input[type=search]')
    const searched = (word: string) =>
      page.waitForURL(({ searchParams }) => (searchParams.get('search') ?? '') === word)
    await field.fill('demo')
    await searched('demo')
    await page.keyboard.press('End')
    await page.keyboard.type('-and-more', { delay: 60 })
    await searched('demo-and-more')
    expect(await field.inputValue()).toBe('demo-and-more')
    await page.locator('main button.plain').first().click()
    await searched('')
    await settled()
    expect(await field.inputValue()).toBe('')
    await field.fill('demo')
    await searched('demo')
    await page.locator('nav a[href$="/queues"]').first().click()
    await searched('')
    await settled()
    expect(await field.inputValue()).toBe('')
    await page.goBack()
    await searched('demo')
    await settled()
    expect(await field.inputValue()).toBe('demo')
    expect(faults).toEqual([])
    await context.close()
  })
}
