// The message that tells an account of a webhook that gets nothing any more. In the table of
// kinds.ts.
import { z } from 'zod'
import { isLanguage } from '../../lib/language.js'
import { filled, WORDS } from '../../words/words.js'
import type { MessageKind } from './kind.js'

export const WEBHOOK_DISABLED_KIND = 'webhook-disabled'

const dataSchema = z.object({
  company: z.string(),
  /** Host of the receiver: path and query may be secrets. */
  host: z.string(),
  /** `gone`: it has answered 410; `failing`: it has taken nothing for days. */
  reason: z.enum(['gone', 'failing']),
  error: z.string(),
  /** Page of the portal; null: nobody knows where this server is reached. */
  link: z.string().nullable(),
})

export type WebhookDisabledData = z.infer<typeof dataSchema>

export function webhookDisabledKind(): MessageKind<WebhookDisabledData> {
  return {
    read: (value) => dataSchema.parse(value),
    letter: async ({ data, language: wished }) => {
      const language = isLanguage(wished) ? wished : 'en'
      const words = WORDS[language].webhookDisabledMessage
      const { company, host, error, link } = data
      const say = (text: string): string => filled(text, { company, host, error })
      return {
        language,
        subject: say(words.subject),
        paragraphs: [say(words[data.reason]), say(words.kept)],
        link: link === null ? null : { label: say(words.link), url: link },
        footer: say(words.footer),
        attachment: null,
      }
    },
  }
}
