// The receipt in an e-mail, at a glance: tables, and styles in the tags, as mail programs want it.
import { escapeHtml } from '../lib/html.js'
import { light } from '../lib/look.js'
import { oneLine } from './one-line.js'
import type { Card } from './transport.js'

/** Of the house; readable on each other in light and dark. */
export const HOUSE = { primary: light('on-accent'), background: light('accent') }

const COLOUR = /^#[0-9a-f]{6}$/i

/** Both or none: only the pair was checked to be readable. */
export function coloursOf(card: Card | undefined): { primary: string; background: string } {
  const given = card?.colours
  if (given === undefined) return HOUSE
  return COLOUR.test(given.primary) && COLOUR.test(given.background) ? given : HOUSE
}

const CELL = 'padding:6px 0;vertical-align:top;border-top:1px solid #8a949066'

export function cardHtml(card: Card): string {
  const { merchant, title, sum, under, lines, more } = card
  const text = (value: string): string => escapeHtml(oneLine(value))
  const { primary, background } = coloursOf(card)
  const [name = '', ...address] = merchant
  const below = address.map((line) => `<br><span style="font-size:14px">${text(line)}</span>`)
  const rows = lines.map(
    (line) =>
      `<tr><td style="${CELL};text-align:left" dir="auto">${text(line.text)}</td>` +
      `<td style="${CELL};text-align:right;white-space:nowrap;padding-left:12px">` +
      `${text(line.amount)}</td></tr>`,
  )
  const rest =
    more === '' ? '' : `<tr><td colspan="2" style="${CELL};text-align:left">${text(more)}</td></tr>`
  const table =
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ' +
    'style="border-collapse:collapse'
  return (
    `${table};margin:0 0 16px"><tr><td bgcolor="${background}" style="background:${background};` +
    `color:${primary};border-radius:10px;padding:18px 16px;text-align:center;font-size:20px;` +
    `line-height:1.35;font-weight:700" dir="auto">${text(name)}` +
    `<span style="font-weight:400">${below.join('')}</span></td></tr>` +
    `<tr><td style="padding:16px 0 4px;text-align:center">${text(title)}` +
    (sum === '' ? '' : `<br><b style="font-size:36px;line-height:1.25">${text(sum)}</b>`) +
    `<br>${text(under)}</td></tr></table>` +
    (lines.length === 0 ? '' : `${table};margin:0 0 16px">${rows.join('')}${rest}</table>`)
  )
}

/** The same for readers of plain text, in the order of the page. */
export function cardText({ merchant, title, sum, under, lines, more }: Card): string[] {
  const list = lines.map(({ text, amount }) => `${oneLine(text)}  ${oneLine(amount)}`.trimEnd())
  return [
    merchant.map(oneLine).join('\n'),
    [title, sum, under]
      .map(oneLine)
      .filter((line) => line !== '')
      .join('\n'),
    [...list, ...(more === '' ? [] : [oneLine(more)])].join('\n'),
  ].filter((part) => part !== '')
}
