// Every page of the portal: what axe says in light and dark, on a screen and on a phone, German
// texts, and what pages are built of. French ones are in states.test.ts.
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../support/portal.js'
import type { PortalStand } from '../../support/portal-stand.js'
import { structureOf } from '../../support/portal-structure.js'
import { addWebhook, forgetWork, lastCall, workPages } from '../../support/portal-things.js'
import { goTo, tooWide, violations } from '../../support/portal-visit.js'
import { rawWords } from '../../support/raw-words.js'

const GENERAL = [
  ...['/', '/operators', '/queues', '/outages', '/invitations', '/invitations?view=history'],
  ...[
    '/onboard',
    '/import/invitations',
    '/jobs',
    '/history',
    '/events',
    '/events/types',
    '/company',
  ],
  ...['/me', '/operations', '/run/createOutlet', '/nothing-here', '/reports', '/exports', '/scus'],
  ...['/cashboxes', '/rollout', '/lab', '/queues?search=nothing-like-this'],
]

/** Of one merchant, register, receipt or webhook. */
export async function allPages(stand: PortalStand): Promise<string[]> {
  const { shop, german } = stand
  const { demo, box, deps } = shop
  const [operator, queue] = [`/operators/${demo.operator.accountId}`, `/queues/${box.queueId}`]
  const { rows } = await deps.store.pool.query<{ id: string }>(
    'select id from queue_item where queue_id = $1 limit 1',
    [box.queueId],
  )
  return [
    ...GENERAL,
    ...[operator, `${operator}/look`, `${operator}/privacy`, `/operators/${german}/place`],
    ...[`${operator}/cashboxes/${box.cashBoxId}`, queue, `${queue}/registration`],
    ...[`${queue}/outage`, `${queue}/switch`, `${queue}/journals`],
    ...[`/receipts/${box.queueId}/${rows[0]?.id}`],
    `/lab?cashBoxId=${box.cashBoxId}&operatorId=${demo.operator.accountId}`,
    ...[`${operator}/possystems`, `${operator}/outlets/import`, '/onboard/all'],
    `${operator}/scus/${await unitOf(stand)}`,
    ...['/api-log', `/api-log/${await lastCall(stand)}`, '/events/1'],
    ...[`${operator}/parts`, `${operator}/wallets`, `${operator}/queues/${box.queueId}`],
    ...(await workPages(stand)),
  ]
}

async function unitOf({ shop: { deps, demo } }: PortalStand): Promise<string> {
  const { rows } = await deps.store.pool.query<{ id: string }>(
    'select id from scu where account_id = $1 limit 1',
    [demo.operator.accountId],
  )
  return rows[0]?.id ?? ''
}

/** A CashBox, the company, an invitation, a webhook, personal data. */
const LEAST_RED = 5
const SCREEN = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
const WIDTHS = [SCREEN.width, 768, PHONE.width]
/** What is another in other colours and on a smaller screen. */
const OF_LOOKS = [
  ...['color-contrast', 'link-in-text-block'],
  ...['scrollable-region-focusable', 'target-size'],
]
/** What its setting is called. */
const LANGUAGE = { en: 'Language', de: 'Sprache', fr: 'Langue' }

/** Buttons that cannot be pressed, and neither say why nor are reached by the keyboard. */
const WITHOUT_REASON = `[...document.querySelectorAll('[aria-disabled=true], [disabled]')]
  .filter((one) => {
    const why = document.getElementById(one.getAttribute('aria-describedby') ?? '')
    return one.hasAttribute('disabled') || (why?.textContent ?? '') === ''
  })
  .map((one) => one.textContent)`

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g
/** What each page consists of; `vitest -u` writes what it is now, for people to look at. */
const STRUCTURE = join(import.meta.dirname, 'structure.yml')

let stand: PortalStand
let paths: string[]
/** One of each walk: they go at the same time. */
const people = {} as Record<'german' | 'reader', Person>
/** Red buttons that were pressed. */
let asked = 0

/** For people to look at, into the folder PICTURES. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (folder === undefined) return
  const path = join(folder, `${name.replaceAll(/[^\w-]+/g, '_').slice(0, 80)}.png`)
  await page.screenshot({ path, fullPage: true })
}

/** What cannot be undone is red, and asks before anything is sent. */
async function askedBefore(page: Page, path: string): Promise<void> {
  const sent: string[] = []
  const note = (request: Request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`)
  }
  page.on('request', note)
  for (const red of await page.locator('main button.danger').all()) {
    await red.click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    asked += 1
  }
  page.off('request', note)
  expect(
    sent.filter((line) => !line.includes('/actions')),
    path,
  ).toEqual([])
}

/** Of the Queues of the stand; one that was given none has 22 letters at random. */
async function identifications({ shop }: PortalStand): Promise<string[]> {
  const { rows } = await shop.deps.store.pool.query<{ identification: string }>(
    'select identification from queue',
  )
  return rows.map((row) => row.identification)
}

async function speakGerman(page: Page): Promise<void> {
  await goTo(page, '/me')
  // a try before this one may have left another language
  const named = Object.values(LANGUAGE).map((label) => page.getByLabel(label, { exact: true }))
  await named.reduce((one, other) => one.or(other)).selectOption('de')
  await page.locator('html[lang=de]').waitFor()
}

export function pageTests(found: () => PortalStand): void {
  beforeAll(async () => {
    stand = found()
    await addWebhook(stand)
    const { shop } = stand
    const { accountId } = shop.demo.dealer
    people.german = await shop.person(accountId, 'Administrator')
    people.reader = await shop.person(accountId, 'Reader')
    paths = await allPages(stand)
  })
  afterAll(() => forgetWork(stand))

  it.concurrent('every page, light, dark and on a phone: axe finds nothing, German texts fit', {
    timeout: 300_000,
  }, async ({ expect }) => {
    const { page, faults, context, settled } = await stand.visitAs(people.german, '/me', {
      ...{ colorScheme: 'light', viewport: SCREEN },
    })
    // rules know no language: the German texts are measured on the same visit
    await speakGerman(page)
    const raw: string[] = []
    const names = await identifications(stand)
    for (const path of paths) {
      await goTo(page, path)
      await page.locator('main h1').first().waitFor()
      await settled()
      // from the widest, which is that of a screen, to a phone
      expect(await violations(page), path).toEqual([])
      await askedBefore(page, path)
      const words = await rawWords(page, names)
      if (words.length > 0) raw.push(`${path}: ${words.join(', ')}`)
      for (const width of WIDTHS) {
        if (width !== SCREEN.width) await page.setViewportSize({ width, height: PHONE.height })
        expect(await tooWide(page), `${path}, de, ${width}`).toBe('')
        await picture(page, `de-${width}-${path}`)
      }
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page, OF_LOOKS), `${path}, dark, on a phone`).toEqual([])
      await picture(page, `dark-360-${path}`)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(SCREEN)
    }
    expect(asked).toBeGreaterThanOrEqual(LEAST_RED)
    // words of the wire are shown as such or have a German text
    expect(raw).toEqual([])
    expect(faults.filter((one) => !one.includes('(Not Found)') && !one.startsWith('404'))).toEqual(
      [],
    )
    await context.close()
  })

  it.concurrent('what a reader may not press says why; each page is built as it was', {
    timeout: 300_000,
  }, async ({ expect }) => {
    const { page, faults, context, settled } = await stand.visitAs(people.reader, '/')
    const structures = ['# around every page', await structureOf(page, 'header'), '']
    for (const path of paths) {
      await goTo(page, path)
      await page.locator('main h1, main .empty').first().waitFor()
      await settled()
      expect(await page.evaluate(WITHOUT_REASON), path).toEqual([])
      // the newest calls are others in every run
      if (path === '/api-log') continue
      structures.push(`# ${path.replaceAll(ID, 'ID')}`, await structureOf(page), '')
    }
    expect(faults).toEqual([])
    await expect(structures.join('\n')).toMatchFileSnapshot(STRUCTURE)
    await context.close()
  })
}
