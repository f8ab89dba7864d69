// The tag by which a browser knows again what it has already.
import { createHash } from 'node:crypto'

/** Strong: the same tag means the same bytes (RFC 9110, 8.8.3). */
export function strongTag(bytes: string | Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_LETTERS)}"`
}

/** 132 bits. */
const TAG_LETTERS = 22
