// The properties of receipt settings: which there are, what they may be, how a change is merged.
import { type FieldFault, failFields } from '../../../errors.js'
import { COLOUR, contrastOf, LEAST_CONTRAST } from '../../../lib/colours.js'
import { isUuid } from '../../../lib/id.js'

export type Value = string | number | boolean | string[]

/** Names as existing tools write them. `logourl` is kept apart: it is a picture. */
export type SettingsDocument = Record<string, Value>

/** What a request sets; null takes away. Undefined logo: it stays as it is. */
export interface SettingsChange {
  values: Record<string, Value | null>
  logo: string | null | undefined
}

interface Kind {
  expected: string
  /** Undefined for what is no value of this kind. */
  read(given: unknown): Value | undefined
}

// control characters other than tab and line ends
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const text = (most: number): Kind => ({
  expected: `a text of at most ${most} characters`,
  read: (given) => {
    if (typeof given !== 'string' || given.length > most || CONTROLS.test(given)) return undefined
    return given.toWellFormed().trim()
  },
})

const bool: Kind = {
  expected: 'true or false',
  read: (given) => {
    if (typeof given === 'boolean') return given
    return given === 'true' || given === 'false' ? given === 'true' : undefined
  },
}

/** As wide as a logo is kept. */
export const MOST_PIXELS = 400

const pixels: Kind = {
  expected: `a whole number from 1 to ${MOST_PIXELS}`,
  read: (given) => {
    const count = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : given
    if (typeof count !== 'number' || !Number.isInteger(count)) return undefined
    return count >= 1 && count <= MOST_PIXELS ? count : undefined
  },
}

const colour: Kind = {
  expected: 'a colour as #rrggbb',
  read: (given) =>
    typeof given === 'string' && COLOUR.test(given) ? given.toLowerCase() : undefined,
}

const app: Kind = {
  expected: 'the id of an app',
  read: (given) => (typeof given === 'string' && isUuid(given) ? given.toLowerCase() : undefined),
}

const MOST_APPS = 10

const apps: Kind = {
  expected: `a list of at most ${MOST_APPS} ids of apps`,
  read: (given) => {
    const parts = typeof given === 'string' ? given.split(',').map((one) => one.trim()) : given
    if (!Array.isArray(parts) || parts.length > MOST_APPS) return undefined
    const ids = parts.filter((one) => typeof one === 'string' && isUuid(one))
    return ids.length === parts.length ? ids.map((id) => String(id).toLowerCase()) : undefined
  },
}

/** Longer addresses are not typed, they are made. */
const LONGEST_ADDRESS = 500

const web: Kind = {
  expected: 'an address that begins with https:// or http://',
  read: (given) => {
    if (typeof given !== 'string' || given.length > LONGEST_ADDRESS) return undefined
    const address = given.trim()
    if (!/^https?:\/\/[^\s\\]+$/i.test(address) || !URL.canParse(address)) return undefined
    const url = new URL(address)
    return url.username === '' && url.password === '' ? url.href : undefined
  },
}

const KINDS: Record<string, Kind> = {
  name1Text: text(200),
  address1Text: text(250),
  address1PostalCode: text(20),
  address1City: text(80),
  Country: text(80),
  vat: text(50),
  logowidth: pixels,
  logoheight: pixels,
  footertext: text(2000),
  website: web,
  showFeedback: bool,
  feedbackRedirectAppId: app,
  shareButtonAppIds: apps,
  printBewirtungsBeleg: bool,
  enableConsumerApp: bool,
  layout_html: text(50_000),
  primaryColor: colour,
  backgroundColor: colour,
}
const LOGO = 'logourl'

/** All that can be set, as it is spelled. */
export const SETTING_NAMES: readonly string[] = [...Object.keys(KINDS), LOGO]

const spellings = new Map(SETTING_NAMES.map((name) => [name.toLowerCase(), name]))

/** Names in any case; unknown ones have no effect. Throws FIELD_INVALID for a wrong value. */
export function readChange(body: unknown): SettingsChange {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw failFields([{ path: '$', expected: 'an object', isMissing: false }])
  }
  const change: SettingsChange = { values: {}, logo: undefined }
  const faults: FieldFault[] = []
  for (const [spelled, given] of Object.entries(body)) {
    const name = spellings.get(spelled.toLowerCase())
    const fault = name === undefined ? undefined : take(change, name, given)
    if (fault !== undefined) faults.push(fault)
  }
  if (faults.length > 0) throw failFields(faults)
  return change
}

function take(change: SettingsChange, name: string, given: unknown): FieldFault | undefined {
  const isEmpty = given === null || given === ''
  if (name === LOGO) {
    if (!isEmpty && typeof given !== 'string') return fault(name, 'an address or a data: image')
    change.logo = isEmpty ? null : String(given)
    return undefined
  }
  const kind = KINDS[name]
  if (kind === undefined) return undefined
  const value = isEmpty ? null : kind.read(given)
  if (value === undefined) return fault(name, kind.expected)
  change.values[name] = value
  return undefined
}

function fault(path: string, expected: string): FieldFault {
  return { path, expected, isMissing: false }
}

/** Throws FIELD_INVALID when the colours cannot be read on each other. */
export function merge(
  old: SettingsDocument,
  values: Record<string, Value | null>,
): SettingsDocument {
  const entries = Object.entries({ ...old, ...values })
  const document = Object.fromEntries(
    entries.filter((entry): entry is [string, Value] => entry[1] !== null),
  )
  const colours = coloursOf(document)
  if (colours !== undefined && contrastOf(...colours) < LEAST_CONTRAST) {
    const expected = `a contrast of at least ${LEAST_CONTRAST} between it and backgroundColor`
    throw failFields([fault('primaryColor', expected)])
  }
  return document
}

/** Of a page without colours of its own. */
const USUAL = ['#10201c', '#ffffff'] as const

/** Text and ground; one that is missing is the usual one. Undefined: nothing was set. */
export function coloursOf({
  primaryColor,
  backgroundColor,
}: SettingsDocument): [primary: string, background: string] | undefined {
  if (primaryColor === undefined && backgroundColor === undefined) return undefined
  return [String(primaryColor ?? USUAL[0]), String(backgroundColor ?? USUAL[1])]
}

/** A stored document; what is not of this time is left out. */
export function documentOf(text: string): SettingsDocument {
  const parsed: unknown = JSON.parse(text)
  const entries = Object.entries(Object(parsed) as Record<string, unknown>)
  return Object.fromEntries(
    entries.flatMap(([name, given]) => {
      const value = KINDS[name]?.read(given)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
