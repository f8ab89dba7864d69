// The order in which letters of both directions stand on a line (Unicode Standard Annex 9, the
// implicit part: marks of direction are no part of a receipt).

/** A stretch in one direction; its letters in the order of reading. */
export interface Stretch {
  text: string
  toLeft: boolean
}

/** Its bidirectional classes; `PM` are the signs plus and minus. */
type Kind = 'L' | 'R' | 'AL' | 'EN' | 'AN' | 'PM' | 'ET' | 'CS' | 'NSM' | 'ON'

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** True when something in it is read from right to left. */
export function isTurned(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['NSM', /[\p{Mn}\p{Me}]/u],
  ['AN', /[\u0600-\u0605\u0660-\u0669\u066b\u066c\u06dd]/u],
  ['EN', /[0-9\u06f0-\u06f9]/u],
  ['PM', /[+\-\u2212]/u],
  ['ET', /[#%°\p{Sc}\u066a\u2030]/u],
  ['CS', /[,./:\u00a0\u202f\u060c]/u],
  ['AL', /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u],
  ['R', RIGHT_TO_LEFT],
  ['L', /[\p{L}\p{N}\p{Mc}]/u],
]

function kindOf(letter: string): Kind {
  return KINDS.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'ON'
}

/** The stretches of a line from left to right; the first letter gives the line its direction. */
export function stretchesOf(text: string): Stretch[] {
  const letters = Array.from(text)
  const kinds = letters.map(kindOf)
  const first = kinds.find((kind) => kind === 'L' || kind === 'R' || kind === 'AL')
  const base = first === 'R' || first === 'AL' ? 1 : 0
  weak(kinds, base)
  neutral(kinds, base)
  const levels = kinds.map((kind) => levelOf(kind, base))
  return ordered(letters, levels)
}

/** Brackets, of which the one that opens is drawn like the one that closes (rule L4). */
const BRACKETS = '()[]{}<>«»‹›'

/** A text that is drawn to the left, with its brackets the other way round. */
export function mirrored(text: string): string {
  return Array.from(text, (letter) => {
    const at = BRACKETS.indexOf(letter)
    return at < 0 ? letter : (BRACKETS[at ^ 1] ?? letter)
  }).join('')
}

/** Rules W1 to W7: marks, digits and what stands around them. */
function weak(kinds: Kind[], base: number): void {
  const outside: Kind = base === 1 ? 'R' : 'L'
  let before: Kind = outside
  let strong: Kind = outside
  kinds.forEach((kind, at) => {
    let now = kind === 'NSM' ? before : kind
    if (now === 'EN' && strong === 'AL') now = 'AN'
    if (now === 'L' || now === 'R' || now === 'AL') strong = now
    kinds[at] = now
    before = now
  })
  kinds.forEach((kind, at) => {
    const around = kinds[at - 1]
    const same = around !== undefined && around === kinds[at + 1]
    if (kind === 'PM') kinds[at] = same && around === 'EN' ? 'EN' : 'ON'
    if (kind === 'CS') kinds[at] = same && (around === 'EN' || around === 'AN') ? around : 'ON'
  })
  signsOfAmounts(kinds)
  strong = outside
  kinds.forEach((kind, at) => {
    if (kind === 'AL') kinds[at] = 'R'
    if (kind === 'EN' && strong === 'L') kinds[at] = 'L'
    if (kind === 'L' || kind === 'R' || kind === 'AL') strong = kind
  })
}

/** Rule W5: currency and percent signs go with the digits beside them, else they are neutral. */
function signsOfAmounts(kinds: Kind[]): void {
  for (let at = 0; at < kinds.length; at += 1) {
    if (kinds[at] !== 'ET') continue
    let end = at
    while (kinds[end] === 'ET') end += 1
    const becomes: Kind = kinds[at - 1] === 'EN' || kinds[end] === 'EN' ? 'EN' : 'ON'
    kinds.fill(becomes, at, end)
    at = end - 1
  }
}

/** Rules N1 and N2: what has no direction takes that of its sides when they agree. */
function neutral(kinds: Kind[], base: number): void {
  const outside: Kind = base === 1 ? 'R' : 'L'
  const side = (kind: Kind | undefined): Kind =>
    kind === undefined ? outside : kind === 'L' ? 'L' : 'R'
  for (let at = 0; at < kinds.length; at += 1) {
    if (kinds[at] !== 'ON') continue
    let end = at
    while (kinds[end] === 'ON') end += 1
    const left = side(kinds[at - 1])
    kinds.fill(left === side(kinds[end]) ? left : outside, at, end)
    at = end - 1
  }
}

/** Rules I1 and I2: even levels are read to the right. */
function levelOf(kind: Kind, base: number): number {
  if (kind === 'R') return 1
  if (kind === 'L') return base === 0 ? 0 : 2
  return 2
}

/** Rule L2: every stretch of a level or above is turned, the highest first. */
function ordered(letters: readonly string[], levels: readonly number[]): Stretch[] {
  const runs: { text: string; level: number }[] = []
  letters.forEach((letter, at) => {
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    if (last?.level === level) last.text += letter
    else runs.push({ text: letter, level })
  })
  for (const level of [2, 1]) turn(runs, level)
  return runs.map(({ text, level }) => ({ text, toLeft: level % 2 === 1 }))
}

function turn(runs: { level: number }[], level: number): void {
  for (let at = 0; at < runs.length; at += 1) {
    let end = at
    while ((runs[end]?.level ?? -1) >= level) end += 1
    if (end > at) runs.splice(at, end - at, ...runs.slice(at, end).reverse())
    at = Math.max(at, end)
  }
}
