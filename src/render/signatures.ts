// The signature items of a shown receipt: where each stands and how. Called by view.ts.
import type { JsonObject } from '../lib/json.js'
import { objectsIn, textIn, wordIn } from '../model/json-members.js'
import { plainText } from './plain-text.js'

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
  data: string
  /** True when the data is to be scanned. */
  code: boolean
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
const QR = 3n

// Flags of ftSignatureType in tagging version 2.
const HIDDEN = 0x0020_0000n
const ONLY_PAPER = 0x0040_0000n
const ONLY_SCREEN = 0x0080_0000n

export function signaturesOf(response: JsonObject): SignatureView[] {
  return objectsIn(response, 'ftSignatures').flatMap((item) => {
    const type = wordIn(item, 'ftSignatureType') ?? 0n
    const flags = ((type >> 44n) & 0xfn) === 2n ? type : 0n
    const format = wordIn(item, 'ftSignatureFormat') ?? 0n
    if ((flags & HIDDEN) !== 0n) return []
    const paper = (flags & ONLY_PAPER) !== 0n
    const screen = (flags & ONLY_SCREEN) !== 0n
    return {
      place: placeOf(format),
      caption: plainText(textIn(item, 'Caption')),
      data: plainText(textIn(item, 'Data')),
      code: (format & 0xffn) === QR,
      only: paper ? 'paper' : screen ? 'screen' : undefined,
    }
  })
}

function placeOf(format: bigint): SignaturePlace {
  const place = PLACES[Number((format >> 16n) & 0xfn)] ?? 'usual'
  if (place !== 'usual') return place
  return OLDER.find(([flag]) => (format & flag) !== 0n)?.[1] ?? 'usual'
}
