// Letters as e-mails: whatever stands in them, there are the headers and parts that we write, and
// the reader sees text.
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { mailOf, senderOf, shortTextOf, textOf } from '../../src/notify/compose.js'
import type { Letter, Outgoing } from '../../src/notify/transport.js'
import { HandOverError } from '../../src/notify/transport.js'
import { filled, RECEIPT_LANGUAGES, WORDS } from '../../src/words/words.js'
import { NAUGHTY_STRINGS } from '../support/naughty-strings.js'

const FROM = senderOf('Belege <receipts@shop.example>')
const LINK = 'https://r.example/a/b?x=1&y=2'

function outgoing(letter: Partial<Letter> = {}, to = 'max@example.com'): Outgoing {
  return {
    ...{ id: '6a1f0b52-3f0e-4a35-9b5f-5f8f1f5d7c11', channel: 'email', to },
    createdAt: new Date('2026-01-31T10:15:00Z'),
    letter: {
      ...{ language: 'de', subject: 'Beleg', paragraphs: ['Guten Tag,'], footer: 'Ende.' },
      link: { label: 'Beleg ansehen', url: LINK },
      attachment: null,
      ...letter,
    },
  }
}

const NAMES = [
  ...['auto-submitted', 'content-language', 'content-type', 'date', 'from', 'message-id'],
  ...['mime-version', 'subject', 'to'],
]

async function parsed(letter: Partial<Letter>, to?: string) {
  const raw = (await mailOf(outgoing(letter, to), FROM)).toString('utf8')
  const email = await PostalMime.parse(raw)
  return { raw, email, names: email.headers.map(({ key }) => key).sort() }
}

const ATTACKS = [
  'x\r\nBcc: all@example.com',
  'x\nContent-Type: text/html\n\n<script>alert(1)</script>',
  'x\r\n\r\n--_NmP\r\n',
  'x\r\n.\r\nMAIL FROM:<evil@example.com>',
  '=?UTF-8?Q?x=0D=0ABcc:_all@example.com?=',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '" onmouseover="alert(1)',
  '\u202Egpj.exe',
  'x\u2028Bcc: all@example.com',
  'a'.repeat(100_000),
  '\ud800 half',
  '\u0000\u0007\u001b[31m',
]

describe('an e-mail', () => {
  it('has the same headers whatever stands in its texts', async () => {
    for (const text of [...ATTACKS, ...NAUGHTY_STRINGS]) {
      const attachment = { filename: text, contentType: 'text/plain', bytes: Buffer.from('x') }
      const { email, names, raw } = await parsed({
        ...{ subject: `Beleg ${text}`, paragraphs: [text], footer: text, attachment },
        link: { label: text, url: LINK },
      })
      expect(names, text).toEqual(NAMES)
      expect(email.to).toEqual([{ name: '', address: 'max@example.com' }])
      expect(email.attachments).toHaveLength(1)
      expect(email.messageId).toBe('<6a1f0b52-3f0e-4a35-9b5f-5f8f1f5d7c11@shop.example>')
      expect(email.html).not.toMatch(/<script|<img|<[^>]+ on\w+=/i)
      expect(email.html?.match(/<a /g)).toHaveLength(1)
      expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/)
      for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
    }
  })

  it('shows a receipt at a glance in both parts, whatever its texts are', async () => {
    for (const text of ['Melange & <b>Tee</b>', ...ATTACKS]) {
      const card = {
        ...{ merchant: ['Café', text], title: text, sum: '1,00 €', under: text, more: text },
        lines: [{ text, amount: '1,00' }],
        colours: { primary: 'red"><script>', background: '#123456' },
      }
      const { email, names } = await parsed({ card })
      expect(names, text).toEqual(NAMES)
      expect(email.from).toEqual({ name: 'Café', address: 'receipts@shop.example' })
      expect(email.html).not.toMatch(/<script|<img|<[^>]+ on\w+=/i)
      expect(email.html).toContain('1,00 €</b>')
      // colours of which one is none are not used
      expect(email.html).not.toContain('#123456')
      expect(email.text).toMatch(/^Café\n/)
    }
  })

  it('brings the logo of the merchant along, inside of the letter', async () => {
    const logo = { type: 'image/png' as const, data: Buffer.from('png'), width: 60, height: 30 }
    const rest = { title: '', sum: '', under: '', more: '', lines: [], colours: undefined }
    const attachment = { filename: 'b.pdf', contentType: 'application/pdf', bytes: Buffer.of(1) }
    const { email } = await parsed({ card: { merchant: ['A "b"'], ...rest, logo }, attachment })
    expect(email.html).toContain('<img src="cid:logo@receipt" alt="A &quot;b&quot;" width="60" ')
    expect(email.html).not.toMatch(/src="(?!cid:)/)
    expect(email.attachments).toMatchObject([
      { contentId: '<logo@receipt>', disposition: 'inline', related: true },
      { filename: 'b.pdf', disposition: 'attachment' },
    ])
    expect(Buffer.from(email.attachments[0]?.content as ArrayBuffer)).toEqual(logo.data)
  })

  it('names the merchant as the sender, and keeps the address of the server', async () => {
    const card = { merchant: ['X <evil@example.com>\r\nBcc: a@b.example'], lines: [] }
    const rest = { title: '', sum: '', under: '', more: '', colours: undefined }
    const { email, names } = await parsed({ card: { ...card, ...rest } })
    expect(names).toEqual(NAMES)
    expect(email.from?.address).toBe('receipts@shop.example')
  })

  it('says in both parts what the letter says', async () => {
    const subject = 'Gâteau & Søn: Beleg ft1#2 – 100 % „gut“'
    const { email } = await parsed({ subject, paragraphs: ['Grüße & <b>Küsse</b>'] })
    expect(email.subject).toBe(subject)
    expect(email.date).toBe('2026-01-31T10:15:00.000Z')
    expect(email.text).toContain('Grüße & <b>Küsse</b>\n\nBeleg ansehen:\n')
    expect(email.text).toContain(LINK)
    expect(email.html).toContain('<p>Grüße &amp; &lt;b&gt;Küsse&lt;/b&gt;</p>')
    expect(email.html).toContain('href="https://r.example/a/b?x=1&amp;y=2"')
  })

  it('carries an attachment byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256))
    const attachment = { filename: 'receipt-ft1-2.pdf', contentType: 'application/pdf', bytes }
    const { email } = await parsed({ attachment })
    const [only] = email.attachments
    expect(only).toMatchObject({
      ...{ filename: 'receipt-ft1-2.pdf', mimeType: 'application/pdf' },
      disposition: 'attachment',
    })
    expect(Buffer.from(only?.content as ArrayBuffer).equals(bytes)).toBe(true)
  })

  it('goes to an address with letters of any script', async () => {
    const { email } = await parsed({}, 'max@bücher.example')
    expect(email.to?.[0]?.address).toMatch(/^max@(bücher|xn--bcher-kva)\.example$/)
  })
})

describe('a sender', () => {
  it.each([
    ['receipts@shop.example', { name: '', address: 'receipts@shop.example' }],
    ['Belege <receipts@shop.example>', { name: 'Belege', address: 'receipts@shop.example' }],
    ['"Café, Wien" <a@b.example>', { name: 'Café, Wien', address: 'a@b.example' }],
  ])('%s is understood', (text, sender) => {
    expect(senderOf(text)).toEqual(sender)
  })
})

describe('words', () => {
  it.each(RECEIPT_LANGUAGES)('of %s are complete and leave no gap', (language) => {
    const words = WORDS[language].receiptMessage
    for (const text of [words.subject, words.text]) {
      expect(text).toContain('{company}')
      expect(text).toContain('{number}')
      expect(filled(text, { company: 'A {number} B', number: '7' })).toContain('A {number} B')
      expect(filled(text, { company: 'A', number: '' })).not.toMatch(/ {2}| [.,]| $/)
    }
    expect(Object.values(words).every((text) => text.trim() === text && text !== '')).toBe(true)
  })

  it('make a short message of subject and link', () => {
    expect(shortTextOf(outgoing({ subject: 'Café: Beleg\r\n7' }).letter)).toBe(
      `Café: Beleg 7\n${LINK}`,
    )
    expect(textOf(outgoing({ link: null }).letter)).toBe('Guten Tag,\n\n-- \nEnde.\n')
  })
})

describe('a reason', () => {
  it('names no address, number or link, whatever the other side has said', () => {
    const said =
      '550 5.1.1 <max@example.com>: +43 664 123 45 67 unknown,\r\nsee https://x.example/?u=max'
    expect(new HandOverError('never', said).message).toBe(
      '550 5.1.1 [address] [number] unknown, see [link]',
    )
  })
})
