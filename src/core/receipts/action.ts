// What somebody wants to do with an issued receipt: the body of a PUT, checked.
import { fail } from '../../errors.js'
import { JsonNumber, JsonObject, type JsonValue } from '../../lib/json.js'
import { bodyObjectInSlices } from '../../model/body-json.js'
import { memberOf } from '../../model/json-members.js'
import { CHANNELS, type Channel } from '../../notify/transport.js'
import { chooseFormat, type Format } from '../../render/accept.js'
import { PUBLIC_FORMATS } from './show.js'
import { readUpload, type Upload } from './upload.js'

export type Brand = 'none' | 'epson' | 'star'
export type Attach = 'none' | 'pdf' | 'png'

export type Action =
  | { action: 'accept' | 'view' }
  | { action: 'link'; host: URL; path: string; handout: boolean }
  | { action: 'download'; format: Format }
  | { action: 'print'; format: Format; widthMm: number; brand: Brand | undefined }
  | { action: 'send'; scheme: Channel; address: string; attach: Attach; send: boolean }
  | ({ action: 'upload' } & Upload)

const ACTIONS = ['accept', 'view', 'link', 'download', 'print', 'send', 'upload'] as const

/**
 * Names and words in any case. Throws FiscalError (kind invalid) that names the member, and
 * BODY_TOO_LARGE.
 */
export async function readAction(bodyText: string): Promise<Action> {
  if (bodyText.trim() === '') throw fail('BODY_MISSING', { expected: '{"Action":"accept"}' })
  const body = await bodyObjectInSlices(bodyText, 'it is no object')
  checkSize(bodyText, memberOf(body, 'Action'))
  const action = wordOf(body, { field: 'Action', words: ACTIONS })
  switch (action) {
    case 'accept':
    case 'view':
      return { action }
    case 'link':
      return { action, ...linkOf(body) }
    case 'download':
      return { action, format: formatOf(body, 'pdf') }
    case 'print':
      return { action, ...paperOf(body) }
    case 'send':
      return { action, ...messageOf(body) }
    case 'upload':
      return { action, ...(await readUpload(body)) }
  }
}

/** Only a file needs more than the body of any other call. */
const MOST_WITHOUT_FILE = 256 * 1024

function checkSize(bodyText: string, action: JsonValue | undefined): void {
  if (bodyText.length <= MOST_WITHOUT_FILE) return
  if (typeof action === 'string' && action.toLowerCase() === 'upload') return
  throw fail('BODY_TOO_LARGE', { limit: MOST_WITHOUT_FILE })
}

interface Wanted<W extends string> {
  /** As it is named to the caller: its last part is the member. */
  field: string
  words: readonly W[]
  /** Left out: the member is needed. */
  fallback?: W
}

function wordOf<W extends string>(object: JsonObject, { field, words, fallback }: Wanted<W>): W {
  const value = memberOf(object, field.split('.').at(-1) ?? '') ?? ''
  const expected = `one of ${words.join(', ')}`
  if (value === '' && fallback !== undefined) return fallback
  if (value === '') throw fail('FIELD_MISSING', { field, expected })
  const lower = typeof value === 'string' ? value.toLowerCase() : ''
  const word = words.find((one) => one === lower)
  if (word === undefined) throw fail('FIELD_INVALID', { field, expected })
  return word
}

/** The interface's list; which of them can be made is another question. */
const MEDIA_TYPES = [
  ...['text/html', 'text/plain', 'application/pdf', 'image/png', 'image/jpeg'],
  'text/vnd.esc-pos',
] as const

/** By media type, whatever its parameters; `usual` is the name of the format without one. */
function formatOf(body: JsonObject, usual: string): Format {
  const field = 'Format'
  const given = memberOf(body, field) ?? ''
  if (given === '')
    return madeOf(
      usual,
      PUBLIC_FORMATS.find(({ name }) => name === usual),
    )
  const expected = `one of ${MEDIA_TYPES.join(', ')}`
  if (typeof given !== 'string') throw fail('FIELD_INVALID', { field, expected })
  const type = given.split(';')[0]?.trim().toLowerCase() ?? ''
  const known = MEDIA_TYPES.find((one) => one === type)
  if (known === undefined) throw fail('FIELD_INVALID', { field, expected })
  return madeOf(
    known,
    PUBLIC_FORMATS.find(({ mediaType }) => baseOf(mediaType) === known),
  )
}

const baseOf = (mediaType: string): string => mediaType.split(';')[0] ?? ''

function madeOf(asked: string, format: Format | undefined): Format {
  if (format !== undefined) return format
  const formats = PUBLIC_FORMATS.map(({ mediaType }) => mediaType).join(', ')
  throw fail('FORMAT_UNSUPPORTED', { accept: asked, formats })
}

const BRANDS = ['none', 'epson', 'star'] as const
const WIDTHS = { least: 40, usual: 80, most: 120 }

function paperOf(body: JsonObject): Omit<Extract<Action, { action: 'print' }>, 'action'> {
  const format = formatOf(body, 'escpos')
  const field = 'EscPosBrand'
  const named = (memberOf(body, field) ?? '') !== ''
  const brand = named ? wordOf(body, { field, words: BRANDS }) : undefined
  const printWidth = `${widthOf(memberOf(body, 'Width'))}mm`
  // not every format has every width
  const choice = chooseFormat([format], { accept: undefined, format: format.name, printWidth })
  return { format, widthMm: choice?.widthMm ?? WIDTHS.usual, brand }
}

/** Whole millimetres; beyond what printers have, the nearest that there is. */
function widthOf(value: JsonValue | undefined): number {
  if (value === undefined || value === '') return WIDTHS.usual
  const text = value instanceof JsonNumber ? value.text : value
  if (typeof text !== 'string' || !/^\d{1,4}$/.test(text) || Number(text) === 0) {
    throw fail('FIELD_INVALID', { field: 'Width', expected: 'a whole number of millimetres' })
  }
  return Math.min(WIDTHS.most, Math.max(WIDTHS.least, Number(text)))
}

function targetOf(body: JsonObject): JsonObject {
  const value = memberOf(body, 'Target')
  if (value instanceof JsonObject) return value
  const code = value === undefined ? 'FIELD_MISSING' : 'FIELD_INVALID'
  throw fail(code, { field: 'Target', expected: 'an object' })
}

function textIn(object: JsonObject, field: string, expected: string): string {
  const value = memberOf(object, field.split('.').at(-1) ?? '') ?? ''
  if (value === '') throw fail('FIELD_MISSING', { field, expected })
  if (typeof value !== 'string') throw fail('FIELD_INVALID', { field, expected })
  return value
}

function flagOf(object: JsonObject, field: string, fallback: boolean): boolean {
  const value = memberOf(object, field.split('.').at(-1) ?? '')
  if (value === undefined) return fallback
  if (typeof value === 'boolean') return value
  throw fail('FIELD_INVALID', { field, expected: 'true or false' })
}

/** Whether an address is one is checked where it is used. */
function messageOf(body: JsonObject): Omit<Extract<Action, { action: 'send' }>, 'action'> {
  const target = targetOf(body)
  const scheme = wordOf(target, { field: 'Target.Scheme', words: CHANNELS })
  const given = textIn(target, 'Target.Address', 'an e-mail address or a telephone number')
  const words = ['none', 'pdf', 'png'] as const
  return {
    scheme,
    address: given,
    attach: wordOf(target, { field: 'Target.Attach', words, fallback: 'none' }),
    send: flagOf(target, 'Target.Send', true),
  }
}

/** `/` and words behind it; no empty one, no dots alone, nothing that has to be escaped. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/
const LONGEST_PATH = 200
const LONGEST_HOST = 500

/** Also as `Alias`: the whole address in one. */
function linkOf(body: JsonObject): { host: URL; path: string; handout: boolean } {
  const target = targetOf(body)
  const handout = flagOf(body, 'Handout', false) || flagOf(target, 'Target.Handout', false)
  const alias = memberOf(target, 'Alias') ?? ''
  if (alias !== '') {
    const host = hostOf(alias, 'Target.Alias')
    return { host, path: pathOf(host.pathname, 'Target.Alias'), handout }
  }
  const host = hostOf(textIn(target, 'Target.Host', HOST), 'Target.Host')
  const front = host.pathname.replace(/\/+$/, '')
  const given = textIn(target, 'Target.Path', PATHS)
  const path = pathOf(`${front}/${given.replace(/^\/+/, '')}`, 'Target.Path')
  return { host, path, handout }
}

const HOST = 'an address such as https://r.example'
const PATHS = `a path of letters, digits and ._~- within slashes, at most ${LONGEST_PATH} long`

function hostOf(given: JsonValue, field: string): URL {
  const text = typeof given === 'string' && given.length <= LONGEST_HOST ? given : ''
  if (/^https?:\/\/[^\s@]+$/i.test(text) && URL.canParse(text)) return new URL(text)
  throw fail('FIELD_INVALID', { field, expected: HOST })
}

function pathOf(given: string, field: string): string {
  const path = given.replace(/\/+$/, '')
  if (path.length <= LONGEST_PATH && PATH.test(path)) return path
  throw fail('FIELD_INVALID', { field, expected: PATHS })
}
