// Fingerprints of texts in UTF-8.
import { createHash } from 'node:crypto'

export const sha256 = (text: string, form: 'hex' | 'base64'): string =>
  createHash('sha256').update(text, 'utf8').digest(form)
