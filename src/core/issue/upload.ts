// A file that somebody puts to a receipt: its type is what its bytes say, not what its sender says.
// Called by action.ts.
import { fail } from '../../errors.js'
import { bytesOfBase64 } from '../../lib/base64.js'
import { sha256 } from '../../lib/hash.js'
import type { JsonObject } from '../../lib/json.js'
import { utf8Text } from '../../lib/text.js'
import { memberOf } from '../../model/json-members.js'

export interface Upload {
  mediaType: string
  filename: string
  content: Buffer
  hash: Buffer
}

export const MOST_UPLOADED = 10 * 1024 * 1024
/** A stored PDF may be half as large as other files. */
const MOST_PDF = 5 * 1024 * 1024
const LONGEST_NAME = 255

const starts =
  (...bytes: number[]) =>
  (content: Buffer): boolean =>
    bytes.every((byte, at) => content[at] === byte)

/** The bytes that each type begins with; of texts, what they must be. */
const TYPES: Record<string, { fits(content: Buffer): boolean; begins: string }> = {
  'application/pdf': { fits: starts(0x25, 0x50, 0x44, 0x46, 0x2d), begins: 'a PDF file' },
  'image/png': {
    fits: starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    begins: 'a PNG image',
  },
  'image/jpeg': { fits: starts(0xff, 0xd8, 0xff), begins: 'a JPEG image' },
  'text/vnd.esc-pos': { fits: starts(0x1b, 0x40), begins: 'printer bytes behind ESC @' },
  'text/plain': { fits: isText, begins: 'text in UTF-8' },
  'text/html': { fits: isPage, begins: 'an HTML page in UTF-8' },
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text holds none but tab and line ends
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/

function isText(content: Buffer): boolean {
  const text = utf8Text(content)
  return text !== undefined && !CONTROLS.test(text)
}

function isPage(content: Buffer): boolean {
  const head = content
    .subarray(0, 1024)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  return isText(content) && /^\s*<(?:!doctype html|html)[\s>]/i.test(head)
}

/** Throws FIELD_MISSING, FIELD_INVALID, and BODY_TOO_LARGE for a content that is. */
export function readUpload(body: JsonObject): Upload {
  const mediaType = typeOf(body)
  const filename = nameOf(body)
  const content = contentOf(body, mediaType)
  const { fits, begins } = TYPES[mediaType] ?? { fits: () => false, begins: '' }
  if (!fits(content)) throw fail('FIELD_INVALID', { field: 'Filecontent', expected: begins })
  return { mediaType, filename, content, hash: sha256(content) }
}

function typeOf(body: JsonObject): string {
  const field = 'Format'
  const expected = `one of ${Object.keys(TYPES).join(', ')}`
  const value = textOf(body, field, expected).split(';')[0]?.trim().toLowerCase() ?? ''
  if (Object.hasOwn(TYPES, value)) return value
  throw fail('FIELD_INVALID', { field, expected })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no name of a file may hold
const NO_NAME = /[\\/:*?"<>|\u0000-\u001f\u007f\u0085\u2028\u2029\u200e\u200f\u202a-\u202e]/g

/** What the sender calls it, as the name of a file and of nothing else. */
function nameOf(body: JsonObject): string {
  const field = 'Filename'
  const expected = `the name of a file, at most ${LONGEST_NAME} characters`
  const given = textOf(body, field, expected)
  const name = given.replace(NO_NAME, '_').trim()
  if (given.length > LONGEST_NAME || /^[._ ]*$/.test(name) || !name.isWellFormed()) {
    throw fail('FIELD_INVALID', { field, expected })
  }
  return name
}

function contentOf(body: JsonObject, mediaType: string): Buffer {
  const field = 'Filecontent'
  const expected = 'the bytes of the file in Base64'
  const content = bytesOfBase64(textOf(body, field, expected))
  if (content === undefined || content.length === 0)
    throw fail('FIELD_INVALID', { field, expected })
  const limit = mediaType === 'application/pdf' ? MOST_PDF : MOST_UPLOADED
  if (content.length > limit) throw fail('BODY_TOO_LARGE', { limit })
  return content
}

function textOf(body: JsonObject, field: string, expected: string): string {
  const value = memberOf(body, field) ?? ''
  if (value === '') throw fail('FIELD_MISSING', { field, expected })
  if (typeof value !== 'string') throw fail('FIELD_INVALID', { field, expected })
  return value
}
