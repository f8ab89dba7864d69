// JSON objects inside texts of a request (ftReceiptCaseData, ftChargeItemCaseData, cbCustomer),
// read leniently: names in any case, numbers as texts, nothing refused.
import { Decimal } from '../../../../lib/decimal.js'
import { JsonNumber, JsonObject, type JsonValue, jsonIn } from '../../../../lib/json.js'
import { parseMoment } from '../../../../lib/moment.js'

export class CaseData {
  private readonly members: ReadonlyMap<string, JsonValue>

  constructor(members: ReadonlyMap<string, JsonValue>) {
    this.members = members
  }

  get isEmpty(): boolean {
    return this.members.size === 0
  }

  /** '' where there is none, or where it is no text and no number. */
  text(name: string): string {
    const value = this.members.get(name.toLowerCase())
    if (typeof value === 'string') return value
    return value instanceof JsonNumber ? value.text : ''
  }

  decimal(name: string): Decimal | undefined {
    return Decimal.parse(this.text(name).trim())
  }

  moment(name: string): Date | undefined {
    return parseMoment(this.text(name))?.date
  }

  child(name: string): CaseData {
    return dataOf(this.members.get(name.toLowerCase()))
  }

  children(name: string): CaseData[] {
    const value = this.members.get(name.toLowerCase())
    return Array.isArray(value) ? value.map(dataOf) : []
  }
}

const NONE = new CaseData(new Map())
const LENIENT = { trailingComma: true }

/** The object in a text; version 2 puts the German one, as text or object, under `DE`. */
export function readCaseData(text: string | null): CaseData {
  if (text === null || text === '') return NONE
  const data = dataOf(jsonIn(text, LENIENT))
  const inner = data.text('DE')
  if (inner !== '') return dataOf(jsonIn(inner, LENIENT))
  const own = data.child('DE')
  return own.isEmpty ? data : own
}

/** The texts of a list in a text (several references of version 2), or the text itself. */
export function textsIn(text: string | null): string[] {
  if (text === null || text.trim() === '') return []
  const value = text.startsWith('[') ? jsonIn(text, LENIENT) : undefined
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [text]
}

function dataOf(value: JsonValue | undefined): CaseData {
  if (!(value instanceof JsonObject)) return NONE
  const members = new Map<string, JsonValue>()
  value.names.forEach((name, at) => {
    members.set(name.toLowerCase(), value.values[at] ?? null)
  })
  return new CaseData(members)
}
