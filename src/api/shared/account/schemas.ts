// The small parts that bodies, paths and queries are made of.
import { z } from 'zod'
import { isUuid } from '../../../lib/id.js'
import { isoOf } from '../../../lib/iso-text.js'
import type { JsonValue } from '../../../lib/json.js'
import { parseMoment } from '../../../lib/moment.js'
import { isCountry } from '../../../model/countries.js'
import type { SentenceKey } from '../../../notify/message.js'

/** What a refusal of `refine` says, in the language of the caller. */
export const say = (key: SentenceKey) => ({ params: { say: key } })

/** A GUID in any case, with or without braces; lower case afterwards. */
export const uuid = () =>
  z
    .string()
    .overwrite((text) =>
      text
        .trim()
        .replace(/^\{(.*)\}$/, '$1')
        .toLowerCase(),
    )
    .refine(isUuid, say('uuidNeeded'))
    .meta({ format: 'uuid' })

const notBlank = (text: string) => text.trim() !== ''

/** Kept as it was sent; blank is refused. */
export const text = (max: number) =>
  z.string().max(max).refine(notBlank, say('notBlank')).meta({ minLength: 1 })

/** Left out, null and nothing but blanks all become null. */
export const optionalText = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((value) =>
      value === undefined || value === null || !notBlank(value) ? null : value,
    )

export const int32 = (min: number, max = 2 ** 31 - 1) => z.int().min(min).max(max)

/** ISO 3166-1 alpha-2, upper case afterwards. */
export const country = () =>
  z
    .string()
    .overwrite((value) => value.trim().toUpperCase())
    .refine(isCountry, say('countryNeeded'))
    .meta({ minLength: 2, maxLength: 2 })

/** ISO 8601; without offset it is UTC. */
export const moment = () =>
  z
    .string()
    .meta({ format: 'date-time' })
    .transform((value, context) => {
      const found = parseMoment(value)
      if (found !== undefined) return found.date
      context.addIssue({ code: 'custom', ...say('momentNeeded') })
      return z.NEVER
    })

/** As `moment`, also without seconds, and a day alone, which is its midnight; of a query. */
export const dayOrMoment = () =>
  z
    .string()
    .overwrite((text) => isoOf(text) ?? text)
    .pipe(moment())
    .optional()

/** In the order of their ordinals. */
export const ACCESS_RIGHTS = ['Undefined', 'None', 'Read', 'ReadWrite', 'Full'] as const
export const accessRights = () => z.enum(ACCESS_RIGHTS)

/** Any JSON, with numbers as they were written. */
export const anyJson = () => z.custom<JsonValue>((value) => value !== undefined)

const INT64 = 2n ** 63n

/** A 64-bit integer that JSON carries as bare digits. */
export const int64 = () =>
  z
    .bigint()
    .min(-INT64)
    .max(INT64 - 1n)
    .meta({ type: 'integer', format: 'int64', minimum: undefined, maximum: undefined })

// ------------------------------------------------------------- in answers only

export const id = () => z.string().meta({ format: 'uuid' })
export const dateTime = () => z.date().meta({ type: 'string', format: 'date-time' })
