// Every sample receipt of the sandbox in a real browser, in the looks of four shops: the first
// screen of a phone, every width, light and dark, and one sheet of paper.
// `npx tsx test/story/receipt-sheets.ts FOLDER` draws them for people to look at.
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SamplePage, samplePages, someOf } from '../support/branded-samples.js'
import { browserIsMissing, launchBrowser } from '../support/browser.js'

const isLeftOut = browserIsMissing()
const pages: SamplePage[] = isLeftOut ? [] : await samplePages()
const markets = [...new Set(pages.map(({ market }) => market))]
const some = someOf(pages)
/** One after the other, so that each is told when it ends. */
const parts = [0, 1, 2, 3].map(
  (n) => [`${n + 1} of 4`, some.filter((_, at) => at % 4 === n)] as const,
)

/** What of sum, date and buttons ends below the screen of a phone. */
const BELOW =
  '["#when","#keep .first","#keep .share",document.querySelector("#sum")?"#sum":"h1"].filter(i=>' +
  '!(document.querySelector(i)?.getBoundingClientRect().bottom<=640))'

/** Buttons that stand out, where they are not one. */
const FIRSTS = '[document.querySelectorAll(".buttons .first").length].filter(n=>n!==1)'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const JUDGE =
  `axe.run({runOnly:${JSON.stringify(RULES)},resultTypes:["violations"],preload:false,` +
  'selectors:false}).then(r=>r.violations.map(v=>v.id+" "+v.nodes[0].html.slice(0,90)))'

/** What reaches over the edges of the paper that is written on; the head is as wide as the page. */
const OUTSIDE =
  '(()=>{const main=document.querySelector("main"),box=main.getBoundingClientRect(),' +
  'style=getComputedStyle(main),left=box.left+parseFloat(style.paddingLeft)-1,' +
  'right=box.right-parseFloat(style.paddingRight)+1;' +
  'return [...main.querySelectorAll("*")].filter(e=>!e.closest("#merchant,.unseen,svg")&&' +
  'e.getClientRects().length>0).filter(e=>{const r=e.getBoundingClientRect();' +
  'return r.right>right||r.left<left}).map(e=>e.outerHTML.slice(0,80))})()'

/** On paper of two columns, what is read together and stands in different ones. */
const PARTED =
  '(()=>{const left=i=>document.querySelector(i)?.getBoundingClientRect().left,' +
  'main=document.querySelector("main").getBoundingClientRect(),' +
  'columns=[...document.querySelectorAll("#fiscal details")].map(d=>' +
  '[d.querySelector("summary"),...d.querySelectorAll("dl > div")].slice(0,4)' +
  '.map(e=>e.getBoundingClientRect().left-main.left>main.width/2));' +
  'return [...["#vat","#payments"].filter(i=>left(i)!==undefined&&left(i)!==left("#total")),' +
  '...columns.filter(c=>new Set(c).size>1).map(()=>"details")]})()'

describe.skipIf(isLeftOut)('the sample receipts', { timeout: 60_000 }, () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage()
  }, 60_000)
  afterAll(() => browser?.close())

  it.each(markets)(
    '%s: sum, date, both buttons on the first screen, in its column',
    async (market) => {
      await page.setViewportSize({ width: 360, height: 640 })
      const wrong: Record<string, string[]> = {}
      for (const { label, html } of pages.filter((one) => one.market === market)) {
        await page.setContent(html)
        const found = await page.evaluate<string[]>(`[...${BELOW},...${OUTSIDE},...${FIRSTS}]`)
        if (found.length > 0) wrong[label] = found
      }
      expect(wrong).toEqual({})
    },
  )

  it.each(markets)(
    '%s: A4 keeps sum, VAT and payments together, and a heading its rows',
    async (market) => {
      await page.setViewportSize({ width: 718, height: 640 })
      await page.emulateMedia({ media: 'print' })
      const wrong: Record<string, string[]> = {}
      for (const { label, html } of pages.filter((one) => one.market === market)) {
        await page.setContent(html)
        const found = await page.evaluate<string[]>(PARTED)
        if (found.length > 0) wrong[label] = found
      }
      await page.emulateMedia({ media: null })
      expect(wrong).toEqual({})
    },
  )

  it.each(parts)(
    'nothing leaves its column, axe finds nothing, one sheet holds it: %s',
    async (_, own) => {
      const wrong: Record<string, string[]> = {}
      for (const [at, { label, html }] of own.entries()) {
        await page.emulateMedia({ colorScheme: at % 2 === 0 ? 'dark' : 'light' })
        await page.setContent(html)
        const found: string[] = []
        for (const width of [1280, 768, 320]) {
          await page.setViewportSize({ width, height: 640 })
          found.push(...(await page.evaluate<string[]>(OUTSIDE)))
        }
        // what a page has defined stays when its content is another one
        if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
        found.push(...(await page.evaluate<string[]>(JUDGE)))
        const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
        const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
        // forty articles, and a form to fill in
        if (sheets !== 1 && !label.endsWith(' many')) found.push(`${sheets} sheets of A4`)
        if (found.length > 0) wrong[label] = found
      }
      expect(wrong).toEqual({})
    },
  )
})
