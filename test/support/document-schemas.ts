// The schemas of an OpenAPI 3.1 document, to compare values with.
import { Ajv2020 } from 'ajv/dist/2020.js'
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
  return {
    faultsOf: (pointer, value) => {
      const check = ajv.compile({ $ref: `${KEY}#/${pointer.map(escaped).join('/')}` })
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
