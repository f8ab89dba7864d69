// The dialogs of a page: each button that opens one is pressed, and what it opens is looked at.
import type { Visit } from './portal-visit.js'

/** Its title, and the texts of its fields and buttons. */
type Look = (title: string, parts: string) => Promise<void>

const OPENERS = 'main [aria-haspopup=dialog]'
const MOST_ALIKE = 5

/**
 * Opens each dialog of a page and closes it by Escape. Of buttons that are called alike some are
 * pressed: they stand in rows of different kinds. Told are the titles.
 */
export async function eachDialog(
  { page, settled }: Pick<Visit, 'page' | 'settled'>,
  look: Look,
): Promise<string[]> {
  const titles: string[] = []
  const called = await page.locator(OPENERS).allTextContents()
  for (const [at, name] of called.entries()) {
    if (called.slice(0, at).filter((one) => one === name).length >= MOST_ALIKE) continue
    await page.locator(OPENERS).nth(at).click()
    titles.push(await lookedAt({ page, settled }, look))
  }
  return titles
}

/** What a key opens on every page. */
export async function eachKeyDialog(
  { page, settled }: Pick<Visit, 'page' | 'settled'>,
  look: Look,
): Promise<string[]> {
  const titles: string[] = []
  for (const key of ['/', 'c', '?']) {
    await page.keyboard.press(key)
    titles.push(await lookedAt({ page, settled }, look))
  }
  return titles
}

async function lookedAt(
  { page, settled }: Pick<Visit, 'page' | 'settled'>,
  look: Look,
): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await settled()
  const title = await dialog.getByRole('heading').first().innerText()
  const parts = await dialog.locator('label > span, button, legend, th, dt').allTextContents()
  await look(title, parts.join('|'))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  return title
}
