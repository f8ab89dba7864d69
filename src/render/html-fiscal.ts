// The signature items on the receipt page: codes are drawn, a country's list is a list. Every text
// is escaped here.
import { escapeHtml as e } from '../lib/html.js'
import { row } from './html-blocks.js'
import { qrSvg } from './qr.js'
import type { SignaturePlace, SignatureView } from './signatures.js'
import type { ReceiptView } from './view.js'

/** Most codes that are drawn; of further ones, and of too long ones, the text is shown. */
const MOST_CODES = 4
/** Three times the longest code of a law; greater ones take a tenth of a second to make. */
const MOST_CODE_BYTES = 1500

export type BlocksAt = (place: SignaturePlace) => string

/** The items of a place; codes are drawn as long as there are not too many. */
export function signatureBlocks(view: ReceiptView): BlocksAt {
  const draw = drawing(view)
  const scanned = view.signatures.some(({ code, only }) => code && only !== 'paper')
  return (place) => {
    const items = view.signatures.filter(
      (one) => one.place === place && one.only !== 'paper' && one.aside === undefined,
    )
    // folded: what only an examiner asks for, and what the code says already
    const rowsOf = (folded: boolean): SignatureView[] =>
      items.filter(
        (one) => one.row && !one.code && (one.detail || (one.coded && scanned)) === folded,
      )
    const [main, more] = [listOf(rowsOf(false)), rowsOf(true)]
    const free = items.filter((one) => !one.row || one.code).map(draw)
    const blocks = [
      ...free,
      main === '' ? '' : `<dl class="rows">${main}</dl>`,
      more.length === 0 ? '' : details(view.words.details, more),
    ]
    return blocks.filter((block) => block !== '').join('\n')
  }
}

const isOnScreen = ({ only }: SignatureView): boolean => only === 'screen'

const listOf = (rows: readonly SignatureView[]): string =>
  rows.map((one) => row(one.caption, one.data, isOnScreen(one))).join('')

function details(title: string, rows: readonly SignatureView[]): string {
  const kind = rows.every(isOnScreen) ? ' class="screen"' : ''
  const list = `<dl class="rows">${listOf(rows)}</dl>`
  return `<details${kind}><summary>${e(title)}</summary>${list}</details>`
}

function drawing({ words }: ReceiptView): (signature: SignatureView) => string {
  let codes = 0
  return ({ caption, data, code, text }) => {
    const drawn = code && codes < MOST_CODES && Buffer.byteLength(data) <= MOST_CODE_BYTES
    const svg = drawn ? qrSvg(data, e(words.qr)) : undefined
    if (svg === undefined) {
      const title = caption === '' ? '' : `<span>${e(caption)}</span><br>`
      return `<p class="signature" dir="auto">${title}${e(text)}</p>`
    }
    codes += 1
    const title = caption === '' ? '' : `<figcaption dir="auto">${e(caption)}</figcaption>`
    return `<figure class="signature">${title}${svg}</figure>`
  }
}

/** Folded: what the sandbox tells whoever programs the register is nothing for its customers. */
export function sandboxBlock({ signatures, words }: ReceiptView): string {
  const lines = signatures.filter(({ aside }) => aside !== undefined)
  const mark = lines.find(({ aside }) => aside === 'mark')
  if (mark === undefined) return ''
  const rows = lines.map(({ caption, data }) => row(caption, data)).join('')
  return (
    `<details id="sandbox"><summary>${e(mark.caption)}: ${e(words.sandbox)}</summary>` +
    `<dl class="rows">${rows}</dl></details>`
  )
}

export function fiscalBlock({ words }: ReceiptView, at: BlocksAt): string {
  const blocks = at('usual')
  if (blocks === '') return ''
  return `<section id="fiscal"><h2 class="unseen">${e(words.fiscal)}</h2>${blocks}</section>`
}
