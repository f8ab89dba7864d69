// The dialogs of a page: each button that opens one is pressed, and what it opens is looked at.
import type { Visit } from './portal-visit.js'

const OPENERS = 'main [aria-haspopup=dialog]'

/**
 * Opens each dialog of a page and closes it by Escape. Buttons that are called alike open the same:
 * the first of them is pressed. Told are the titles.
 */
export async function eachDialog(
  { page, settled }: Pick<Visit, 'page' | 'settled'>,
  look: (title: string) => Promise<void>,
): Promise<string[]> {
  const titles: string[] = []
  const called = await page.locator(OPENERS).allTextContents()
  for (const [at, name] of called.entries()) {
    if (called.indexOf(name) !== at) continue
    await page.locator(OPENERS).nth(at).click()
    titles.push(await lookedAt({ page, settled }, look))
  }
  return titles
}

/** What a key opens on every page. */
export async function eachKeyDialog(
  { page, settled }: Pick<Visit, 'page' | 'settled'>,
  look: (title: string) => Promise<void>,
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
  look: (title: string) => Promise<void>,
): Promise<string> {
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await settled()
  const title = await dialog.getByRole('heading').first().innerText()
  await look(title)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  return title
}
