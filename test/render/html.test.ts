// The receipt page as a text: its blocks and their order, and that no text of a receipt or of a
// merchant becomes anything but text. test/browser shows it to a browser.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/lib/hash.js'
import { NO_BRANDING } from '../../src/model/branding.js'
import { htmlReceipt, missingPage, type PageLinks, RECEIPT_POLICY } from '../../src/render/html.js'
import { viewOf } from '../../src/render/view.js'
import { wordsOf } from '../../src/render/words.js'
import { RECEIPT_LANGUAGES } from '../../src/words/words.js'
import { NAUGHTY_STRINGS } from '../support/naughty-strings.js'
import { austrian, publishedPair } from '../support/shown.js'

const LINKS: PageLinks = {
  address:
    'https://r.example/c719b59a-9ff0-491a-98a1-030776d8c46f/f838d7c8-3113-4c3a-914a-46d7de555d11',
  apps: [],
  query: '',
  files: [],
  hideShare: false,
  hideFeedback: false,
  pdfFirst: false,
}

/** A receipt that has `text` wherever a till can put one. */
function everywhere(text: string) {
  const t = JSON.stringify(text)
  const data = (name: string): string => JSON.stringify(`{"${name}":[${t}]}`)
  const request =
    `{"ftReceiptCase":${austrian(0x1n)},"cbReceiptReference":${t},"cbTerminalID":${t},` +
    `"cbPreviousReceiptReference":${t},"Currency":${t},"cbCustomer":{"CustomerName":${t},` +
    `"CustomerStreet":${t},"CustomerZip":${t},"CustomerCity":${t},"CustomerVATId":${t}},` +
    `"ftReceiptCaseData":${data('cbReceiptLines')},"cbChargeItems":[{"Description":${t},` +
    `"Unit":${t},"Quantity":2,"Amount":3,"ftChargeItemCaseData":${data('cbChargeItemLines')}}],` +
    `"cbPayItems":[{"Description":${t},"Amount":3,"ftPayItemCaseData":${data('Receipt')}}]}`
  const signature = (format: number): string =>
    `{"ftSignatureFormat":${format},"Caption":${t},"Data":${t}}`
  const formats = [1, 3, 0x1_0001, 0x2_0001, 0x3_0001, 0x4_0001, 0x5_0001]
  const response =
    `{"ftReceiptIdentification":${t},"ftCashBoxIdentification":${t},"ftReceiptHeader":[${t}],` +
    `"ftChargeLines":[${t}],"ftPayLines":[${t}],"ftReceiptFooter":[${t}],` +
    `"ftSignatures":[${formats.map(signature).join(',')}]}`
  const branding = {
    ...NO_BRANDING,
    footer: [text],
    website: text,
    colours: { primary: text, background: text },
    logo: { type: 'image/png' as const, data: Buffer.from('x'), width: 1, height: 1 },
  }
  return { ...publishedPair({ request, response }), merchant: [text, text], branding }
}

/** Around a hostile text, so that it is found again. */
const [BEGIN, END] = ['qx1q', 'qx2q']

function hostile(text: string): string {
  const marked = `${BEGIN}${text}${END}`
  const href = `https://x.example/?${marked}`
  const links = { ...LINKS, apps: [{ name: marked, href }], feedback: href }
  return htmlReceipt(viewOf(everywhere(marked), 'de'), links)
}

/** Signs of markup within the text, wherever it stands; data for programs is looked at apart. */
function faultsOf(html: string): string[] {
  const shown = html.replace(/<script type="application\/ld\+json">.*?<\/script>/s, '')
  const between = new RegExp(`${BEGIN}((?:(?!${BEGIN}).)*?)${END}`, 'gs')
  // a line end within a line makes two lines of it
  const found = [...shown.replaceAll('</small><small dir="auto">', '\n').matchAll(between)]
  expect(found.length).toBeGreaterThan(20)
  return found.map(([, text = '']) => text).filter((text) => /[<>"']/.test(text))
}

const STRANGE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

describe('hostile texts in every field', () => {
  it.each(NAUGHTY_STRINGS.map((text) => [text.slice(0, 40), text]))(
    '%j stays text',
    (_name, text) => {
      const html = hostile(text)
      expect(faultsOf(html)).toEqual([])
      expect(html.match(/<script/g)).toHaveLength(2)
      expect(html.match(/<\/script>/g)).toHaveLength(2)
      expect(html).not.toMatch(/<a[^>]* href="(?!https?:\/\/|mailto:\?)/)
      expect(html.isWellFormed()).toBe(true)
      expect(html.replaceAll('\n', '')).not.toMatch(STRANGE)
    },
  )

  it('random texts of markup stay text', () => {
    const signs = [
      '<',
      '>',
      '"',
      "'",
      '&',
      '/',
      'script',
      '--',
      '!',
      ' onload=',
      ';',
      'a',
      '}',
      '\\',
    ]
    const markup = fc.array(fc.constantFrom(...signs), { maxLength: 20 })
    fc.assert(
      fc.property(markup, (parts) => {
        const html = hostile(parts.join(''))
        expect(faultsOf(html)).toEqual([])
        expect(html.match(/<\/script>/g)).toHaveLength(2)
      }),
      { numRuns: 200 },
    )
  })

  it('an address of a merchant leads to a page or nowhere', () => {
    const evil = [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '//x.example',
      '',
    ]
    for (const website of evil) {
      const pair = { ...publishedPair(), branding: { ...NO_BRANDING, website } }
      const links = { ...LINKS, apps: [{ name: 'x', href: website }], feedback: website }
      const hrefs = [...htmlReceipt(viewOf(pair, 'de'), links).matchAll(/<a[^>]* href="([^"]*)"/g)]
      for (const [, href] of hrefs) expect(href).toMatch(/^(https:\/\/r\.example\/|mailto:\?)/)
    }
  })

  it('colours that are none are not used', () => {
    const colours = { primary: 'red;background:url(//x)', background: '#fff' }
    const pair = { ...publishedPair(), branding: { ...NO_BRANDING, colours } }
    const html = htmlReceipt(viewOf(pair, 'de'), LINKS)
    expect(html).not.toMatch(/style="(?!--letters:\d+")/)
    expect(html).not.toContain('url(')
  })
})

describe('the page', () => {
  const items =
    '"cbChargeItems":[{"Description":"Melange","Amount":4.9,"VATRate":20}],' +
    '"cbPayItems":[{"Description":"Karte","Amount":4.9,' +
    '"ftPayItemCaseData":{"Receipt":["TA 1"]}}],' +
    '"cbCustomer":{"CustomerName":"Muster"},"ftReceiptCaseData":{"cbReceiptLines":["Danke"]},'
  const response =
    '{"ftReceiptIdentification":"ft1#","ftState":4707422694881099777,"ftReceiptFooter":["Ende"],' +
    '"ftSignatures":[{"ftSignatureFormat":3,"Data":"_R1-AT1_x"},' +
    '{"ftSignatureFormat":65537,"Data":"oben"},{"ftSignatureFormat":131073,"Data":"mitte"},' +
    '{"ftSignatureFormat":196609,"Data":"unten"}]}'
  const pair = publishedPair({
    request: `{${items}"ftReceiptCase":${austrian(0x2_0001n)}}`,
    response,
  })
  const html = htmlReceipt(viewOf(pair, 'de'), LINKS)

  it('has its blocks in the order of the specification', () => {
    const marks = [
      ...['id="merchant"', 'id="marks"', 'id="notices"', 'id="summary"', 'id="customer"', 'oben'],
      ...['id="items"', 'mitte', 'id="total"', 'id="vat"', 'unten', 'id="payments"', 'id="lines"'],
      ...['id="fiscal"', 'id="payreceipt"', 'id="footer"', 'id="actions"'],
    ]
    const places = marks.map((mark) => html.indexOf(mark))
    expect(places.every((place) => place > 0)).toBe(true)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(html.match(/<h1/g)).toHaveLength(1)
  })

  it('every column of a table has a head with a scope', () => {
    expect(html.match(/<th scope="col">/g)).toHaveLength(3 + 5)
    expect(html.match(/<th scope="row"/g)).toHaveLength(2)
  })

  it('the policy names the hash of the one script that it has', () => {
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? []
    const hash = sha256(script).toString('base64')
    expect(RECEIPT_POLICY).toBe(
      "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; " +
        `script-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    )
  })

  it('the script is the same on every page, whatever the receipt', () => {
    const other = htmlReceipt(viewOf(everywhere('</script><script>'), 'fr'), LINKS)
    const of = (page: string) => page.match(/<script>.*?<\/script>/gs)
    expect(of(other)).toEqual(of(html))
  })

  it('links: PDF, PNG, and a mail with the address in it', () => {
    expect(html).toContain(`href="${LINKS.address}/pdf"`)
    expect(html).toContain(`href="${LINKS.address}/png"`)
    const [, mail = ''] = /href="(mailto:[^"]*)"/.exec(html) ?? []
    const query = new URLSearchParams(mail.replace(/&amp;/g, '&').slice('mailto:?'.length))
    expect(query.get('subject')).toBe('Café Zentral: Beleg ft1#')
    expect(query.get('body')).toContain(LINKS.address)
  })

  it('apps and stars are links; the bits of f hide them', () => {
    const view = viewOf(pair, 'en')
    const links = {
      ...LINKS,
      apps: [{ name: 'Folder', href: 'https://app.example/in?src=ft' }],
      feedback: 'https://app.example/say?x=1',
    }
    const page = htmlReceipt(view, links)
    expect(page).toContain('Open with Folder')
    expect(page).toContain('href="https://app.example/say?x=1&amp;rating=5" rel="noopener')
    const hidden = htmlReceipt(view, { ...links, hideShare: true, hideFeedback: true })
    expect(hidden).not.toContain('app.example')
    expect(hidden).not.toContain('mailto:')
    expect(hidden).toContain('/pdf"')
    expect(page.match(/class="first"/g)).toHaveLength(1)
    expect(htmlReceipt(view, { ...links, pdfFirst: true })).toContain('class="first wide"')
  })

  it('a signature item whose caption is its data stands there once', () => {
    const signature = (caption: string) =>
      `{"ftSignatureFormat":1,"ftSignatureType":0,"Caption":"${caption}","Data":"Trainingsbuchung"}`
    const of = (caption: string) =>
      htmlReceipt(
        viewOf(publishedPair({ response: `{"ftSignatures":[${signature(caption)}]}` }), 'de'),
      )
    expect(of('Trainingsbuchung').match(/Trainingsbuchung/g)).toHaveLength(1)
    expect(of('Art')).toContain('<span>Art</span><br>Trainingsbuchung')
  })

  it('files that were put to it are links with their size, named as they are', () => {
    const files = [
      { name: 'a <b>"&.pdf', href: 'https://r.example/1', size: 999_000 },
      { name: 'b.png', href: 'https://r.example/2', size: 999_001 },
      { name: 'c.jpg', href: 'https://r.example/3', size: 10_485_760 },
    ]
    const page = htmlReceipt(viewOf(pair, 'de'), { ...LINKS, files })
    const [, list = ''] =
      /<section id="documents" class="screen">(.*?)<\/section>/s.exec(page) ?? []
    expect(list.match(/<bdi>.*?<\/bdi>/g)).toEqual([
      '<bdi>a &lt;b&gt;&quot;&amp;.pdf</bdi>',
      ...['<bdi>b.png</bdi>', '<bdi>c.jpg</bdi>'],
    ])
    expect(list.match(/<span>.*?<\/span>/g)).toEqual([
      ...['<span>999 kB</span>', '<span>1.000 kB</span>', '<span>10,5 MB</span>'],
    ])
    expect(htmlReceipt(viewOf(pair, 'de'), LINKS)).not.toContain('id="documents"')
  })

  it('structured data: a sale is an Invoice, training is not', () => {
    const dataOf = (page: string): Record<string, unknown> => {
      const [, json = '{}'] =
        /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? []
      return JSON.parse(json)
    }
    expect(dataOf(html)['@type']).toBe('CreativeWork')
    const sale = publishedPair({
      request: `{${items}"ftReceiptCase":${austrian(1n)}}`,
      response: '{"ftReceiptIdentification":"ft1#","ftReceiptMoment":"2026-07-01T10:15:00Z"}',
    })
    expect(dataOf(htmlReceipt(viewOf(sale, 'de')))).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Invoice',
      identifier: 'ft1#',
      provider: { name: 'Café Zentral', address: 'Ringstraße 1, 1010 Wien' },
      totalPaymentDue: { currency: 'EUR', value: '0.00' },
      referencesOrder: { orderDate: '2026-07-01T10:15:00.000Z' },
    })
    const evil = dataOf(htmlReceipt(viewOf(everywhere('</script><!--'), 'de')))
    expect(evil.identifier).toBe('</script><!--')
  })

  it('merchant settings: logo with the name as text, colours, form, footer, website', () => {
    const branding = {
      ...NO_BRANDING,
      logo: { type: 'image/png' as const, data: Buffer.from('abc'), width: 200, height: 80 },
      colours: { primary: '#ffffff', background: '#7a1f2b' },
      footer: ['Bis bald'],
      website: 'https://cafe.example/',
      hospitality: true,
    }
    const sale = publishedPair({ request: `{${items}"ftReceiptCase":${austrian(1n)}}` })
    const page = htmlReceipt(viewOf({ ...sale, branding }, 'de'), LINKS)
    expect(page).toContain(
      '<img src="data:image/png;base64,YWJj" alt="Café Zentral" width="200" height="80">',
    )
    expect(page).toContain('style="background:#7a1f2b;color:#ffffff"')
    expect(page).toContain('id="hospitality"')
    expect(page).toContain('href="https://cafe.example/"')
    expect(page).toContain('Bis bald')
  })
})

describe('a receipt that is not there', () => {
  it.each(RECEIPT_LANGUAGES)(
    '%s: a page in the language of the reader, without script',
    (language) => {
      const page = missingPage(language)
      const { noReceipt, noReceiptHint } = wordsOf(language)
      expect(page).toContain(`<html lang="${language}">`)
      expect(page).toContain(`<h1>${noReceipt}</h1>`)
      expect(page).toContain(noReceiptHint)
      expect(page).not.toContain('<script')
    },
  )
})
