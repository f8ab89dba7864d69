// A receipt as a page that needs nothing else: no script, no file, no font. Called by the groups
// that show receipts.
import { escapeHtml as e } from '../lib/html.js'
import { qrMatrix, qrSvg } from './qr.js'
import type { SignaturePlace, SignatureView } from './signatures.js'
import type { ItemView, PaymentView, ReceiptView } from './view.js'
import { type Language, wordsOf } from './words.js'

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2321; --soft: #55605d; --line: #d8dfdc;
  --paper: #fff; --desk: #eef2f0; --mark: #8a1c1c }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eeeb; --soft: #a3b0ab; --line: #33403b;
  --paper: #141a18; --desk: #0b0f0e; --mark: #ff9d9d } }
* { box-sizing: border-box }
body { margin: 0; background: var(--desk); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif }
main { max-width: 30rem; margin: 1.5rem auto; padding: 1.5rem 1.2rem; background: var(--paper);
  border-radius: .6rem; overflow-wrap: anywhere }
header { text-align: center; margin-bottom: 1rem } header p { margin: 0; color: var(--soft) }
header .name { font-size: 1.25rem; font-weight: 600; color: var(--ink) }
h1 { font-size: 1.05rem; margin: 1rem 0 .4rem }
.marks p { margin: .2rem 0; text-align: center; font-size: 1.2rem; font-weight: 600;
  color: var(--mark) }
dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; margin: .4rem 0 }
dt { color: var(--soft) } dd { margin: 0; text-align: right }
table { width: 100%; border-collapse: collapse; margin: .8rem 0 }
th { color: var(--soft); font-weight: 400; text-align: right; font-size: .9rem }
th:first-child, td:first-child { text-align: left }
td { text-align: right; vertical-align: top; padding: .25rem 0 .25rem .5rem }
td:first-child { padding-left: 0 } td.belongs { padding-left: 1rem }
tbody tr { border-top: 1px solid var(--line) }
small { display: block; color: var(--soft) }
.total { display: flex; justify-content: space-between; font-size: 1.3rem; font-weight: 600;
  border-top: 2px solid var(--ink); padding-top: .4rem; margin: .6rem 0 }
.lines { white-space: pre-wrap; margin: .6rem 0 }
.card { text-align: center; font-family: ui-monospace, monospace; font-size: .85rem }
.signature { margin: .6rem 0; font-size: .85rem } .signature span { color: var(--soft) }
.qr { display: block; width: 15rem; max-width: 100%; margin: .8rem auto; background: #fff }
footer { color: var(--soft); font-size: .85rem; text-align: center; margin-top: 1.2rem }
@media print { body, main { background: none; color: #000 } main { margin: 0; padding: 0 }
  .screen { display: none } }`

/** What the page may load: nothing but what is in it. */
export const RECEIPT_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "style-src 'unsafe-inline'",
].join('; ')

/** Most codes that are drawn; of further ones, and of too long ones, the text is shown. */
const MOST_CODES = 4
/** Three times the longest code of a law; greater ones take a tenth of a second to make. */
const MOST_CODE_BYTES = 1500

/** The whole page; every text of the receipt is escaped. */
export function htmlReceipt(view: ReceiptView): string {
  const { words } = view
  const at = signatureBlocks(view)
  const heading = [view.title, view.number].filter((one) => one !== '').join(' ')
  const body = [
    at('before-header'),
    header(view.merchant),
    paragraphs(view.marks, 'marks'),
    lines(view.header),
    `<h1>${e(heading)}</h1>`,
    facts(view.facts),
    lines(view.customer),
    at('after-header'),
    itemTable(view),
    lines(view.chargeLines),
    at('after-items'),
    `<p class="total"><span>${e(words.total)}</span><span>${e(view.total)}</span></p>`,
    vatTable(view),
    at('after-total'),
    paymentList(view.payments),
    lines([...view.payLines, ...view.receiptLines]),
    at('usual'),
    ...view.payments.map(cardReceipt),
    lines(view.footer),
    at('after-footer'),
    `<footer class="screen">${e(words.print)}</footer>`,
  ]
  const title = [view.merchant[0], heading].filter((one) => one !== undefined).join(': ')
  return page({ language: view.language, title, body: body.join('\n') })
}

/** For an address under which there is no receipt. */
export function missingPage(language: Language): string {
  const words = wordsOf(language)
  const body = `<h1>${e(words.noReceipt)}</h1><p>${e(words.noReceiptHint)}</p>`
  return page({ language, title: words.noReceipt, body })
}

function page(parts: { language: Language; title: string; body: string }): string {
  return `<!doctype html>
<html lang="${parts.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${e(parts.title)}</title><style>${STYLE}</style></head>
<body><main>
${parts.body}
</main></body></html>
`
}

function header([name, ...address]: readonly string[]): string {
  if (name === undefined) return ''
  const rest = address.map((line) => `<p>${e(line)}</p>`).join('')
  return `<header id="merchant"><p class="name">${e(name)}</p>${rest}</header>`
}

function paragraphs(texts: readonly string[], id: string): string {
  if (texts.length === 0) return ''
  return `<div id="${id}" class="${id}">${texts.map((text) => `<p>${e(text)}</p>`).join('')}</div>`
}

function lines(texts: readonly string[], kind = 'lines'): string {
  return texts.length === 0 ? '' : `<div class="${kind}">${e(texts.join('\n'))}</div>`
}

function facts(rows: ReceiptView['facts']): string {
  const cells = rows.map(({ label, value }) => `<dt>${e(label)}</dt><dd>${e(value)}</dd>`)
  return `<dl id="meta">${cells.join('')}</dl>`
}

function itemTable({ items }: ReceiptView): string {
  if (items.length === 0) return ''
  return `<table id="items"><tbody>${items.map(itemRow).join('\n')}</tbody></table>`
}

function itemRow({ description, lines: below, detail, rate, amount, belongs }: ItemView): string {
  const small = [...below, detail].filter((line) => line !== '')
  const text = e(description) + small.map((line) => `<small>${e(line)}</small>`).join('')
  const kind = belongs ? ' class="belongs"' : ''
  return `<tr><td${kind}>${text}</td><td>${e(amount)}<small>${e(rate)}</small></td></tr>`
}

function vatTable({ vat, words }: ReceiptView): string {
  if (vat.length === 0) return ''
  const names = [words.rate, words.net, words.tax, words.gross]
  const head = names.map((name) => `<th scope="col">${e(name)}</th>`).join('')
  const rows = vat.map(({ rate, net, tax, gross }) => {
    const cells = [rate, net, tax, gross].map((cell) => `<td>${e(cell)}</td>`)
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table id="vat"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function paymentList(payments: readonly PaymentView[]): string {
  if (payments.length === 0) return ''
  const rows = payments.map(
    ({ description, amount }) => `<dt>${e(description)}</dt><dd>${e(amount)}</dd>`,
  )
  return `<dl id="payments">${rows.join('')}</dl>`
}

function cardReceipt({ description, amount, lines: card }: PaymentView): string {
  if (card.length === 0) return ''
  return lines([`${description} ${amount}`, ...card], 'lines card')
}

/** The signature items of a place; codes are drawn as long as there are not too many. */
function signatureBlocks({ signatures, words }: ReceiptView): (place: SignaturePlace) => string {
  let codes = 0
  const block = (signature: SignatureView): string => {
    const { caption, data, code } = signature
    const title = caption === '' ? '' : `<span>${e(caption)}</span><br>`
    const drawn = code && codes < MOST_CODES && Buffer.byteLength(data) <= MOST_CODE_BYTES
    const matrix = drawn ? qrMatrix(data) : undefined
    if (matrix === undefined) return `<p class="signature">${title}${e(data)}</p>`
    codes += 1
    return `<div class="signature">${title}${qrSvg(matrix, e(words.qr))}</div>`
  }
  return (place) =>
    signatures
      .filter((one) => one.place === place && one.only !== 'paper')
      .map(block)
      .join('\n')
}
