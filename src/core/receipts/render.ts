// One receipt in one format, as bytes: what each format needs.
import type { MarketFacts } from '../../market/facts.js'
import { columnsOf } from '../../render/accept.js'
import { type EscPosBrand, escPosReceipt } from '../../render/escpos.js'
import type { GuestNote } from '../../render/guest.js'
import { htmlReceipt, type PageLinks } from '../../render/html.js'
import { textReceipt } from '../../render/text.js'
import { type ReceiptView, viewOf } from '../../render/view.js'
import type { Language } from '../../render/words.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { pairOf } from './shown-pair.js'

/** The first three take a moment; the others are drawn, always in another thread. */
export type RenderedFormat = 'html' | 'txt' | 'escpos' | 'pdf' | 'png' | 'jpg'

/** Everything that the bytes depend on; it can be sent to another thread. */
export interface RenderTask {
  receipt: IssuedReceipt
  format: RenderedFormat
  widthMm: number
  language: Language
  /** True when it is to be marked as a copy. */
  copy: boolean
  /** Of the printer. */
  brand: EscPosBrand
  /** What the page may lead to. */
  links: PageLinks | undefined
  /** What a guest has typed for this copy. */
  guest?: GuestNote | undefined
}

export type FactsOf = (market: string) => MarketFacts | undefined

export function taskView(
  { receipt, copy, language, guest }: Pick<RenderTask, 'receipt' | 'copy' | 'language' | 'guest'>,
  factsOf: FactsOf,
): ReceiptView {
  return viewOf({ ...pairOf(receipt, factsOf), copy, guest }, language)
}

/** True for what is written, not drawn. */
export function isWritten(format: RenderedFormat): format is 'html' | 'txt' | 'escpos' {
  return format === 'html' || format === 'txt' || format === 'escpos'
}

/** What is written with letters alone. */
export function write(
  format: 'html' | 'txt' | 'escpos',
  { widthMm, brand, links }: RenderTask,
  view: ReceiptView,
): Buffer {
  if (format === 'escpos') return escPosReceipt(view, { widthMm, brand })
  if (format === 'html') return Buffer.from(htmlReceipt(view, links))
  return Buffer.from(textReceipt(view, columnsOf(widthMm)))
}
