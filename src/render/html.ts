// A receipt as a page that needs nothing else: no file, no font, and no script to be read.
import { escapeHtml as e } from '../lib/html.js'
import { light } from '../lib/look.js'
import { actionBlock, fileBlock, firstActions, type PageLinks, webAddress } from './html-actions.js'
import {
  brandStyle,
  cardReceipts,
  customerBlock,
  hospitalityForm,
  itemTable,
  lines,
  merchantBlock,
  paragraphs,
  paymentList,
  summaryBlock,
  technicalBlock,
  totalLine,
  vatBlock,
} from './html-blocks.js'
import { fiscalBlock, sandboxBlock, signatureBlocks } from './html-fiscal.js'
import { guestAnswer, guestBlock } from './html-guest.js'
import { SCRIPT, SCRIPT_HASH } from './page-script.js'
import { STYLE } from './page-style.js'
import { structuredData } from './structured-data.js'
import type { ReceiptView } from './view.js'
import { type Language, wordsOf } from './words.js'

export type { PageLinks }

/** What the page may load and run: nothing but what is in it. */
export const RECEIPT_POLICY = [
  "default-src 'none'",
  "img-src 'self' data:",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${SCRIPT_HASH}'`,
  // the forms of the guest
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/**
 * The whole page; every text of the receipt is escaped. Without links it cannot say where its PDF
 * is, and offers nothing.
 */
export function htmlReceipt(view: ReceiptView, links?: PageLinks): string {
  const { words } = view
  const at = signatureBlocks(view)
  const body = [
    at('before-header'),
    merchantBlock(view),
    paragraphs(view.marks, 'marks'),
    paragraphs(view.notices, 'notices'),
    summaryBlock(view, links === undefined ? '' : firstActions(view, links)),
    lines(view.header),
    customerBlock(view),
    at('after-header'),
    itemTable(view),
    lines(view.chargeLines),
    at('after-items'),
    totalLine(view),
    vatBlock(view),
    at('after-total'),
    paymentList(view),
    lines(view.payLines),
    lines(view.receiptLines, 'lines'),
    fiscalBlock(view, at),
    technicalBlock(view),
    cardReceipts(view),
    hospitalityForm(view, links !== undefined && view.sale),
    footerBlock(view, at('after-footer')),
    sandboxBlock(view),
    links === undefined ? '' : fileBlock(view, links),
    links === undefined
      ? `<footer class="screen">${e(words.print)}</footer>`
      : actionBlock(view, links) + guestBlock(view, links),
  ]
  const heading = `${view.title} ${view.number}`.trim()
  const title = [view.merchant[0], heading].filter((one) => one !== undefined).join(': ')
  const content = body.filter((block) => block !== '').join('\n')
  const foot =
    `<script type="application/ld+json">${structuredData(view)}</script>\n` +
    (links === undefined ? '' : `<script>${SCRIPT}</script>\n`)
  return page({ language: view.language, title, content, foot, look: brandStyle(view) })
}

function footerBlock({ footer, website, words }: ReceiptView, signatures: string): string {
  const address = webAddress(website)
  const link =
    address === undefined
      ? ''
      : `<p><a href="${e(address)}" rel="noopener noreferrer nofollow">` +
        `${e(hostOf(address) || words.website)}</a></p>`
  const content = [lines(footer), link, signatures].join('')
  return content === '' ? '' : `<footer id="footer">${content}</footer>`
}

/** `www.example.com/shop` of an address. */
function hostOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `${host}${pathname === '/' ? '' : pathname}`
}

/** For an address under which there is no receipt. */
export function missingPage(language: Language): string {
  const words = wordsOf(language)
  const reasons = [words.noReceiptTypo, words.noReceiptSoon, words.noReceiptGone]
  const content =
    `<section class="missing">${PICTURE}<h1>${e(words.noReceipt)}</h1>` +
    `<p>${e(words.noReceiptHint)}</p><h2>${e(words.noReceiptReasons)}</h2>` +
    `<ul>${reasons.map((reason) => `<li>${e(reason)}</li>`).join('')}</ul></section>`
  return page({ language, title: words.noReceipt, content, foot: '' })
}

/** What became of something that a guest has asked for. */
export function answerPage(
  language: Language,
  told: { title: string; text: string; address: string },
): string {
  const back = { label: wordsOf(language).guestBack, address: told.address }
  return page({ language, title: told.title, content: guestAnswer(told, back), foot: '' })
}

/** A receipt with a question mark. */
const PICTURE =
  '<svg viewBox="0 0 48 56" fill="none" stroke="currentColor" stroke-width="2.5" ' +
  'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">' +
  '<path d="M6 3h36v49l-6-4-6 4-6-4-6 4-6-4-6 4z"/>' +
  '<path d="M18.5 20a5.5 5.5 0 1 1 8 5c-1.800.9-2.500 2.200-2.500 4"/><path d="M24 36v.1"/></svg>'

/** In the page: a browser would ask the server for one otherwise. */
const ICON =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      `<path fill="${light('accent')}" ` +
      'd="M3 1h10v14l-2-1-1.500 1-1.500-1-1.500 1L5 14l-2 1z"/>' +
      '<path stroke="#fff" d="M5 5h6M5 8h6"/></svg>',
  )

interface PageParts {
  language: Language
  title: string
  content: string
  foot: string
  /** A style of its own. */
  look?: string
}

function page({ language, title, content, foot, look = '' }: PageParts): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<title>${e(title)}</title><style>${STYLE}</style>${look}</head>
<body><main>
${content}
</main>
${foot}</body></html>
`
}
