// The e-mail with a receipt in a real browser, as programs for mail draw it: narrow and wide, light
// and dark, in the colours of a merchant, with texts of strangers.

import { mkdirSync } from 'node:fs'
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailOf, senderOf } from '../../src/notify/compose.js'
import type { Card } from '../../src/notify/transport.js'
import { browserIsMissing, launchBrowser } from '../support/browser.js'

const isLeftOut = browserIsMissing()
let browser: Browser
beforeAll(async () => {
  if (!isLeftOut) browser = await launchBrowser()
})
afterAll(async () => {
  if (!isLeftOut) await browser.close()
})

const CARD: Card = {
  merchant: ['Café Zentral', 'Ringstraße 1', '1010 Wien'],
  ...{ title: 'Beleg ft1A#2', sum: '16,60\u00a0€', under: '01.07.2026 12:15 · Bar' },
  lines: [
    { text: 'Verlängerter mit Schlagobers', amount: '7,60' },
    { text: 'Rabatt Stammgast', amount: '\u22120,60' },
    { text: 'شاي بالنعناع', amount: '9,60' },
  ],
  ...{ more: 'und 4 weitere', colours: undefined },
}

const COLOURS = [
  undefined,
  { primary: '#ffffff', background: '#7a1f2b' },
  { primary: '#101010', background: '#ffe14d' },
]

async function htmlOf(card: Card): Promise<string> {
  const letter = {
    ...{ language: 'de', subject: 'Café Zentral: Beleg', card, attachment: null },
    paragraphs: ['Guten Tag,', 'hier ist Ihr Beleg ft1A#2 von Café Zentral.'],
    link: { label: 'Beleg ansehen', url: `https://r.example/${'a'.repeat(80)}` },
    footer: 'Sie erhalten diese Nachricht einmalig.',
  }
  const outgoing = { id: 'x', channel: 'email', to: 'a@b.example', createdAt: new Date(), letter }
  const mail = await mailOf({ ...outgoing, channel: 'email' }, senderOf('r@shop.example'))
  return (await PostalMime.parse(mail)).html ?? ''
}

describe.skipIf(isLeftOut)('the mail', () => {
  const looks = COLOURS.flatMap((colours, at) =>
    (['light', 'dark'] as const).flatMap((scheme) =>
      [360, 640].map((width) => [at, scheme, width, colours] as const),
    ),
  )

  it.each(looks)('%i, %s, %i px: is readable and cut off nowhere', async (at, scheme, width, c) => {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    await page.emulateMedia({ colorScheme: scheme })
    await page.setContent(await htmlOf({ ...CARD, colours: c }))
    await page.evaluate(axe.source)
    const found = await page.evaluate(
      'axe.run({runOnly:["wcag2a","wcag2aa"]}).then(r=>r.violations.map(v=>v.id+' +
        'v.nodes.map(n=>n.html.slice(0,90)).join()))',
    )
    expect(found).toEqual([])
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth-innerWidth')
    expect(wide).toBeLessThanOrEqual(0)
    const button = await page.getByRole('link', { name: 'Beleg ansehen' }).boundingBox()
    // sum and button are on the first screen
    expect((await page.getByText('16,60').boundingBox())?.y).toBeLessThan(300)
    expect((button?.y ?? 1_000) + (button?.height ?? 0)).toBeLessThan(800)
    const folder = process.env.PICTURES
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}/mail-${at}-${scheme}-${width}.png` })
    }
    await context.close()
  })
})
