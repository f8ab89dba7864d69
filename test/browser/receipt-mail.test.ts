// The e-mail with a receipt in a real browser, as programs for mail draw it: narrow and wide, light
// and dark, in the colours of a merchant, with texts of strangers.

import { mkdirSync } from 'node:fs'
import { createCanvas } from '@napi-rs/canvas'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Logo } from '../../src/model/branding.js'
import { mailOf, senderOf } from '../../src/notify/compose.js'
import type { Card } from '../../src/notify/transport.js'
import { browserIsMissing, launchBrowser } from '../support/browser.js'

const isLeftOut = browserIsMissing()
let browser: Browser
let page: Page | undefined
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

const WINE = { primary: '#ffffff', background: '#7a1f2b' }

/** A ring in one colour, on nothing. */
function logoIn(colour: string, ground?: 'light' | 'dark'): Logo {
  const canvas = createCanvas(160, 80)
  const context = canvas.getContext('2d')
  Object.assign(context, { strokeStyle: colour, lineWidth: 14 })
  context.arc(80, 40, 30, 0, 7)
  context.stroke()
  const data = canvas.toBuffer('image/png')
  return { type: 'image/png', data, width: 160, height: 80, ...(ground && { ground }) }
}

const LOOKS: [string, Partial<Card>][] = [
  ['house', {}],
  ['wine', { colours: WINE }],
  ['yellow', { colours: { primary: '#101010', background: '#ffe14d' } }],
  ['wine and logo', { colours: WINE, logo: logoIn('#ffe14d') }],
  ['logo', { logo: logoIn('#d0402b') }],
  ['dark logo', { logo: logoIn('#101010', 'light') }],
  ['pale logo', { logo: logoIn('#f4f4f4', 'dark') }],
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
  const { html = '', attachments } = await PostalMime.parse(mail)
  // as programs for mail put the pictures of a letter in their places
  return attachments.reduce((text, { contentId = '', mimeType, content }) => {
    const data = Buffer.from(content as ArrayBuffer).toString('base64')
    return text.replace(`cid:${contentId.slice(1, -1)}`, `data:${mimeType};base64,${data}`)
  }, html)
}

describe.skipIf(isLeftOut)('the mail', () => {
  const looks = LOOKS.flatMap(([name, look]) =>
    (['light', 'dark'] as const).flatMap((scheme) =>
      [360, 640].map((width) => [name, scheme, width, look] as const),
    ),
  )

  it.each(looks)('%s, %s, %i px: is readable and cut off nowhere', async (...told) => {
    const [name, scheme, width, look] = told
    page ??= await browser.newPage()
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: scheme })
    await page.setContent(await htmlOf({ ...CARD, ...look }))
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
    const top = look.logo === undefined ? 300 : 400
    expect((await page.getByText('16,60').boundingBox())?.y).toBeLessThan(top)
    const seen = await page.evaluate<number[]>('[...document.images].map(one=>one.naturalWidth)')
    expect(seen).toEqual(look.logo === undefined ? [] : [160])
    expect((button?.y ?? 1_000) + (button?.height ?? 0)).toBeLessThan(800)
    const folder = process.env.PICTURES
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}/mail-${name}-${scheme}-${width}.png` })
    }
  })
})
