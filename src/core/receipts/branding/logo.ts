// A picture of somebody becomes the logo of receipts: fetched, checked by its first bytes, drawn
// anew in another thread.
import type { OutboundCall } from '../../../device/outbound.js'
import { OutboundError } from '../../../device/outbound.js'
import type { StoredLogo } from '../../../store/receipt/receipt-settings.js'
import { checkedSize, logoRefused, type Picture } from './small-logo.js'

/** Of a picture that is sent or fetched. */
const MOST_BYTES = 200_000
const FETCH_MS = 5_000

/** Makes the small picture in another thread (core/receipts/rendering.ts), in an origin's line. */
export type DrawLogo = (bytes: Buffer, line: string) => Promise<Picture>

export interface LogoTools {
  fetch: OutboundCall
  drawLogo: DrawLogo
  /** Whose line at the threads it waits in. */
  line: string
}

/**
 * `data:` image, or an address that is fetched once. Throws FIELD_INVALID; RENDERING_BUSY when the
 * threads are.
 */
export async function logoFrom(
  source: string,
  { fetch, drawLogo, line }: LogoTools,
): Promise<StoredLogo> {
  const sent = /^data:/i.test(source)
  const bytes = sent ? bytesOfDataUrl(source) : await fetched(source, fetch)
  checkedSize(bytes)
  const { type, data } = await drawLogo(bytes, line)
  return { type, data, url: sent ? null : source }
}

function bytesOfDataUrl(source: string): Buffer {
  const found = /^data:image\/(?:png|jpe?g);base64,([A-Za-z0-9+/=\s]+)$/i.exec(source)
  if (found?.[1] === undefined) throw logoRefused('a data: image of type PNG or JPEG in base64')
  const bytes = Buffer.from(found[1], 'base64')
  if (bytes.length > MOST_BYTES) throw logoRefused(`a picture of at most ${MOST_BYTES} bytes`)
  return bytes
}

/** Why it failed is not told: that would show what can be reached from here. */
async function fetched(source: string, fetch: OutboundCall): Promise<Buffer> {
  try {
    const { status, body } = await fetch(source, {
      method: 'GET',
      headers: { accept: 'image/png, image/jpeg' },
      timeoutMs: FETCH_MS,
      maxBytes: MOST_BYTES,
    })
    if (status === 200) return body
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
  }
  throw logoRefused(`the public address of a PNG or JPEG of at most ${MOST_BYTES} bytes`)
}
