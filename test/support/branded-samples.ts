// The sample receipts as pages of shops: of one that has set nothing, and of three that have.
import { createCanvas } from '@napi-rs/canvas'
import { createSamples } from '../../src/core/receipts/samples/samples.js'
import { type Branding, NO_BRANDING } from '../../src/model/branding.js'
import { languageOf } from '../../src/render/words.js'
import { drawn } from './drawn.js'
import { LINKS } from './receipt-scenes.js'

/** A ring and a word in one colour, on nothing. */
function logo(colour: string, ground?: 'light' | 'dark'): Branding['logo'] {
  const canvas = createCanvas(240, 96)
  const context = canvas.getContext('2d')
  Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineWidth: 12 })
  context.arc(48, 48, 36, 0, 7)
  context.stroke()
  context.font = '44px DejaVu Sans'
  context.fillText('Café', 104, 64)
  const data = canvas.toBuffer('image/png')
  return { type: 'image/png', data, width: 200, height: 80, ...(ground && { ground }) }
}

const SHOPS: readonly Partial<Branding>[] = [
  {},
  { logo: logo('#d0402b'), footer: ['Grazie, merci, danke!'], website: 'https://cafe.example/' },
  { logo: logo('#ffe14d', 'dark'), colours: { primary: '#ffffff', background: '#7a1f2b' } },
  { logo: logo('#101010', 'light'), wallets: ['apple', 'google'] },
]

/** So many of a shop, one of which is among the few that some tests look at. */
const SAME_SHOP = 4

export interface SamplePage {
  market: string
  /** Market and kind. */
  label: string
  html: string
}

/** All of them, the shops in turn. */
export async function samplePages(): Promise<SamplePage[]> {
  const samples = createSamples()
  const pages: SamplePage[] = []
  for (const [at, { market, name }] of samples.list().entries()) {
    const receipt = samples.receiptOf(market, name)
    if (receipt === undefined) throw new Error(`no ${market} ${name}`)
    const shop = SHOPS[Math.floor(at / SAME_SHOP) % SHOPS.length]
    const branding = { ...NO_BRANDING, ...shop, hospitality: at % 5 === 0 }
    const { wallets } = branding
    const links = { ...LINKS, files: [], apps: [], ...(wallets && { wallets }) }
    const wish = { language: languageOf(market), links }
    const html = (await drawn({ ...receipt, branding }, 'html', wish)).toString()
    pages.push({ market, label: `${market} ${name}`, html })
  }
  return pages
}

/** More than fifty of every country, with nearly every kind: another kind of each country. */
export const someOf = (pages: readonly SamplePage[]): SamplePage[] =>
  pages.filter((_, at) => at % SAME_SHOP === 0)
