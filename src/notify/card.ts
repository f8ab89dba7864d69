// The receipt in an e-mail, at a glance: tables, and styles in the tags, as mail programs want it.
import { escapeHtml } from '../lib/html.js'
import { dark, light } from '../lib/look.js'
import type { Logo } from '../model/branding.js'
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

/** By which the letter names the picture that comes with it. */
export const LOGO_ID = 'logo@receipt'

/**
 * Ground and writing of the head: the merchant's; without them, where there is a logo, what that is
 * seen on, which may be whatever the reader's program has.
 */
function headStyle(card: Card): string {
  const { logo } = card
  const own = coloursOf(card)
  if (logo === undefined || own !== HOUSE) return painted(own.background, own.primary)
  if (logo.ground === 'dark') return painted(dark('paper'), dark('ink'))
  return logo.ground === 'light' ? painted(light('raised'), light('ink')) : '<td style="'
}

const painted = (ground: string, writing: string): string =>
  `<td bgcolor="${ground}" style="background:${ground};color:${writing};`

function logoImage({ width, height }: Logo, name: string): string {
  return (
    `<img src="cid:${LOGO_ID}" alt="${escapeHtml(oneLine(name))}" width="${width}" ` +
    `height="${height}" style="display:block;margin:0 auto 10px;max-width:100%;height:auto">`
  )
}

const CELL = 'padding:6px 0;vertical-align:top;border-top:1px solid #8a949066'

export function cardHtml(card: Card): string {
  const { merchant, title, sum, under, lines, more } = card
  const text = (value: string): string => escapeHtml(oneLine(value))
  const [name = '', ...address] = merchant
  const below = address.map((line) => `<br><span style="font-size:14px">${text(line)}</span>`)
  const rows = lines.map(
    (line) =>
      `<tr><td style="${CELL};text-align:left" dir="auto">${text(line.text)}</td>` +
      `<td style="${CELL};text-align:right;white-space:nowrap;padding-left:12px">` +
      `${text(line.amount)}</td></tr>`,
  )
  const image = card.logo === undefined ? '' : logoImage(card.logo, name)
  const rest =
    more === '' ? '' : `<tr><td colspan="2" style="${CELL};text-align:left">${text(more)}</td></tr>`
  const table =
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ' +
    'style="border-collapse:collapse'
  return (
    `${table};margin:0 0 16px"><tr>${headStyle(card)}` +
    'border-radius:10px;padding:18px 16px;text-align:center;font-size:20px;' +
    `line-height:1.35;font-weight:700" dir="auto">${image}${text(name)}` +
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
