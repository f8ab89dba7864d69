// A letter as an e-mail of two parts and an attachment, and as the text of a short message.
import type DKIM from 'nodemailer/lib/dkim'
import type MailComposer from 'nodemailer/lib/mail-composer'
import { escapeHtml } from '../lib/html.js'
import { late } from '../lib/late.js'
import { light } from '../lib/look.js'
import { cardHtml, cardText, coloursOf, LOGO_ID } from './card.js'
import { LONGEST_LINE, oneLine } from './one-line.js'
import type { Attachment, Card, Letter, Outgoing } from './transport.js'

const mailComposer = late<typeof MailComposer>('nodemailer/lib/mail-composer')
const signer = late<typeof DKIM>('nodemailer/lib/dkim')

/** `Shop <receipts@shop.example>` or the address alone. */
export interface Sender {
  name: string
  address: string
  /** Signs as this domain; left out: nothing is signed. */
  dkim?: DkimKey | undefined
}

/** RFC 6376 */
export interface DkimKey {
  domain: string
  selector: string
  /** PEM, RSA. */
  privateKey: string
}

export function senderOf(text: string): Sender {
  const parts = /^(.*)<([^<>]+)>\s*$/.exec(text)
  const name = oneLine(parts?.[1] ?? '').replace(/^"(.*)"$/, '$1')
  return { name, address: (parts?.[2] ?? text).trim() }
}

/** The same in every try: whoever takes it can see that it is one. */
export function messageId({ id }: Pick<Outgoing, 'id'>, { address }: Sender): string {
  return `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`
}

/** The whole e-mail; equal bytes for equal letters, except for the borders of its parts. */
export async function mailOf(outgoing: Outgoing, from: Sender): Promise<Buffer> {
  const { letter, to, createdAt } = outgoing
  const { attachment, documents = [] } = letter
  const files = attachment === null ? documents : [attachment, ...documents]
  const composer = new (mailComposer())({
    // the address stays that of the server: only for it may others be asked
    from: { name: oneLine(letter.card?.merchant[0] ?? '') || from.name, address: from.address },
    to: { name: '', address: to },
    subject: oneLine(letter.subject),
    date: createdAt,
    messageId: messageId(outgoing, from),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letter.language },
    text: textOf(letter),
    html: htmlOf(letter),
    attachments: [...logoOf(letter.card), ...files.map(attached)],
    newline: '\r\n',
    // a letter is bytes in memory: nothing in it makes the program read a file or an address
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const mail = await composer.compile().build()
  return from.dkim === undefined ? mail : signed(mail, from.dkim)
}

async function signed(mail: Buffer, { domain, selector, privateKey }: DkimKey): Promise<Buffer> {
  const dkim = new (signer())({ domainName: domain, keySelector: selector, privateKey })
  const pieces: Buffer[] = []
  for await (const piece of dkim.sign(mail)) pieces.push(Buffer.from(piece as Buffer))
  return Buffer.concat(pieces)
}

function attached({ filename, contentType, bytes }: Attachment) {
  return { filename: oneLine(filename), contentType, content: bytes }
}

/** Beside the letter, not among its files. */
function logoOf(card: Card | undefined) {
  const logo = card?.logo
  if (logo === undefined) return []
  const filename = `logo.${logo.type === 'image/png' ? 'png' : 'jpg'}`
  const inside = { contentDisposition: 'inline' as const, cid: LOGO_ID }
  return [{ filename, contentType: logo.type, content: logo.data, ...inside }]
}

export function textOf(letter: Letter): string {
  const { card, paragraphs, quote = [], afterQuote = [], link, closing = [], footer } = letter
  const parts = [...(card === undefined ? [] : cardText(card)), ...paragraphs.map(oneLine)]
  if (quote.length > 0)
    parts.push(
      quotedLines(quote)
        .map((text) => `> ${text}`)
        .join('\n'),
    )
  parts.push(...afterQuote.map(oneLine))
  if (link !== null) parts.push(`${oneLine(link.label)}:\n${link.url}`)
  parts.push(...closing.map(oneLine))
  return `${[...parts, `-- \n${oneLine(footer)}`].join('\n\n')}\n`
}

/** A short message has no subject and no small print. */
export function shortTextOf({ subject, link }: Letter): string {
  return link === null ? oneLine(subject) : `${oneLine(subject)}\n${link.url}`
}

const PAGE = 'font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:1.5rem auto;padding:0 1rem'
const BUTTON =
  'display:inline-block;padding:.7rem 1.2rem;border-radius:.4rem;text-decoration:none;' +
  'font-weight:600'
/** Programs that know both draw it for each; in all others no text has a colour of its own. */
const SCHEMES =
  '<meta name="color-scheme" content="light dark">' +
  '<meta name="supported-color-schemes" content="light dark">'

const QUOTE = `margin:1rem 0;padding:.2rem 1rem;border-left:4px solid ${light('line')}`

function htmlOf(letter: Letter): string {
  const { language, subject, paragraphs, quote = [], afterQuote = [], closing = [] } = letter
  const { card, link, footer } = letter
  const text = (value: string): string => escapeHtml(oneLine(value))
  const paragraph = (value: string): string => `<p>${text(value)}</p>`
  const parts = [...(card === undefined ? [] : [cardHtml(card)]), ...paragraphs.map(paragraph)]
  const { primary, background } = coloursOf(card)
  // its edge is seen also where its ground is as pale, or as dark, as the page
  const filled = `${BUTTON};background:${background};color:${primary};border:2px solid ${primary}`
  if (quote.length > 0) {
    const lines = quotedLines(quote).map(escapeHtml).join('<br>')
    parts.push(`<blockquote style="${QUOTE}">${lines}</blockquote>`)
  }
  parts.push(...afterQuote.map(paragraph))
  if (link !== null) {
    const url = escapeHtml(link.url)
    parts.push(`<p><a href="${url}" style="${filled}">${text(link.label)}</a></p>`)
    parts.push(`<p style="font-size:13px;word-break:break-all">${url}</p>`)
  }
  parts.push(...closing.map(paragraph))
  return (
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width">${SCHEMES}` +
    `<title>${text(subject)}</title></head><body><div style="${PAGE}">${parts.join('')}` +
    `<p style="font-size:13px;opacity:.8">${text(footer)}</p></div></body></html>`
  )
}

/** A line that is longer than others may be becomes several. */
function quotedLines(quote: readonly string[]): string[] {
  return quote.flatMap((text) => {
    const whole = [...text.toWellFormed()]
    const count = Math.max(1, Math.ceil(whole.length / LONGEST_LINE))
    return Array.from({ length: count }, (_, at) =>
      oneLine(whole.slice(at * LONGEST_LINE, (at + 1) * LONGEST_LINE).join('')),
    )
  })
}
