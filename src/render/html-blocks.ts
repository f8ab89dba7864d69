// The blocks of the receipt page that tell of the sale: merchant, head, items, tax, payments. Every
// text of the receipt is escaped here.
import { contrastOf, LEAST_CONTRAST, SEEN_CONTRAST } from '../lib/colours.js'
import { escapeHtml as e } from '../lib/html.js'
import { DARK, LIGHT } from './page-style.js'
import { documentNumber, sumOf, toldUnder } from './summary.js'
import type { VatRow } from './vat.js'
import type { ItemView, PaymentView, ReceiptView } from './view.js'

/** Text of strangers may run from right to left. */
const AUTO = ' dir="auto"'

/** A longer one is smaller: total and actions stay on the first screen. */
const LONG_NAME = 40

export function merchantBlock({ merchant, logo, colours }: ReceiptView): string {
  const [name, ...address] = merchant
  if (name === undefined) return ''
  const rest = address.map((line) => `<p${AUTO}>${e(line)}</p>`).join('')
  const image = logo === undefined ? '' : logoImage(logo, name)
  const size = name.length > LONG_NAME ? ' long' : ''
  const title = `<p class="name${size}"${AUTO}>${e(name)}</p>`
  const pair = pairOf(colours)
  const style =
    pair === undefined ? '' : ` style="background:${pair.background};color:${pair.primary}"`
  const looks = [...(pair === undefined ? [] : ['branded']), ...groundOf(logo)].join(' ')
  const kind = looks === '' ? '' : ` class="${looks}"`
  return `<header id="merchant"${kind}${style}>${image}${title}${rest}</header>`
}

/** Of a logo that can be seen on one ground only. */
function groundOf(logo: ReceiptView['logo']): string[] {
  return logo?.ground === undefined ? [] : [`on-${logo.ground}`]
}

function logoImage(logo: NonNullable<ReceiptView['logo']>, name: string): string {
  const { type, data, width, height } = logo
  const source = `data:${type};base64,${data.toString('base64')}`
  return `<img src="${source}" alt="${e(name)}" width="${width}" height="${height}">`
}

const COLOUR = /^#[0-9a-f]{6}$/i

/** Both or none: only the pair was checked to be readable. */
function pairOf(colours: ReceiptView['colours']): ReceiptView['colours'] {
  if (colours === undefined) return undefined
  return COLOUR.test(colours.primary) && COLOUR.test(colours.background) ? colours : undefined
}

/** The merchant's colour for links and buttons, where it can be read on the page. */
export function brandStyle({ colours }: ReceiptView): string {
  const pair = pairOf(colours)
  if (pair === undefined) return ''
  const { primary, background } = pair
  const on = ({ paper, link }: typeof LIGHT): string => {
    const fits = [background, primary].find((one) => contrastOf(one, paper) >= LEAST_CONTRAST)
    // a button has to be seen as one: else the pair changes sides
    const seen = contrastOf(background, paper) >= SEEN_CONTRAST
    const [fill, ink] = seen ? [background, primary] : [primary, background]
    return `:root{--fill:${fill};--fill-ink:${ink};--act:${fits ?? link}}`
  }
  const dark = `@media screen and (prefers-color-scheme:dark){${on(DARK)}}`
  return `<style>${on(LIGHT)}${dark}</style>`
}

/** A longer one is smaller, for the same reason. */
const LONG_MARK = 60

export function paragraphs(texts: readonly string[], id: string): string {
  if (texts.length === 0) return ''
  const size = texts.some((text) => text.length > LONG_MARK) ? ' class="long"' : ''
  const inner = texts.map((text) => `<p${AUTO}>${e(text)}</p>`).join('')
  return `<div id="${id}"${size}>${inner}</div>`
}

export function lines(texts: readonly string[], id = ''): string {
  if (texts.length === 0) return ''
  const name = id === '' ? '' : ` id="${id}"`
  return `<div${name} class="lines"${AUTO}>${e(texts.join('\n'))}</div>`
}

/** What a customer looks for first: how much, when, how it was paid, and keeping it. */
export function summaryBlock(view: ReceiptView, actions: string): string {
  const { title, facts } = view
  const { number, own } = documentNumber(view)
  // a title breaks between its words alone
  const name = e(title).replaceAll('-', '\u2011')
  const heading = number === '' ? name : `${name} <bdi>${e(number)}</bdi>`
  const amount = sumOf(view)
  const sum = amount === '' ? '' : `<p id="sum"${letters(amount)}>${e(amount)}</p>`
  const told = toldUnder(view).map((one) => `<bdi>${e(one)}</bdi>`)
  const under = told.length === 0 ? '' : `<p id="when">${told.join(' · ')}</p>`
  const rows = facts.filter((fact) => fact.is === undefined && fact !== own)
  const list = rows.map(({ label, value }) => row(label, value)).join('')
  const more = list === '' ? '' : `<dl class="rows">${list}</dl>`
  return `<section id="summary"><h1>${heading}</h1>${sum}${under}${actions}${more}</section>`
}

/** How many letters must have room on one line (page-style.ts). */
const letters = (text: string): string => ` style="--letters:${text.length}"`

/** Folded on a screen, open on paper: what only the shop and its examiner ask for. */
export function technicalBlock(view: ReceiptView): string {
  const { facts, words } = view
  const whole = documentNumber(view).own === undefined ? undefined : 'number'
  const rows = facts.filter(({ is }) => is === 'technical' || (is !== undefined && is === whole))
  if (rows.length === 0) return ''
  const list = rows.map(({ label, value }) => row(label, value)).join('')
  return (
    `<details id="technical"><summary>${e(words.technical)}</summary>` +
    `<dl class="rows">${list}</dl></details>`
  )
}

/** Longer values stand below their label in any case; others where there is no room beside it. */
const LONG_VALUE = 32

export function row(label: string, value: string, onScreen = false): string {
  const looks = [...(value.length > LONG_VALUE ? ['wide'] : []), ...(onScreen ? ['screen'] : [])]
  const kind = looks.length === 0 ? '' : ` class="${looks.join(' ')}"`
  return `<div${kind}><dt>${e(label)}</dt><dd${AUTO}>${e(value)}</dd></div>`
}

export function customerBlock({ customer, words }: ReceiptView): string {
  if (customer.length === 0) return ''
  const text = customer.map((line) => `<p${AUTO}>${e(line)}</p>`).join('')
  return `<section id="customer"><h2>${e(words.customer)}</h2>${text}</section>`
}

export function itemTable({ items, words }: ReceiptView): string {
  if (items.length === 0) return ''
  const names = [words.item, words.amount, words.letter]
  const head = names.map((name) => `<th scope="col">${e(name)}</th>`).join('')
  const rows = items.map(itemRow).join('\n')
  return (
    `<section><h2 class="unseen">${e(words.items)}</h2><table id="items">` +
    `<thead class="unseen"><tr>${head}</tr></thead><tbody>${rows}</tbody></table></section>`
  )
}

/** An amount that is longer may break rather than push the others out of the page. */
const LONG_AMOUNT = 22
const longMark = (amount: string): string => (amount.length > LONG_AMOUNT ? ' class="long"' : '')

function itemRow(item: ItemView): string {
  const { description, lines: below, detail, letter, amount, belongs, notes } = item
  const text =
    e(description) +
    below.map((line) => `<small${AUTO}>${e(line)}</small>`).join('') +
    // in its own direction, also below a description from right to left
    (detail === '' ? '' : `<small><bdi dir="ltr">${e(detail)}</bdi></small>`) +
    notes.map((note) => `<small class="note">${e(note)}</small>`).join('')
  return (
    `<tr${belongs ? ' class="belongs"' : ''}><th scope="row"${AUTO}>${text}</th>` +
    `<td${longMark(amount)}>${e(amount)}</td><td>${e(letter)}</td></tr>`
  )
}

export function totalLine(view: ReceiptView): string {
  const { total, words } = view
  const name = e(words.total)
  return `<p id="total"${letters(total)}><span>${name}</span><span>${e(total)}</span></p>`
}

export function vatBlock(view: ReceiptView): string {
  const { vat, taxNotes, words } = view
  const notes = taxNotes.map((note) => `<p>${e(note)}</p>`).join('')
  if (vat.length === 0) return notes === '' ? '' : `<section id="vat">${notes}</section>`
  const names = [words.letter, words.rate, words.net, words.tax, words.gross]
  if (vat.some(isWide)) return `<section id="vat">${stackedVat(view)}${notes}</section>`
  const head = names.map((name) => `<th scope="col">${e(name)}</th>`).join('')
  const rows = vat.map(({ letter, rate, net, tax, gross }) => {
    const cells = [rate, net, tax, gross].map((cell) => `<td>${e(cell)}</td>`).join('')
    return `<tr><th scope="row">${e(letter)}</th>${cells}</tr>`
  })
  return (
    `<section id="vat"><h2 class="unseen">${e(words.rate)}</h2><table><thead><tr>${head}</tr>` +
    `</thead><tbody>${rows.join('')}</tbody></table>${notes}</section>`
  )
}

/** Letters of rate and amounts that fit beside each other on every screen. */
const MOST_BESIDE = 24

function isWide({ rate, net, tax, gross }: VatRow): boolean {
  return rate.length + net.length + tax.length + gross.length > MOST_BESIDE
}

/** Each number beside its name: none of them breaks. */
function stackedVat({ vat, words }: ReceiptView): string {
  const groups = vat.map(({ letter, rate, net, tax, gross }) => {
    const rows =
      row(`${words.rate} ${letter}`, rate) +
      row(words.net, net) +
      row(words.tax, tax) +
      row(words.gross, gross)
    return `<dl class="rows">${rows}</dl>`
  })
  return `<h2 class="unseen">${e(words.rate)}</h2>${groups.join('')}`
}

export function paymentList({ payments, words }: ReceiptView): string {
  if (payments.length === 0) return ''
  const rows = payments.map(({ description, amount, note }) => {
    const small = note === '' ? '' : `<small${AUTO}>${e(note)}</small>`
    const sum = `<dd${longMark(amount)}>${e(amount)}</dd>`
    return `<dt${AUTO}>${e(description)}${small}</dt>${sum}`
  })
  const head = `<h2 class="unseen">${e(words.paid)}</h2>`
  return `<section id="payments">${head}<dl>${rows.join('')}</dl></section>`
}

export function cardReceipts({ payments }: ReceiptView): string {
  const cards = payments.filter((payment) => payment.lines.length > 0).map(cardReceipt)
  return cards.length === 0 ? '' : `<section id="payreceipt">${cards.join('')}</section>`
}

function cardReceipt({ description, amount, lines: card }: PaymentView): string {
  const heading = `<h2${AUTO}>${e(description)} ${e(amount)}</h2>`
  return `${heading}<div class="lines card">${e(card.join('\n'))}</div>`
}

/** To be filled in by hand, on paper. `beside`: on a screen the guest has a form to type in. */
export function hospitalityForm(view: ReceiptView, beside: boolean): string {
  const { hospitality, total, words } = view
  if (!hospitality) return ''
  const names = [words.guests, words.occasion]
  const empty = (name: string): string => `<dt>${e(name)}</dt><dd></dd>`
  const rows =
    names.map(empty).join('') +
    `<dt>${e(words.amount)}</dt><dd>${e(total)}</dd>` +
    [words.tipGiven, words.placeAndDay, words.signed].map(empty).join('')
  return (
    `<details id="hospitality"${beside ? ' class="paper"' : ''}>` +
    `<summary>${e(words.hospitality)}</summary>` +
    `<dl>${rows}</dl></details>`
  )
}
