// What partial updates have in common: descriptions, and the answer in the form of problem details.
import { z } from 'zod'
import { type SentenceKey, sentenceOf } from '../../../notify/message.js'
import { say } from '../../shared/account/schemas.js'
import type { Call } from '../operation.js'

const LONGEST = 250

/** Left out or null: unchanged. Trimmed before it is measured. */
export const description = () =>
  z
    .string()
    .overwrite((text) => text.trim())
    .refine((text) => text !== '', say('notBlank'))
    .max(LONGEST)
    .nullish()
    .transform((text) => text ?? undefined)

export const descriptionPatch = z.object({ description: description() })

export const updatedSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  errors: z.object({}),
})

/** Success in the form that refusals of the same operation have. */
export function updated(
  { request, culture }: Pick<Call<unknown, unknown, unknown, unknown>, 'request' | 'culture'>,
  key: SentenceKey,
): z.output<typeof updatedSchema> {
  return {
    type: 'about:blank',
    title: 'Updated',
    status: 200,
    detail: sentenceOf(key, culture.language),
    instance: request.url.split('?')[0] ?? '',
    errors: {},
  }
}
