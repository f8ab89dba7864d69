// Values of journal rows as they go into JSON, CSV and XML.
import { JsonNumber } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import { isoText } from '../../lib/ticks.js'

/** Members in their order: what lib/json-write.ts can write. */
export type Row = Record<string, unknown>

/** The text of a value where there are no types: null is undefined, objects are their JSON text. */
export function plainText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return value
  if (value instanceof Date) return isoText(value)
  return writeJson(value)
}

/**
 * A decimal that the database wrote, with at least one decimal place (`12.5`, `0.0`). It may have
 * more digits than a Decimal holds.
 */
export function amountOf(text: string): JsonNumber {
  const [whole = '0', fraction = ''] = text.split('.')
  return new JsonNumber(`${whole}.${fraction.replace(/0+$/, '').padEnd(1, '0')}`)
}

export function base64Of(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('base64')
}
