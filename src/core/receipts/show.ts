// An issued receipt in a format: which there are, and what is sent.
import { type Choice, chooseLanguage, type Format, PRINTER_WIDTHS } from '../../render/accept.js'
import type { EscPosBrand } from '../../render/escpos.js'
import type { GuestNote } from '../../render/guest.js'
import type { PageLinks } from '../../render/html.js'
import { languageOf } from '../../render/words.js'
import type { IssuedReceipt } from '../../store/receipt/issued.js'
import { RECEIPT_LANGUAGES } from '../../words/words.js'
import type { RenderedFormat } from './render.js'
import type { Rendering } from './rendering.js'
import { pairText } from './shown-pair.js'

export interface ShowDeps {
  rendering: Pick<Rendering, 'render'>
}

const json: Format = {
  name: 'json',
  mediaType: 'application/json',
  contentType: 'application/json; charset=utf-8',
  wide: false,
}

/** In the order in which a wildcard chooses. */
const RENDERED: readonly (Format & { name: RenderedFormat })[] = [
  { name: 'html', mediaType: 'text/html', contentType: 'text/html; charset=utf-8', wide: false },
  { name: 'txt', mediaType: 'text/plain', contentType: 'text/plain; charset=utf-8', wide: true },
  { name: 'pdf', mediaType: 'application/pdf', contentType: 'application/pdf', wide: true },
  { name: 'png', mediaType: 'image/png', contentType: 'image/png', wide: true },
  { name: 'jpg', mediaType: 'image/jpeg', contentType: 'image/jpeg', wide: true },
  {
    name: 'escpos',
    mediaType: 'text/vnd.esc-pos',
    contentType: 'text/vnd.esc-pos; charset=utf-8',
    wide: true,
    widths: PRINTER_WIDTHS,
    // older names, each of one width
    aliases: {
      'application/esc-pos-80mm': '80mm',
      'application/esc-pos-72mm': '72mm',
      'application/esc-pos-48mm': '48mm',
    },
  },
]

/** For the register that issued the receipt; the first is the usual one. */
export const REGISTER_FORMATS: readonly Format[] = [json, ...RENDERED]
/** For whoever has the address: no raw data. */
export const PUBLIC_FORMATS: readonly Format[] = RENDERED

export interface Shown {
  contentType: string
  headers: Record<string, string>
  body: string | Buffer
  /** Strong: of these bytes; none of raw data. */
  etag: string | undefined
}

export interface Asked extends Choice {
  languages: string | undefined
  /** What the page may lead to; left out: nothing. */
  links?: PageLinks | undefined
  /** True when it is to be marked as a copy. */
  copy?: boolean
  /** What a guest has typed for this copy. */
  guest?: GuestNote | undefined
  /** Of the printer; left out: Epson, whose commands most understand. */
  brand?: EscPosBrand
}

/** Throws RENDERING_BUSY, PICTURE_TOO_LONG. */
export async function showReceipt(
  { rendering }: ShowDeps,
  receipt: IssuedReceipt,
  { format, widthMm, languages, links, guest, copy = false, brand = 'epson' }: Asked,
): Promise<Shown> {
  const rendered = RENDERED.find(({ name }) => name === format.name)
  if (rendered === undefined) {
    const { contentType } = format
    return { contentType, headers: {}, body: pairText(receipt), etag: undefined }
  }
  const language = chooseLanguage(RECEIPT_LANGUAGES, languages) ?? languageOf(receipt.market)
  const wish = { widthMm: format.wide ? widthMm : 0, language, copy, brand, links, guest }
  const { name } = rendered
  const page = await rendering.render({ receipt, format: name, ...wish })
  const width = `${widthMm}mm`
  return {
    contentType: name === 'escpos' ? `${format.contentType}; width=${width}` : format.contentType,
    headers: {
      ...(format.wide ? { 'x-print-width': width } : {}),
      'content-language': language,
    },
    body: page.bytes,
    etag: page.etag,
  }
}
