// The parts of which the schemas of the groups are made: ids, texts, moments, 64-bit words.
import { z } from 'zod'

export const SAMPLE_ID = '7d1a0002-0000-4000-8000-000000000001'
/** Of an operation that is tried on the page, which makes it a new one every time. */
export const SAMPLE_OPERATION = '7d1a0001-0000-4000-8000-000000000001'
const SAMPLE_MOMENT = '2026-01-31T10:15:00Z'

export const uuid = (description: string) => z.string().meta({ format: 'uuid', description })
export const textOf = (description: string) => z.string().describe(description)
export const moment = (description: string) =>
  z.string().meta({ format: 'date-time', description, examples: [SAMPLE_MOMENT] })
export const whole = (description: string) => z.int().describe(description)
export const flag = (description: string) => z.boolean().describe(description)

/** A 64-bit integer that JSON carries as bare digits. */
export const int64 = (description: string) =>
  z.bigint().meta({ type: 'integer', format: 'int64', description })

export interface WordForm {
  /** With the group in front. */
  id: string
  description: string
  /** What a text may look like. */
  text: RegExp
  /** Numbers below 0 are words as well. */
  signed: boolean
  example: string
}

/** A 64-bit word of a request: as text, which no client rounds, or as a number. */
export const wordOf = ({ id, description, text, signed, example }: WordForm) =>
  z
    .union([
      z.string().regex(text).describe('Decimal or hexadecimal; no client rounds a text.'),
      z.bigint().meta({
        type: 'integer',
        format: 'int64',
        ...(signed ? {} : { minimum: 0 }),
        description: 'As a number: only from programs that keep all 64 bits.',
      }),
    ])
    .meta({ id, description, examples: [example] })

/** What comes as JSON and is told nowhere else. */
export const anything = (description: string) => z.unknown().meta({ description })
/** A stream, a picture, a text that is no JSON. */
export const content = () => z.string()

export const json = (schema: z.ZodType, examples?: Readonly<Record<string, unknown>>) => ({
  'application/json': { schema, ...(examples === undefined ? {} : { examples }) },
})

/** One media type with a text in it. */
export const asText = (type: string, examples?: Readonly<Record<string, string>>) => ({
  [type]: { schema: content(), ...(examples === undefined ? {} : { examples }) },
})
