// An issued receipt in a format: which there are, and what is sent. Called by api/possystem and
// api/receipt.
import type { MarketFacts } from '../../market/market.js'
import { type Choice, chooseLanguage, columnsOf, type Format } from '../../render/accept.js'
import { htmlReceipt, type PageLinks } from '../../render/html.js'
import { textReceipt } from '../../render/text.js'
import { viewOf } from '../../render/view.js'
import { LANGUAGES, languageOf } from '../../render/words.js'
import type { IssuedReceipt } from '../../store/issued.js'
import { pairOf, pairText } from './read.js'

export interface ShowDeps {
  /** Zone and currency of a country; undefined for one that this server does not know. */
  factsOf(market: string): MarketFacts | undefined
}

const json: Format = {
  name: 'json',
  mediaType: 'application/json',
  contentType: 'application/json; charset=utf-8',
  wide: false,
}
const html: Format = {
  name: 'html',
  mediaType: 'text/html',
  contentType: 'text/html; charset=utf-8',
  wide: false,
}
const text: Format = {
  name: 'txt',
  mediaType: 'text/plain',
  contentType: 'text/plain; charset=utf-8',
  wide: true,
}

/** For the register that issued the receipt; the first is the usual one. */
export const REGISTER_FORMATS: readonly Format[] = [json, html, text]
/** For whoever has the address: no raw data. */
export const PUBLIC_FORMATS: readonly Format[] = [html, text]

export interface Shown {
  contentType: string
  headers: Record<string, string>
  body: string
}

export interface Asked extends Choice {
  languages: string | undefined
  /** What the page may lead to; left out: nothing. */
  links?: PageLinks | undefined
  /** True when it is to be marked as a copy. */
  copy?: boolean
}

export function showReceipt(
  { factsOf }: ShowDeps,
  receipt: IssuedReceipt,
  { format, widthMm, languages, links, copy }: Asked,
): Shown {
  const headers = format.wide ? { 'x-print-width': `${widthMm}mm` } : {}
  const { contentType } = format
  if (format === json) return { contentType, headers, body: pairText(receipt) }
  const pair = pairOf(receipt, factsOf)
  const language = chooseLanguage(LANGUAGES, languages) ?? languageOf(pair.country)
  const view = viewOf({ ...pair, copy: copy === true }, language)
  const body = format === html ? htmlReceipt(view, links) : textReceipt(view, columnsOf(widthMm))
  return { contentType, headers: { ...headers, 'content-language': language }, body }
}
