// What was mended by looking at receipts of every kind on phones, screens and paper.
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { groundOf } from '../../src/core/receipts/branding/logo-ground.js'
import { smallLogo } from '../../src/core/receipts/branding/small-logo.js'
import { taskView } from '../../src/core/receipts/render.js'
import { createSamples } from '../../src/core/receipts/samples/samples.js'
import { factsOf } from '../../src/market/index.js'
import { NO_BRANDING } from '../../src/model/branding.js'
import { htmlReceipt } from '../../src/render/html.js'
import { languageOf } from '../../src/render/words.js'
import { drawn } from '../support/drawn.js'
import { LINKS } from '../support/receipt-scenes.js'

const samples = createSamples()

function pageOf(market: string, name: string, colours?: { primary: string; background: string }) {
  const receipt = samples.receiptOf(market, name)
  if (receipt === undefined) throw new Error(`${market} ${name}`)
  const branding = { ...NO_BRANDING, colours, wallets: ['apple' as const, 'google' as const] }
  const task = { receipt: { ...receipt, branding }, language: languageOf(market) }
  return htmlReceipt(taskView({ ...task, copy: false }, factsOf), {
    ...{ ...LINKS, wallets: branding.wallets },
  })
}

const headingOf = (html: string): string =>
  (/<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? '').replace(/<[^>]+>/g, '')

describe('a receipt of every kind', () => {
  it('has less than 60 kB, one heading and no number that can break', () => {
    for (const { market, name } of samples.list()) {
      const html = pageOf(market, name)
      expect(Buffer.byteLength(html), `${market} ${name}`).toBeLessThan(60_000)
      expect(html.match(/<h1>/g), `${market} ${name}`).toHaveLength(1)
      for (const [, sum = ''] of html.matchAll(/id="sum"[^>]*>([^<]*)</g)) {
        expect(sum, `${market} ${name}`).not.toMatch(/[ -]/)
      }
    }
  })

  it('bears the name that the law gives it, which is no warning', () => {
    const italian = pageOf('IT', 'cash')
    expect(headingOf(italian)).toBe('DOCUMENTO COMMERCIALE di vendita o prestazione 0001-0001')
    expect(italian).not.toContain('id="marks"')
    expect(pageOf('IT', 'void')).toMatch(/id="marks"[^>]*><p[^>]*>DOCUMENTO COMMERCIALE emesso/)
    expect(headingOf(pageOf('PT', 'cash'))).toMatch(/^Fatura simplificada FS \S+\/1$/)
    expect(headingOf(pageOf('PT', 'refund'))).toMatch(/^Nota de crédito NC /)
  })

  it('says no mark twice: the words of the law stand for those of the page', () => {
    let seen = 0
    for (const { market, name } of samples.list()) {
      const box = /<div id="marks">(.*?)<\/div>/s.exec(pageOf(market, name))?.[1] ?? ''
      const marks = [...box.matchAll(/<p[^>]*>(.*?)<\/p>/gs)].map(([, text = '']) =>
        text.toLowerCase(),
      )
      seen += marks.length
      for (const one of marks) {
        const again = marks.filter((other) => other.includes(one))
        expect(again, `${market} ${name}`).toEqual([one])
      }
    }
    expect(seen).toBeGreaterThan(20)
  })

  it('tells its number once; that of the queue is a technical line then', () => {
    for (const market of ['ES', 'GR', 'IT', 'PT']) {
      const html = pageOf(market, 'cash').replace(/<script[\s\S]*?<\/script>/g, '')
      const number = /<h1>.*<bdi>(.*?)<\/bdi><\/h1>/.exec(html)?.[1] ?? ''
      expect(number, market).not.toContain('#')
      const [head = '', technical = ''] = html.split('<details id="technical">')
      expect(head.split(`>${number}<`), market).toHaveLength(2)
      expect(technical, market).toContain(number)
    }
    expect(headingOf(pageOf('AT', 'cash'))).toBe('Beleg ft1#2')
  })

  it('folds what its code holds as well, and shows it where there is none', () => {
    const label = 'Signaturzähler'
    const folded = /<details><summary>[^<]*<\/summary><dl class="rows">.*?<\/details>/s
    expect(folded.exec(pageOf('DE', 'cash'))?.[0]).toContain(label)
    const closing = pageOf('DE', 'daily')
    expect(closing).toContain(label)
    expect(closing.replace(folded, '')).toContain(label)
  })
})

describe('signature items', () => {
  const textOf = async (market: string, name: string): Promise<string> => {
    const receipt = samples.receiptOf(market, name)
    if (receipt === undefined) throw new Error(`${market} ${name}`)
    return (await drawn(receipt, 'txt', { language: languageOf(market) })).toString()
  }

  it('keep the lines that they have, but for values beside their labels', async () => {
    const lines = '01-07-2026 12:01\nDOCUMENTO N. 0001-0001\nRT 99EMU560820\n'
    expect(pageOf('IT', 'cash')).toContain(`<p class="signature" dir="auto">${lines}`)
    expect(await textOf('IT', 'cash')).toContain(lines)
    // the items of an order lie behind each other there, with a line end between them
    expect(pageOf('DE', 'order')).toContain('1;&quot;Espresso&quot;;2.90 2;&quot;Cake&quot;;4.50')
  })

  it('that are messages for programs are folded, and on no paper', async () => {
    const page = pageOf('AT', 'yearly')
    const folded = /<details class="screen"><summary>[^<]*<\/summary>[\s\S]*?<\/details>/.exec(page)
    expect(folded?.[0]).toContain('FonVerifySignature')
    expect(page.replace(folded?.[0] ?? '', '')).not.toContain('FonVerifySignature')
    expect(await textOf('AT', 'yearly')).not.toContain('FonVerifySignature')
  })

  it('have no line of dashes for a caption, and say what a number is', async () => {
    expect(await textOf('PT', 'cash')).toMatch(/\n\nXRiD - Processado por programa/)
    expect(pageOf('GR', 'refund')).toMatch(/<dt>Σχετικό Μ.ΑΡ.Κ.<\/dt><dd[^>]*>400000000000002</)
    expect(pageOf('GR', 'refund').split('>400000000000002<')).toHaveLength(2)
    expect(pageOf('ES', 'void')).toMatch(/<dt>NIF<\/dt><dd[^>]*>B12345674</)
    expect(pageOf('ES', 'void')).not.toContain('IDEmisorFacturaAnulada')
  })
})

it('the button that stands out is seen as one, whatever the colours of the merchant', () => {
  const pale = pageOf('AT', 'cash', { primary: '#5a5a5a', background: '#eeeeee' })
  expect(pale).toContain('<style>:root{--fill:#5a5a5a;--fill-ink:#eeeeee;')
  // on a dark page that ground is seen, and black is not
  expect(pale).toMatch(/dark\)\{:root\{--fill:#eeeeee;/)
  const black = pageOf('AT', 'cash', { primary: '#ffffff', background: '#000000' })
  expect(black).toMatch(/<style>:root\{--fill:#000000;.*dark\)\{:root\{--fill:#ffffff;/)
})

describe('a logo', () => {
  const inColour = async (colour: string, holes: boolean) => {
    const canvas = createCanvas(60, 30)
    const context = canvas.getContext('2d')
    context.fillStyle = colour
    context.fillRect(0, 0, holes ? 20 : 60, 30)
    return smallLogo(canvas.toBuffer('image/png'))
  }

  it.each([
    ['#101010', true, 'light'],
    ['#f4f4f4', true, 'dark'],
    ['#d0402b', true, undefined],
    ['#ffffff', false, undefined],
  ] as const)('in %s, transparent: %s, is seen on %s', async (colour, holes, ground) => {
    expect(groundOf((await inColour(colour, holes)).data)).toBe(ground)
  })

  it('of before that nobody has judged has white behind it, a JPEG has its own', () => {
    expect(groundOf(createCanvas(4, 4).toBuffer('image/png'))).toBe('light')
    expect(groundOf(createCanvas(4, 4).toBuffer('image/jpeg'))).toBeUndefined()
  })

  it('judged and put in again stays the same, to the byte', async () => {
    const { data } = await inColour('#101010', true)
    expect((await smallLogo(data)).data.equals(data)).toBe(true)
  })
})
