// What the e-mail of an invitation would say, before one is sent.
import { z } from 'zod'
import { languageOf } from '../../../core/accounts/invitation/deps.js'
import { settingsOf } from '../../../core/accounts/invitation/settings.js'
import { invitationText } from '../../../core/message/invitation.js'
import { LANGUAGES } from '../../../lib/language.js'
import { accessRights } from '../../shared/account/schemas.js'
import { OWN, operation } from '../operation.js'

const tag = 'Invitations'
const LONGEST_NAME = 200
const LONGEST_TEXT = 4_000
/** Of a link that nobody has been sent: it opens nothing. */
const NO_TOKEN = '…'

const name = () => z.string().max(LONGEST_NAME)

export const invitationMailOperations = [
  operation({
    ...{ ...OWN, tag },
    id: 'previewInvitationMail',
    title: 'What the e-mail of an invitation would say',
    text: 'With the text of the settings, unless another one is tried. Nothing is sent or stored.',
    method: 'POST',
    path: '/invitation-mail',
    body: z.object({
      company: name().describe('Who is invited; may be empty.'),
      contact: name().default('').describe('Who reads it.'),
      email: name().default('').describe('Address of the reader.'),
      accessRights: accessRights().default('Full').describe('What the dealer may do.'),
      variant: z
        .enum(['new', 'connect', 'connected'])
        .default('new')
        .describe('connect: the reader has an account. connected: nobody is asked.'),
      text: z
        .string()
        .max(LONGEST_TEXT)
        .nullish()
        .describe('Instead of the text of the settings; left out: that one.'),
      language: z.enum(LANGUAGES).optional().describe('Left out: that of the market.'),
    }),
    example: { company: 'Blumen Lenz', contact: 'Ida Lenz', email: 'ida@lenz.example' },
    success: {
      status: 200,
      schema: z.object({
        language: z.string().describe('It is written in.'),
        subject: z.string().describe('Of the e-mail.'),
        text: z.string().describe('Its plain part; the link opens nothing.'),
      }),
    },
    handle: async ({ deps, account, body }) => {
      const { text, language: wished, accessRights: rights, ...names } = body
      const language = wished ?? languageOf(deps, account.market)
      const own = text ?? (await settingsOf(deps.store.pool, account.id)).emailContent
      const letter = invitationText(language, {
        ...{ ...names, rights, dealer: account.name, text: own, pdfHash: null },
        ...{ reference: NO_TOKEN, link: `${deps.publicUrl ?? ''}/activate/${NO_TOKEN}` },
      })
      return { language, ...letter }
    },
  }),
]
