// The message that invites a PosOperator: who asks, for which right, and the link that says yes. In
// the table of kinds.ts.
import { z } from 'zod'
import { isLanguage } from '../../lib/language.js'
import { textOf } from '../../notify/compose.js'
import type { Attachment, Letter } from '../../notify/transport.js'
import { findAgreements } from '../../store/account/activations.js'
import { findPdf } from '../../store/account/invitation-settings.js'
import type { Store } from '../../store/client.js'
import { filled, WORDS, type Words } from '../../words/words.js'
import { type Draft, LetterError, type MessageKind } from './kind.js'

export const INVITATION_KIND = 'invitation'

const dataSchema = z.object({
  /** new: a fresh account. connect: the reader has one. connected: nothing is left to do. */
  variant: z.enum(['new', 'connect', 'connected']),
  link: z.string(),
  rights: z.enum(['Undefined', 'None', 'Read', 'ReadWrite', 'Full']),
  dealer: z.string(),
  company: z.string(),
  /** Name of the reader. */
  contact: z.string(),
  email: z.string(),
  reference: z.string(),
  /** The dealer's own words. */
  text: z.string().nullable(),
  /** Whose documents go with it; letters of earlier versions say nothing. */
  operatorId: z.string().nullish(),
  /** SHA-256 of the dealer's PDF, hexadecimal. */
  pdfHash: z.string().nullable(),
})

export type InvitationMailData = z.infer<typeof dataSchema>

export function invitationKind({ store }: { store: Store }): MessageKind<InvitationMailData> {
  return {
    read: (value) => dataSchema.parse(value),
    letter: (draft) => letterOf(store, draft),
  }
}

async function letterOf(store: Store, draft: Draft<InvitationMailData>): Promise<Letter> {
  const { accountId, data } = draft
  return {
    ...bareLetter(draft.language, data),
    attachment: await attachmentOf(store, accountId, data.pdfHash),
    documents: await documentsOf(store, accountId, data),
  }
}

/** What the reader would see of it, without what is attached. */
export function invitationText(
  language: string,
  data: InvitationMailData,
): { subject: string; text: string } {
  const letter = bareLetter(language, data)
  return { subject: letter.subject, text: textOf({ ...letter, attachment: null }) }
}

function bareLetter(
  wished: string,
  data: InvitationMailData,
): Omit<Letter, 'attachment' | 'documents'> {
  const language = isLanguage(wished) ? wished : 'en'
  const words = WORDS[language].invitationMessage
  const { dealer, company, contact, email, reference } = data
  const say = (text: string): string => filled(text, { dealer, company, contact, email, reference })
  return {
    language,
    subject: say(words.subject),
    paragraphs: [say(words.hello), say(words[`${data.variant}Intro`])],
    ...(data.text === null || data.text.trim() === ''
      ? {}
      : { quote: data.text.trim().split(/\r\n|\r|\n/) }),
    afterQuote: afterQuote(data, words, say),
    link: { label: say(words[`${data.variant}Link`]), url: data.link },
    closing: closing(data, words, say),
    footer: say(words.footer),
  }
}

type InvitationWords = Words['invitationMessage']
type Say = (text: string) => string

function afterQuote({ variant }: InvitationMailData, words: InvitationWords, say: Say): string[] {
  if (variant === 'connected') return [say(words.agreement)]
  return [say(words.free), say(words.day)]
}

function closing({ rights }: InvitationMailData, words: InvitationWords, say: Say): string[] {
  const right = rights === 'Read' || rights === 'ReadWrite' ? words[rights] : words.Full
  return [say(right), say(words.noReply)]
}

/** Who was not asked gets what was signed in his name. */
async function documentsOf(
  store: Store,
  dealerId: string,
  { variant, operatorId }: InvitationMailData,
): Promise<Attachment[]> {
  if (variant !== 'connected' || operatorId == null) return []
  return (await findAgreements(store, { operatorId, dealerId })).map(({ name, text }) => ({
    filename: `${name}.txt`,
    contentType: 'text/plain; charset=utf-8',
    bytes: Buffer.from(`${text}\n`),
  }))
}

async function attachmentOf(
  store: Store,
  accountId: string,
  pdfHash: string | null,
): Promise<Attachment | null> {
  if (pdfHash === null) return null
  const bytes = await findPdf(store, accountId, Buffer.from(pdfHash, 'hex'))
  if (bytes === undefined) throw new LetterError('the PDF of the invitation is gone')
  return { filename: 'invitation.pdf', contentType: 'application/pdf', bytes }
}
