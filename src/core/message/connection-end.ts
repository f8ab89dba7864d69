// The message that tells dealer and merchant of the end of their connection. In the table of
// kinds.ts.
import { z } from 'zod'
import { LANGUAGES, type Language } from '../../lib/language.js'
import { CONNECTION_END_WORDS } from '../../notify/connection-end-words.js'
import { filled } from '../../notify/words.js'
import type { MessageKind } from './kind.js'

export const CONNECTION_END_KIND = 'connection-end'

const dataSchema = z.object({
  dealer: z.string(),
  company: z.string(),
  /** ISO 8601; null: it has ended. */
  on: z.string().nullable(),
  by: z.enum(['dealer', 'operator', 'server']),
})

export type ConnectionEndData = z.infer<typeof dataSchema>

const isLanguage = (text: string): text is Language =>
  (LANGUAGES as readonly string[]).includes(text)

export function connectionEndKind(): MessageKind<ConnectionEndData> {
  return {
    read: (value) => dataSchema.parse(value),
    letter: async ({ data: { dealer, company, on, by }, language: wished }) => {
      const language = isLanguage(wished) ? wished : 'en'
      const words = CONNECTION_END_WORDS[language]
      const date = on?.replace('T', ' ').replace(/(:00)?(\.\d+)?Z$/, ' UTC') ?? ''
      const say = (text: string): string => filled(text, { dealer, company, date })
      return {
        language,
        subject: say(words.subject),
        paragraphs: [say(on === null ? words.ended : words.ends), say(words[by])],
        link: null,
        footer: say(words.footer),
        attachment: null,
      }
    },
  }
}
