// Zod schemas as JSON Schema of a document: what has an id becomes a component with a name.
import { z } from 'zod'
import { inOlderForm, type Json, withFewest } from './older-form.js'

export type { Json }

export type OpenApiVersion = '3.1' | '3.0'

const TARGETS = { '3.1': 'draft-2020-12', '3.0': 'openapi-3.0' } as const
/** Where the schemas with an id are put by zod. */
const PLACES = ['$defs', 'definitions'] as const
const COMPONENTS = '#/components/schemas/'

/**
 * The id of a schema is `group.Name`, because ids are unique in a program; the document has the
 * name alone.
 */
const nameOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1)

/** Collects the named schemas of one document while its calls are written. */
export class Components {
  private readonly known = new Map<string, { id: string; text: string; schema: Json }>()

  /** `meanings`: of members whose schema says nothing, by name. */
  constructor(
    private readonly version: OpenApiVersion,
    private readonly meanings: Readonly<Record<string, string>> = {},
  ) {}

  /** The schema, or the reference to it. Throws where two schemas want one name. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const made = z.toJSONSchema(schema, {
      target: TARGETS[this.version],
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => this.tidy(jsonSchema as Json, io),
    }) as Json
    const { $schema: _, $defs: _d, definitions: _e, ...rest } = made
    for (const place of PLACES) {
      for (const [id, one] of Object.entries((made[place] ?? {}) as Json))
        this.keep(id, one as Json)
    }
    return referring(rest) as Json
  }

  /** Of several forms of one answer those that the document shows. */
  toldOf(schemas: readonly z.ZodType[]): readonly z.ZodType[] {
    return this.version === '3.1' ? schemas : withFewest(schemas)
  }

  all(): Json {
    const sorted = [...this.known].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]))
  }

  /** An answer may have members that are not told yet; of 3.0 an example is one, not a list. */
  private tidy(schema: Json, io: 'input' | 'output'): void {
    if (schema.additionalProperties === false) delete schema.additionalProperties
    for (const [name, member] of Object.entries((schema.properties ?? {}) as Json)) {
      const meaning = this.meanings[name]
      const known = member as Json
      if (meaning !== undefined) known.description ??= meaning
    }
    if (this.version === '3.1') return
    inOlderForm(schema, io)
    if (!Array.isArray(schema.examples)) return
    schema.example = schema.examples[0]
    delete schema.examples
  }

  private keep(id: string, given: Json): void {
    const name = nameOf(id)
    const schema = referring(given) as Json
    const text = JSON.stringify(schema)
    const known = this.known.get(name)
    if (known === undefined) this.known.set(name, { id, text, schema })
    else if (known.text !== text) throw new Error(`two schemas of one document are called ${name}`)
  }
}

function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      if (one === undefined || name === '~standard' || name === 'id') {
        return name === 'id' && typeof one === 'object' ? [[name, referring(one)]] : []
      }
      return [[name, name === '$ref' ? referenceOf(String(one)) : referring(one)]]
    }),
  )
}

const referenceOf = (place: string): string =>
  COMPONENTS + nameOf(place.slice(place.lastIndexOf('/') + 1))
