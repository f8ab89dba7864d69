// What a guest can do on the page of a receipt without an account: have it sent, get a copy with
// details of the own, remember it on the device. Forms, for readers without script as well.

import { sha256 } from '../lib/hash.js'
import { escapeHtml as e } from '../lib/html.js'
import {
  type GuestField,
  INVOICE_FIELDS,
  LONGEST_ANSWER,
  MEAL_FIELDS,
  questionOf,
} from './guest.js'
import type { PageLinks } from './html-actions.js'
import { sumOf, toldUnder } from './summary.js'
import type { ReceiptView } from './view.js'

/** RFC 5321, 4.5.3.1.3, without the brackets. */
const LONGEST_EMAIL = 254

export function guestBlock(view: ReceiptView, links: PageLinks): string {
  const { words } = view
  const folds = [
    ...(links.hideShare ? [] : [fold(words.guestSend, sendForm(view, links))]),
    fold(words.guestInvoice, noteForm(view, links, INVOICE_FIELDS)),
    ...(view.sale ? [fold(words.hospitality, noteForm(view, links, MEAL_FIELDS))] : []),
  ]
  return (
    `<section id="guest" class="screen"><h2>${e(words.guest)}</h2>` +
    `${folds.join('')}${mineBlock(view, links)}</section>`
  )
}

function fold(title: string, content: string): string {
  return `<details><summary>${e(title)}</summary>${content}</details>`
}

/** Under the name and port by which the reader has come. */
function form(links: PageLinks, word: string, content: string): string {
  const action = `${new URL(links.address).pathname}/${word}`
  return `<form method="post" action="${e(action)}" accept-charset="utf-8">${content}</form>`
}

function sendForm({ words }: ReceiptView, links: PageLinks): string {
  const field =
    `<label>${e(words.guestEmail)}<input type="email" name="email" autocomplete="email" ` +
    `maxlength="${LONGEST_EMAIL}" required></label>`
  return form(links, 'send', field + hint(words.guestSendHint) + submit(words.guestSendNow))
}

function noteForm({ words }: ReceiptView, links: PageLinks, fields: readonly GuestField[]): string {
  const inputs = fields.map((field) => {
    const name = `name="${field}" maxlength="${LONGEST_ANSWER}"`
    const label = e(questionOf(field, words))
    return field === 'recipient' || field === 'guests'
      ? `<label>${label}<textarea ${name} rows="3"></textarea></label>`
      : `<label>${label}<input ${name} autocomplete="off"></label>`
  })
  return form(links, 'note', inputs.join('') + hint(words.guestNoteHint) + submit(words.guestMake))
}

const hint = (text: string): string => `<p class="hint">${e(text)}</p>`
const submit = (text: string): string => `<button>${e(text)}</button>`

/** The script keeps and shows the list; without it there is none. */
function mineBlock(view: ReceiptView, { address }: PageLinks): string {
  const { words, merchant, title, number } = view
  const shop = merchant[0] ?? ''
  const receipt = {
    // nobody can read from it which shops somebody goes to
    shop: sha256(shop).toString('base64url').slice(0, SHOP_LETTERS),
    path: new URL(address).pathname,
    name: `${title} ${number}`.trim(),
    told: [sumOf(view), ...toldUnder(view)].filter((one) => one !== '').join(' · '),
  }
  const data = Object.entries(receipt).map(([name, value]) => ` data-${name}="${e(value)}"`)
  return (
    `<div id="mine"${data.join('')} hidden><h3>${e(words.mine)}</h3>` +
    `<ul class="files"></ul>${hint(words.mineHint)}` +
    `<button type="button" class="keep">${e(words.mineKeep)}</button>` +
    `<button type="button" class="forget" hidden>${e(words.mineForget)}</button></div>`
  )
}

const SHOP_LETTERS = 16

/** What became of it: a page that leads back. */
export function guestAnswer(
  { title, text }: { title: string; text: string },
  back: { label: string; address: string },
): string {
  return (
    `<section class="missing"><h1>${e(title)}</h1><p role="status">${e(text)}</p>` +
    `<p><a href="${e(back.address)}">${e(back.label)}</a></p></section>`
  )
}
