// A file that somebody puts to a receipt: its type is what its bytes say, not what its sender says.
import { isUtf8 } from 'node:buffer'
import { fail } from '../../errors.js'
import { bytesOfBase64 } from '../../lib/base64.js'
import { sha256InSlices } from '../../lib/hash.js'
import type { JsonObject } from '../../lib/json.js'
import { inSlices, nextTurn } from '../../lib/slices.js'
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

interface Type {
  fits(content: Buffer): boolean | Promise<boolean>
  begins: string
}

/** The bytes that each type begins with; of texts, what they must be. */
const TYPES: Record<string, Type> = {
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

const TAB = 0x09
const LINE_FEED = 0x0a
const RETURN = 0x0d
const BLANK = 0x20

/** Text holds no control characters but these three; in UTF-8 each is a byte of its own. */
const isControl = (byte: number): boolean =>
  byte < BLANK && byte !== TAB && byte !== LINE_FEED && byte !== RETURN

/** Bytes between two looks at the clock. */
const PIECE = 64 * 1024

async function isText(content: Buffer): Promise<boolean> {
  if (!isUtf8(content)) return false
  let at = 0
  let found = false
  await inSlices(() => {
    const end = Math.min(at + PIECE, content.length)
    while (at < end && !isControl(content[at] ?? 0)) at += 1
    found = at < end
    return found || at === content.length
  })
  return !found
}

async function isPage(content: Buffer): Promise<boolean> {
  const head = content
    .subarray(0, 1024)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(head) && isText(content)
}

/** Throws FIELD_MISSING, FIELD_INVALID, and BODY_TOO_LARGE for a content that is. */
export async function readUpload(body: JsonObject): Promise<Upload> {
  const mediaType = typeOf(body)
  const filename = nameOf(body)
  // each step may take a good part of what others should wait at most
  await nextTurn()
  const content = contentOf(body, mediaType)
  await nextTurn()
  const { fits, begins } = TYPES[mediaType] ?? { fits: () => false, begins: '' }
  if (!(await fits(content)))
    throw fail('FIELD_INVALID', { field: 'Filecontent', expected: begins })
  return { mediaType, filename, content, hash: await sha256InSlices(content) }
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
