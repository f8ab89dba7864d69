// Hints about the members of a request as it came: names that nobody reads, amounts that are
// missing. Made while the request is read, so that its text need not be kept in pieces.
import { JsonObject, type JsonValue } from '../../lib/json.js'
import { chargeItemFields, payItemFields, requestFields } from '../../model/receipt-fields.js'
import { nearestName } from './nearest-name.js'

export interface Hint {
  code: string
  data: string
}

/** More hints than anybody reads. */
export const MOST_HINTS = 10

interface Names {
  /** In lower case, with the spelling that is told. */
  lower: ReadonlyMap<string, string>
  /** As nearly everybody writes them: known at one look. */
  usual: ReadonlySet<string>
}

function namesOf(fields: readonly { name: string; aliases?: readonly string[] }[]): Names {
  const lower = new Map<string, string>()
  const usual = new Set<string>()
  for (const { name, aliases = [] } of fields) {
    for (const one of [name, ...aliases]) {
      lower.set(one.toLowerCase(), name)
      usual.add(one)
    }
  }
  return { lower, usual }
}

const requestNames = namesOf(requestFields)
const LISTS: readonly (readonly [list: string, names: Names])[] = [
  ['cbChargeItems', namesOf(chargeItemFields)],
  ['cbPayItems', namesOf(payItemFields)],
]

/** `tellsMissing`: false where the form cannot tell a missing amount from 0 (gRPC). */
export function memberHints(root: JsonObject, tellsMissing: boolean): Hint[] {
  const hints: Hint[] = []
  addMisspelt(hints, root, { names: requestNames, path: '' })
  for (const [list, names] of LISTS) {
    const items = itemsIn(root, list)
    for (const [at, item] of items.entries()) {
      if (hints.length >= MOST_HINTS) return hints
      if (!(item instanceof JsonObject)) continue
      addMisspelt(hints, item, { names, path: list, at })
      if (!tellsMissing || item.names.some(isAmount)) continue
      hints.push({ code: 'AmountMissing', data: `${list}[${at}] has no Amount; it counts as 0.` })
    }
  }
  return hints
}

const isAmount = (name: string): boolean => name === 'Amount' || name.toLowerCase() === 'amount'

/** Of several spellings of the list the last one counts. */
function itemsIn({ names, values }: JsonObject, list: string): readonly JsonValue[] {
  const lower = list.toLowerCase()
  // a body may have a hundred thousand names: most differ in their length
  const at = names.findLastIndex(
    (name) => name.length === lower.length && (name === list || name.toLowerCase() === lower),
  )
  const value = values[at]
  return Array.isArray(value) ? value : []
}

const LONGEST_NAME = 64
const MOST_NAMES = 100

/** Where the members stand: the request itself, or one item of a list. */
interface Place {
  names: Names
  path: string
  at?: number
}

/** Nothing is made for names that are read: this runs for every receipt of the sandbox. */
function addMisspelt(hints: Hint[], { names: sent }: JsonObject, place: Place): void {
  const { usual, lower } = place.names
  const end = Math.min(sent.length, MOST_NAMES)
  for (let index = 0; index < end; index += 1) {
    const name = sent[index] ?? ''
    if (usual.has(name) || lower.has(name.toLowerCase()) || name.length > LONGEST_NAME) continue
    const meant = nearestName(name, lower)
    if (meant === undefined) continue
    const path = place.at === undefined ? '' : `${place.path}[${place.at}].`
    hints.push({ code: 'MemberUnknown', data: `${path}${name} is not read; ${meant} is.` })
  }
}
