// The signature items of a shown receipt: where each stands and how.

import type { DataStyle, PageRules, ToldAmount } from '../case/traits.js'
import { isVersion2, wordOf } from '../case/word.js'
import type { JsonObject } from '../lib/json.js'
import { parseMoment } from '../lib/moment.js'
import { objectsIn, textIn, wordIn } from '../model/json-members.js'
import { dateText, moneyText, plainLines, plainText } from './plain-text.js'
import type { Told } from './view-marks.js'
import { type Language, wordsOf } from './words.js'

/** Where a signature item stands. */
export type SignaturePlace =
  | 'usual'
  | 'after-header'
  | 'after-items'
  | 'after-total'
  | 'after-footer'
  | 'before-header'

export interface SignatureView {
  place: SignaturePlace
  caption: string
  /** For a reader: a moment is one of the receipt's zone. Of a code: exactly what is signed. */
  data: string
  /** True when the data is to be scanned. */
  code: boolean
  /** What stands there where the code cannot be drawn. */
  text: string
  /** A line of the country's list: label and value. */
  row: boolean
  /** True for a row that only an examiner wants to see. */
  detail: boolean
  /** True for a row that the code of the receipt holds as well. */
  coded: boolean
  /** For who programs the register: the mark of the sandbox, explanations, hints. */
  aside: 'mark' | 'hint' | undefined
  /** Where it is left out: the tagging says on which medium it belongs. */
  only: 'paper' | 'screen' | undefined
}

/** Bits 16 to 19 of ftSignatureFormat. */
const PLACES: readonly SignaturePlace[] = [
  'usual',
  'after-header',
  'after-items',
  'after-total',
  'after-footer',
  'before-header',
]
/** The older spelling of the place, bits of the low word. */
const OLDER: readonly (readonly [bigint, SignaturePlace])[] = [
  [0x0100n, 'after-header'],
  [0x0200n, 'after-items'],
  [0x0400n, 'after-total'],
  [0x0800n, 'after-items'],
]
const TEXT = 1n
/** What a device calls its fields: for who examines the receipt. */
const FIELD = /^<([\w-]+)>$/
const QR = 3n
/** What the law of a country has sent to a portal: a message for programs, in JSON. */
const MESSAGE = 8n
const BASE64 = 0xdn
/** A line that a printer would draw above the text. */
const RULE = /^[-–—=_*. ]+$/

// Flags of ftSignatureType in tagging version 2.
const HIDDEN = 0x0020_0000n
const ONLY_PAPER = 0x0040_0000n
const ONLY_SCREEN = 0x0080_0000n

export interface SignatureSetting {
  rules: PageRules | undefined
  told: Told
  language: Language
  zone: string
}

export function signaturesOf(response: JsonObject, setting: SignatureSetting): SignatureView[] {
  const items = objectsIn(response, 'ftSignatures')
  const sandbox = items.some(isSandboxMark)
  const { told } = setting
  const marked = new Set(told.marks.map(({ item }) => item))
  const head = new Set(told.head.map(({ value }) => value))
  return items.flatMap((item, at) => {
    const type = wordIn(item, 'ftSignatureType') ?? 0n
    const format = wordIn(item, 'ftSignatureFormat') ?? 0n
    const one = told.items[at]
    if (isHidden(type, format) || (one !== undefined && marked.has(one))) return []
    // a number that stands in the head is told once
    if ((format & 0xffn) === TEXT && head.has(textIn(item, 'Data'))) return []
    return viewOf(item, { ...setting, sandbox, type, format })
  })
}

const SANDBOX = 'S A N D B O X'

function isSandboxMark(item: JsonObject): boolean {
  return textIn(item, 'Caption') === SANDBOX
}

/** Type without country and version; flags of version 2 stay. */
const KIND = 0x0000_0fff_ffff_ffffn
/** Information that need not be printed, by the kind without its last three digits. */
const OPTIONAL_INFORMATION = 0x10_1000n

/**
 * Explanations of the sandbox have no kind. Neither has what the law wants a receipt to be named;
 * that says the same twice.
 */
function asideOf(
  item: JsonObject,
  { sandbox, type, format }: { sandbox: boolean; type: bigint; format: bigint },
): SignatureView['aside'] {
  if (isSandboxMark(item)) return 'mark'
  if (!sandbox || (format & 0xffn) !== TEXT) return undefined
  const kind = type & KIND
  const named = textIn(item, 'Caption') === textIn(item, 'Data')
  const explains = kind === 0n && !named
  return explains || (kind & ~0xfffn) === OPTIONAL_INFORMATION ? 'hint' : undefined
}

/** In version 0 the proofs of a device in base64 have no flag that hides them. */
function isHidden(type: bigint, format: bigint): boolean {
  const word = wordOf(type)
  if (isVersion2(word)) return (type & HIDDEN) !== 0n
  return word.country !== 0 && (format & 0xffn) === BASE64
}

function viewOf(
  item: JsonObject,
  setting: SignatureSetting & { type: bigint; format: bigint; sandbox: boolean },
): SignatureView {
  const { rules, language, type, format } = setting
  const flags = isVersion2(wordOf(type)) ? type : 0n
  const exact = textIn(item, 'Data')
  const message = (format & 0xffn) === MESSAGE && exact.startsWith('{')
  const style = rules?.signatureStyle(type)
  const given = plainText(textIn(item, 'Caption'))
  const field = FIELD.exec(given)?.[1]
  const row = style !== undefined || field !== undefined || message
  // a value beside its label is one line
  const data = row ? plainText(exact) : plainLines(exact)
  const shown = style === undefined ? data : styledText({ as: style.as, exact, data }, setting)
  const code = (format & 0xffn) === QR
  const caption = style ? wordsOf(language)[style.label] : (field ?? given)
  return {
    place: placeOf(type, format),
    // some say the same twice, for registers that print one of both only
    caption: caption === data || RULE.test(caption) ? '' : caption,
    data: code ? exact : shown,
    code,
    text: code ? plainText(rules?.codeText(exact) ?? exact) : data,
    row,
    detail: style?.detail ?? (field !== undefined || message),
    coded: style !== undefined && typeof style.as === 'string',
    aside: code ? undefined : asideOf(item, setting),
    only: message ? 'screen' : onlyOf(flags),
  }
}

function onlyOf(flags: bigint): SignatureView['only'] {
  if ((flags & ONLY_PAPER) !== 0n) return 'paper'
  return (flags & ONLY_SCREEN) === 0n ? undefined : 'screen'
}

/** As the country says; `data`: without what a page never shows. */
function styledText(
  { as, exact, data }: { as: DataStyle; exact: string; data: string },
  setting: SignatureSetting,
): string {
  if (as === 'data') return data
  if (as === 'moment') return momentText(data, setting)
  const amounts = as(exact)
  return amounts === undefined ? data : amountsText(amounts, setting)
}

/** `13,10 (20 % 5,50 · 10 % 7,60)` */
function amountsText(amounts: readonly ToldAmount[], { language }: SignatureSetting): string {
  const texts = amounts.map(({ name, amount }) => `${name} ${moneyText(amount, language)}`.trim())
  const [total = '', ...parts] = texts
  return parts.length === 0 ? total : `${total} (${parts.join(' · ')})`
}

/** What is no moment stays as it is. */
function momentText(data: string, { zone, language }: SignatureSetting): string {
  const moment = parseMoment(data)?.date
  return moment === undefined ? data : dateText(moment, { zone, language, seconds: true })
}

/** A country's own words of version 0 have other flags where version 2 has the place. */
function placeOf(type: bigint, format: bigint): SignaturePlace {
  const word = wordOf(type)
  const own = word.country !== 0 && !isVersion2(word)
  const place = PLACES[own ? 0 : Number((format >> 16n) & 0xfn)] ?? 'usual'
  if (place !== 'usual') return place
  return OLDER.find(([flag]) => (format & flag) !== 0n)?.[1] ?? 'usual'
}
