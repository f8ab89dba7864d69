// What stands where on a printed receipt: blocks of lines with columns, rules and codes, in letters
// of equal width. text.ts, pdf.ts, picture.ts and escpos.ts only draw it.
import { cellsOf, wrapped } from './cells.js'
import {
  type Align,
  type Code,
  type Line,
  type Medium,
  pairLines,
  type Style,
} from './layout-lines.js'
import type { SignaturePlace, SignatureView } from './signatures.js'
import { vatLines } from './vat-lines.js'
import type { ItemView, PaymentView, ReceiptView } from './view.js'

export interface Block {
  role: Role
  /** Whether a gap keeps it apart from the block above. */
  apart: boolean
  lines: Line[]
}

export type Role = 'merchant' | 'marks' | 'heading' | 'text' | 'items' | 'total' | 'vat' | 'card'

export interface Layout {
  columns: number
  language: string
  title: string
  /** What a reader hears instead of a code. */
  codeLabel: string
  blocks: Block[]
}

/** Every line in order, with the gaps between the blocks. */
export function linesOf({ blocks }: Pick<Layout, 'blocks'>): Line[] {
  const gap: Line = { kind: 'gap' }
  return blocks.flatMap(({ apart, lines }) => (apart ? [gap, ...lines] : lines))
}

/** All blocks in the order of the page. */
export function layoutOf(view: ReceiptView, medium: Medium): Layout {
  const page = new Sheet(medium)
  const heading = [view.title, view.number].filter((one) => one !== '').join(' ')
  const at = (place: SignaturePlace): void => signatures(page, view, place)
  at('before-header')
  merchant(page, view.merchant)
  page.block('marks', () => page.marks(view.marks))
  page.block('text', () => page.texts(view.notices))
  page.block('text', () => page.texts(view.header))
  page.block('heading', () => page.centred(view.title, 'bold'))
  page.block('text', () => {
    for (const { label, value } of view.facts) page.pair(`${label}:`, value)
  })
  page.block('text', () => page.texts(view.customer))
  at('after-header')
  items(page, view)
  at('after-items')
  total(page, view)
  page.block('vat', () => page.add(vatLines(view, medium)))
  page.block('text', () => page.texts(view.taxNotes))
  at('after-total')
  payments(page, view)
  page.block('text', () => page.texts(view.receiptLines))
  at('usual')
  for (const payment of view.payments) card(page, payment, view)
  hospitality(page, view)
  guest(page, view)
  page.block('text', () => page.texts([...view.footer, view.website].filter((one) => one !== '')))
  at('after-footer')
  sandbox(page, view)
  return {
    columns: medium.columns,
    language: view.language,
    title: medium.shown([view.merchant[0], heading].filter(Boolean).join(': ')),
    codeLabel: view.words.qr,
    blocks: page.blocks,
  }
}

/** A longer one in large letters would be half of the receipt. */
const LONG_MARK = 60

/** Collects lines into blocks. */
class Sheet {
  readonly blocks: Block[] = []
  #lines: Line[] = []

  constructor(readonly medium: Medium) {}

  /** Everything that `fill` adds; nothing when that is nothing. */
  block(role: Role, fill: () => void): void {
    this.#lines = []
    fill()
    if (this.#lines.length === 0) return
    const apart = role !== 'total' && this.blocks.at(-1)?.role !== 'heading'
    this.blocks.push({ role, apart: apart && this.blocks.length > 0, lines: this.#lines })
  }

  add(lines: readonly Line[]): void {
    this.#lines.push(...lines)
  }

  /** One text in as many lines as it needs; an empty one is a blank line. */
  text(text: string, manner: Manner = {}): void {
    const { align = 'left', style = 'plain', indent = 0, exact } = manner
    const { medium } = this
    const kind = style === 'large' && !medium.large ? 'bold' : style
    const width = (kind === 'large' ? Math.floor(medium.columns / 2) : medium.columns) - indent
    for (const part of wrapped(medium.shown(text), width)) {
      this.#lines.push({
        kind: 'text',
        style: kind,
        cells: [{ text: part, start: indent, width, align }],
        ...(exact === true ? { exact } : {}),
      })
    }
  }

  texts(texts: readonly string[], manner?: Manner): void {
    for (const text of texts) this.text(text, manner)
  }

  marks(texts: readonly string[]): void {
    const { columns, shown } = this.medium
    // a word of the law is not cut to be larger
    const fits = (word: string) => cellsOf(shown(word)) <= Math.floor(columns / 2)
    for (const text of texts) {
      const isLarge = text.length <= LONG_MARK && text.split(/\s+/).every(fits)
      this.centred(text, isLarge ? 'large' : 'bold')
    }
  }

  centred(text: string, style: Style): void {
    if (text !== '') this.text(text, { align: 'centre', style })
  }

  pair(left: string, right: string, manner: Pick<Manner, 'style' | 'indent'> = {}): void {
    const { columns, shown } = this.medium
    this.add(pairLines({ left: shown(left), right: shown(right), columns, ...manner }))
  }

  rule(): void {
    this.#lines.push({ kind: 'rule' })
  }

  gap(): void {
    this.#lines.push({ kind: 'gap' })
  }

  code(code: Code): void {
    this.#lines.push({ kind: 'code', ...code })
  }
}

interface Manner {
  align?: Align
  style?: Style
  indent?: number
  exact?: true
}

function merchant(page: Sheet, [name, ...address]: readonly string[]): void {
  page.block('merchant', () => {
    if (page.medium.logo) page.add([{ kind: 'logo' }])
    if (name !== undefined) page.centred(name, 'bold')
    for (const line of address) page.centred(line, 'plain')
  })
}

function items(page: Sheet, view: ReceiptView): void {
  page.block('items', () => {
    const letters = view.items.some(({ letter }) => letter !== '')
    for (const one of view.items) item(page, one, letters)
    page.texts(view.chargeLines)
  })
}

/** `letters`: there is a column of letters, though this item may have none. */
function item(page: Sheet, one: ItemView, letters: boolean): void {
  const { description, lines, detail, notes, letter, amount, belongs } = one
  page.pair(description, letters ? `${amount} ${letter.padEnd(1)}` : amount, {
    indent: belongs ? 2 : 0,
  })
  if (page.medium.itemLines) page.texts(lines, { indent: 2 })
  page.texts(
    [detail, ...notes].filter((text) => text !== ''),
    { indent: 2 },
  )
}

function total(page: Sheet, { total: amount, words }: ReceiptView): void {
  const { columns, large, shown } = page.medium
  const half = Math.floor(columns / 2)
  const fits = cellsOf(shown(`${words.total} ${amount}`)) <= half
  page.block('total', () => {
    page.rule()
    page.pair(words.total, amount, { style: large && fits ? 'large' : 'bold' })
    page.rule()
  })
}

function payments(page: Sheet, view: ReceiptView): void {
  page.block('text', () => {
    for (const { description, amount, note } of view.payments) {
      page.pair(description, amount)
      if (note !== '') page.text(note, { indent: 2 })
    }
    page.texts(view.payLines)
  })
}

function card(page: Sheet, { description, amount, lines }: PaymentView, view: ReceiptView): void {
  if (lines.length === 0) return
  page.block('card', () => {
    if (page.medium.cardPages) {
      page.text(`${description} – ${view.words.transaction}, ${amount}`, { style: 'bold' })
      page.gap()
    } else page.pair(description, amount, { style: 'bold' })
    page.texts(lines, { align: 'centre', exact: true })
  })
}

function signatures(page: Sheet, view: ReceiptView, place: SignaturePlace): void {
  const here = view.signatures.filter(
    (one) => one.place === place && one.only !== 'screen' && one.aside === undefined,
  )
  for (const one of here.filter(({ row, code }) => code || !row)) signature(page, one)
  // the code has everything that an examiner wants to see
  const all = page.medium.details || !view.signatures.some(({ code }) => code)
  const rows = here.filter(({ row, code, detail }) => row && !code && (all || !detail))
  page.block('text', () => {
    for (const { caption, data } of rows) page.pair(`${caption}:`, data)
  })
}

function signature(page: Sheet, { caption, data, code, text }: SignatureView): void {
  page.block('text', () => {
    const drawn = code ? page.medium.code(data) : undefined
    // a code stands in the middle, and so does its name
    if (caption !== '') page.text(caption, { align: drawn === undefined ? 'left' : 'centre' })
    if (drawn === undefined) page.texts(text.split('\n'))
    else page.code(drawn)
  })
}

/** The mark alone: what it explains is nothing for customers. */
function sandbox(page: Sheet, { signatures: all }: ReceiptView): void {
  const mark = all.find(({ aside }) => aside === 'mark')
  page.block('text', () => page.centred(mark?.caption ?? '', 'bold'))
}

/** What a guest has added: apart from all that was signed, and said to be so. */
function guest(page: Sheet, { guest: rows, guestSigns, words }: ReceiptView): void {
  if (rows.length === 0) return
  page.block('text', () => {
    page.rule()
    page.text(words.guestTitle, { style: 'bold' })
    page.text(words.guestUnsigned)
    for (const { label, lines } of rows) {
      page.text(`${label}:`, { style: 'bold' })
      page.texts(lines, { indent: 2 })
    }
    const blank = '_'.repeat(Math.floor(page.medium.columns / 2))
    for (const name of guestSigns ? [words.placeAndDay, words.signed] : []) {
      page.pair(`${name}:`, blank)
    }
  })
}

/** To be filled in by hand. */
function hospitality(
  page: Sheet,
  { hospitality: wanted, words, total: amount }: ReceiptView,
): void {
  if (!wanted) return
  const blank = '_'.repeat(Math.floor(page.medium.columns / 2))
  page.block('text', () => {
    page.text(words.hospitality, { style: 'bold' })
    for (const name of [words.guests, words.occasion]) page.pair(`${name}:`, blank)
    page.pair(`${words.amount}:`, amount)
    for (const name of [words.tipGiven, words.placeAndDay, words.signed]) {
      page.pair(`${name}:`, blank)
    }
  })
}
