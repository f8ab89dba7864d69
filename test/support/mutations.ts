// Calls that are nearly right: one or two places of an example are something else.
import fc from 'fast-check'

/** Digits that a number of JavaScript does not hold, as they go over the wire. */
class Digits {
  constructor(readonly text: string) {}
}

const TEXTS = [
  ...['', ' ', 'a', 'null', 'true', '-1', '1,5', '0x10', '%', '%00', '__proto__', 'constructor'],
  ...['\u0000', 'a\u0000b', '\ud800', '\u202eabc', '😀', 'İ', 'ß'.repeat(100), 'x'.repeat(10_000)],
  ...['AT', 'at', 'XX', 'a@b', '=1+1', '\r\nX-A: b', '../../etc/passwd', "';drop table queue;--"],
  ...['<script>alert(1)</script>', 'javascript:alert(1)', 'file:///etc/passwd', 'not-a-guid'],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['2026-02-30T25:61:00Z', '0001-01-01T00:00:00', '9999-12-31T23:59:59.9999999Z'],
  ...['2026-03-29T02:30:00', '2026-11-28T10:00:00+99:99', '+275760-09-13T00:00:00.001Z'],
]
const NUMBERS = [
  ...['0', '-0', '1', '-1', '1.0', '1E+2', '1e400', '1e-400', '9e999999999'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809'],
  ...['18446744073709551616', '0.1234567890123456789012345678', '9'.repeat(40)],
]
const NESTED = [null, true, false, [], {}, [[]], [null], [{}], { a: 1 }]
const ODD: readonly unknown[] = [...TEXTS, ...NUMBERS.map((one) => new Digits(one)), ...NESTED]

/** Of a query or a header. */
export const oddText = fc.constantFrom(...TEXTS, ...NUMBERS)

const KINDS = ['replace', 'drop', 'double', 'twice', 'add', 'longer', 'shorter', 'case'] as const

export interface Mutation {
  kind: (typeof KINDS)[number]
  /** Which of the places, counted around. */
  place: number
  odd: unknown
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    place: fc.nat(1_000_000),
    odd: fc.constantFrom(...ODD),
  }),
  { minLength: 1, maxLength: 2 },
)

type Members = Record<string, unknown>
/** Members that come twice. */
type Doubled = Map<object, [string, unknown][]>

/** JSON of the value with these places changed; names of `members` are added to what it is. */
export function mutatedJson(
  value: unknown,
  changes: readonly Mutation[],
  members: readonly string[] = [],
): string {
  const root: Members = { value: structuredClone(value) }
  const doubled: Doubled = new Map()
  for (const change of changes) {
    const places = placesOf(root)
    const place = places[change.place % places.length]
    if (place !== undefined) mutate(place, change, { doubled, members })
  }
  return written(root.value, doubled)
}

interface Place {
  holder: Members | unknown[]
  name: string
}

function placesOf(holder: object): Place[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    const here = { holder: holder as Place['holder'], name }
    const isOpen = typeof value === 'object' && value !== null && !(value instanceof Digits)
    return isOpen ? [here, ...placesOf(value as object)] : [here]
  })
}

interface Around {
  doubled: Doubled
  members: readonly string[]
}

function mutate(
  { holder, name }: Place,
  { kind, place, odd }: Mutation,
  { doubled, members }: Around,
): void {
  const at = holder as Members
  const { [name]: value } = at
  const text = typeof value === 'string' ? value : undefined
  if (kind === 'drop' && Array.isArray(holder)) holder.splice(Number(name), 1)
  else if (kind === 'drop') Reflect.deleteProperty(at, name)
  else if (kind === 'double') at[name] = [value, value]
  else if (kind === 'twice' && !Array.isArray(holder)) {
    doubled.set(holder, [...(doubled.get(holder) ?? []), [name, odd]])
  } else if (kind === 'add' && !Array.isArray(holder)) {
    at[members[place % members.length] ?? 'unheardOf'] = odd
  } else if (kind === 'longer' && text !== undefined) at[name] = `${text}${String(odd)}`
  else if (kind === 'shorter' && text !== undefined) at[name] = text.slice(1)
  else if (kind === 'case' && text !== undefined) at[name] = swapped(text)
  else at[name] = odd
}

const swapped = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()

function written(value: unknown, doubled: Doubled): string {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) return `[${value.map((one) => written(one, doubled)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = [...Object.entries(value), ...(doubled.get(value) ?? [])]
  const texts = members.map(([name, one]) => `${JSON.stringify(name)}:${written(one, doubled)}`)
  return `{${texts.join()}}`
}
