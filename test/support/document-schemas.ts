// The schemas of an OpenAPI 3.1 document, to compare values with.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Node = Record<string, unknown>

const KEY = 'document'
const escaped = (word: string): string => word.replaceAll('~', '~0').replaceAll('/', '~1')

export interface DocumentSchemas {
  /** Where a value is not what the document says of this place; [] where it is. */
  faultsOf(pointer: readonly string[], value: unknown): string[]
}

/** `closed`: members that the schema does not name are faults. */
export function schemasOf(document: unknown, closed = false): DocumentSchemas {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const whole = JSON.parse(JSON.stringify(document)) as Node
  if (closed) close(whole)
  ajv.addSchema({ ...whole, $id: KEY })
  // of each place once: a check costs 50 ms to make and nothing to use
  const checks = new Map<string, ValidateFunction>()
  const checkOf = (place: string): ValidateFunction => {
    const known = checks.get(place)
    if (known !== undefined) return known
    const made = ajv.compile({ $ref: `${KEY}#/${place}` })
    checks.set(place, made)
    return made
  }
  return {
    faultsOf: (pointer, value) => {
      const check = checkOf(pointer.map(escaped).join('/'))
      check(value)
      return (check.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `$${instancePath}: ${message} ${JSON.stringify(params)}`,
      )
    },
  }
}

function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const { type, properties } = node as Node
  if (type === 'object' && properties !== undefined) {
    ;(node as Node).additionalProperties ??= false
  }
  for (const one of Object.values(node)) close(one)
}
