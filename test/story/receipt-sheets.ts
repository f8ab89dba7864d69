// Contact sheets for people to look at: sample receipts of every country, in light and dark, on
// phones, tablets, screens and paper. `npx tsx test/story/receipt-sheets.ts FOLDER [ONLY]`
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Browser, Page } from 'playwright-core'
import { type SamplePage, samplePages, someOf } from '../support/branded-samples.js'
import { launchBrowser } from '../support/browser.js'

interface Look {
  name: string
  width: number
  scheme: 'light' | 'dark'
  media?: 'print'
  /** How wide one is on its sheet, in pixels, and how many stand beside each other. */
  shown: number
  columns: number
  /** Every sample, not some of each country. */
  all?: true
}

const LOOKS: readonly Look[] = [
  { name: '360-light', width: 360, scheme: 'light', shown: 260, columns: 7, all: true },
  { name: '360-dark', width: 360, scheme: 'dark', shown: 260, columns: 7 },
  { name: '768-light', width: 768, scheme: 'light', shown: 440, columns: 4 },
  { name: '768-dark', width: 768, scheme: 'dark', shown: 440, columns: 4 },
  { name: '1280-light', width: 1280, scheme: 'light', shown: 600, columns: 3 },
  { name: '1280-dark', width: 1280, scheme: 'dark', shown: 600, columns: 3 },
  // 90 mm, and A4 within its margins
  { name: 'paper-90', width: 340, scheme: 'light', media: 'print', shown: 260, columns: 7 },
  { name: 'paper-a4', width: 718, scheme: 'light', media: 'print', shown: 440, columns: 4 },
]

const LABEL = 22
const GAP = 10
interface Picture {
  label: string
  png: Buffer
  height: number
}

async function pictures(page: Page, look: Look, shown: readonly SamplePage[]): Promise<Picture[]> {
  await page.setViewportSize({ width: look.width, height: 640 })
  await page.emulateMedia({ colorScheme: look.scheme, media: look.media ?? 'screen' })
  const made: Picture[] = []
  for (const { label, html } of shown) {
    await page.setContent(html)
    const png = await page.screenshot({ fullPage: true, type: 'png' })
    const { width, height } = await loadImage(png)
    made.push({ label, png, height: Math.round((height * look.shown) / width) })
  }
  return made
}

async function sheets(look: Look, made: readonly Picture[], folder: string): Promise<void> {
  const columns = look.columns
  for (let at = 0; at * columns < made.length; at += 1) {
    const row = made.slice(at * columns, (at + 1) * columns)
    const tallest = Math.min(1_400, Math.max(...row.map(({ height }) => height)))
    const canvas = createCanvas(columns * (look.shown + GAP), tallest + LABEL)
    const context = canvas.getContext('2d')
    Object.assign(context, { fillStyle: '#808080' })
    context.fillRect(0, 0, canvas.width, canvas.height)
    Object.assign(context, { fillStyle: '#ffffff', font: '15px DejaVu Sans' })
    for (const [column, { label, png, height }] of row.entries()) {
      const x = column * (look.shown + GAP)
      context.fillText(label, x + 4, 16)
      context.drawImage(await loadImage(png), x, LABEL, look.shown, height)
    }
    const name = `${look.name}-${String(at + 1).padStart(2, '0')}.png`
    await writeFile(join(folder, name), canvas.toBuffer('image/png'))
  }
}

const [folder = 'sheets', only = ''] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
const all = await samplePages()
const browser: Browser = await launchBrowser()
const page = await browser.newPage()
for (const look of LOOKS.filter(({ name }) => name.startsWith(only))) {
  const some = look.all ? all : someOf(all)
  await sheets(look, await pictures(page, look, some), folder)
  console.log(`${look.name}: ${some.length} receipts`)
}
await browser.close()
