// The message that lets somebody choose a password for the portal. In the table of kinds.ts.
import { z } from 'zod'
import { isLanguage } from '../../lib/language.js'
import { filled, WORDS } from '../../words/words.js'
import type { MessageKind } from './kind.js'

export const PERSON_LINK_KIND = 'person-link'

const dataSchema = z.object({
  purpose: z.enum(['welcome', 'reset']),
  link: z.string(),
  name: z.string(),
  company: z.string(),
  email: z.string(),
})

export type PersonLinkData = z.infer<typeof dataSchema>

export function personLinkKind(): MessageKind<PersonLinkData> {
  return {
    read: (value) => dataSchema.parse(value),
    letter: async ({ data, language: wished }) => {
      const language = isLanguage(wished) ? wished : 'en'
      const words = WORDS[language].personLinkMessage
      const { name, company, email } = data
      const say = (text: string): string => filled(text, { name, company, email })
      return {
        language,
        subject: say(words[`${data.purpose}Subject`]),
        paragraphs: [say(words.hello), say(words[data.purpose])],
        link: { label: say(words.link), url: data.link },
        closing: [say(words.day)],
        footer: say(words[`${data.purpose}Footer`]),
        attachment: null,
      }
    },
  }
}
