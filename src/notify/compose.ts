// A letter as an e-mail of two parts and an attachment, and as the text of a short message.
import MailComposer from 'nodemailer/lib/mail-composer'
import { escapeHtml } from '../lib/html.js'
import type { Attachment, Letter, Outgoing } from './transport.js'

/** `Shop <receipts@shop.example>` or the address alone. */
export interface Sender {
  name: string
  address: string
}

export function senderOf(text: string): Sender {
  const parts = /^(.*)<([^<>]+)>\s*$/.exec(text)
  const name = line(parts?.[1] ?? '').replace(/^"(.*)"$/, '$1')
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
  const composer = new MailComposer({
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    subject: line(letter.subject),
    date: createdAt,
    messageId: messageId(outgoing, from),
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': letter.language },
    text: textOf(letter),
    html: htmlOf(letter),
    attachments: files.map(attached),
    newline: '\r\n',
    // a letter is bytes in memory: nothing in it makes the program read a file or an address
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

function attached({ filename, contentType, bytes }: Attachment) {
  return { filename: line(filename), contentType, content: bytes }
}

export function textOf(letter: Letter): string {
  const { paragraphs, quote = [], afterQuote = [], link, closing = [], footer } = letter
  const parts = paragraphs.map(line)
  if (quote.length > 0)
    parts.push(
      quotedLines(quote)
        .map((text) => `> ${text}`)
        .join('\n'),
    )
  parts.push(...afterQuote.map(line))
  if (link !== null) parts.push(`${line(link.label)}:\n${link.url}`)
  parts.push(...closing.map(line))
  return `${[...parts, `-- \n${line(footer)}`].join('\n\n')}\n`
}

/** A short message has no subject and no small print. */
export function shortTextOf({ subject, link }: Letter): string {
  return link === null ? line(subject) : `${line(subject)}\n${link.url}`
}

const PAGE = 'font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:1.5rem auto;padding:0 1rem'
const BUTTON =
  'display:inline-block;padding:.7rem 1.2rem;border-radius:.4rem;background:#1b4d3e;' +
  'color:#ffffff;text-decoration:none;font-weight:600'

const QUOTE = 'margin:1rem 0;padding:.2rem 1rem;border-left:4px solid #d8dfdc'

function htmlOf(letter: Letter): string {
  const { language, subject, paragraphs, quote = [], afterQuote = [], closing = [] } = letter
  const { link, footer } = letter
  const text = (value: string): string => escapeHtml(line(value))
  const paragraph = (value: string): string => `<p>${text(value)}</p>`
  const parts = paragraphs.map(paragraph)
  if (quote.length > 0) {
    const lines = quotedLines(quote).map(escapeHtml).join('<br>')
    parts.push(`<blockquote style="${QUOTE}">${lines}</blockquote>`)
  }
  parts.push(...afterQuote.map(paragraph))
  if (link !== null) {
    const url = escapeHtml(link.url)
    parts.push(`<p><a href="${url}" style="${BUTTON}">${text(link.label)}</a></p>`)
    parts.push(`<p style="font-size:13px;word-break:break-all">${url}</p>`)
  }
  parts.push(...closing.map(paragraph))
  return (
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width">' +
    `<title>${text(subject)}</title></head><body><div style="${PAGE}">${parts.join('')}` +
    `<p style="font-size:13px;color:#555555">${text(footer)}</p></div></body></html>`
  )
}

/** Characters that end a line, control a terminal or turn the direction of what follows. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu
const LONGEST_LINE = 500

/** A line that is longer than others may be becomes several. */
function quotedLines(quote: readonly string[]): string[] {
  return quote.flatMap((text) => {
    const whole = [...text.toWellFormed()]
    const count = Math.max(1, Math.ceil(whole.length / LONGEST_LINE))
    return Array.from({ length: count }, (_, at) =>
      line(whole.slice(at * LONGEST_LINE, (at + 1) * LONGEST_LINE).join('')),
    )
  })
}

/** Any text as one line of a header or a paragraph. */
function line(text: string): string {
  return text.toWellFormed().replace(UNSEEN, ' ').trim().slice(0, LONGEST_LINE).toWellFormed()
}
