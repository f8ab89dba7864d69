// The message that tells dealer and merchant of the end of their connection. In the table of
// kinds.ts.
import { z } from 'zod'
import { isLanguage } from '../../lib/language.js'
import { filled, WORDS } from '../../words/words.js'
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

export function connectionEndKind(): MessageKind<ConnectionEndData> {
  return {
    read: (value) => dataSchema.parse(value),
    letter: async ({ data: { dealer, company, on, by }, language: wished }) => {
      const language = isLanguage(wished) ? wished : 'en'
      const words = WORDS[language].connectionEndMessage
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
