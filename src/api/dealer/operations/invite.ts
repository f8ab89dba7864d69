// Inviting a PosOperator in one call. Part of the route table.
import { z } from 'zod'
import { isPdf } from '../../../core/accounts/invitation/settings.js'
import { fail } from '../../../errors.js'
import { LONGEST_TEXT } from '../../../model/invitation.js'
import { findOperatorData } from '../../../store/account/operators.js'
import { accessRights, optionalText, say } from '../../shared/account/schemas.js'
import { type Call, operation } from '../operation.js'
import { callerOf, contactSchema, directCompany, examplePeople } from './invitation-schemas.js'
import { accountSchema } from './operators.js'

/** A PDF of 5 MiB in Base64, and the rest of the body. */
const BODY_BYTES = 7 * 1024 * 1024
const PREFIX = /^data:application\/pdf;base64,/i
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

const pdfAttachment = z
  .string()
  .nullish()
  .transform((text, context) => {
    const base64 = text?.trim().replace(PREFIX, '').replace(/\s/g, '') ?? ''
    if (base64 === '') return undefined
    const data = BASE64.test(base64) ? Buffer.from(base64, 'base64') : Buffer.alloc(0)
    if (isPdf(data)) return data
    context.addIssue({ code: 'custom', ...say('pdfNeeded') })
    return z.NEVER
  })

const details = z
  .object({ pdfAttachment, additionalText: optionalText(LONGEST_TEXT) })
  .nullish()
  .transform((given) => given ?? { pdfAttachment: undefined, additionalText: null })

const body = z.object({
  company: directCompany,
  primaryContact: contactSchema,
  accessRights: accessRights().refine((right) => right !== 'None', say('rightsNeeded')),
  details,
})

const COMMON = {
  tag: 'PosOperators',
  method: 'POST',
  body,
  bodyLimit: BODY_BYTES,
  success: { status: 200, schema: accountSchema },
  errors: ['INVITATION_EXISTS', 'CONNECTION_EXISTS', 'COMPANY_EXISTS', 'SETTINGS_UNREADABLE'],
} as const

function exampleOf(word: string) {
  const { company, contact: primaryContact } = examplePeople(word)
  return { company, primaryContact, accessRights: 'Full' }
}

type Invite = Call<unknown, unknown, z.output<typeof body>, unknown>

async function invite(call: Invite, auto: boolean) {
  const { deps } = call
  const { company, primaryContact: contact, accessRights: rights } = call.body
  const { phoneNumber: phone, ...rest } = company
  const { pdfAttachment: pdf, additionalText } = call.body.details
  const data = { company: { ...rest, phone }, contact, rights, pdf, additionalText, auto }
  const operator = await deps.invitations.inviteDirectly(callerOf(call), data)
  const found = await findOperatorData(deps.store, operator)
  if (found === undefined) throw fail('OPERATOR_UNKNOWN', { operator })
  return found
}

export const inviteOperations = [
  operation({
    ...COMMON,
    errors: [...COMMON.errors],
    id: 'invitePosOperator',
    title: 'Invite a PosOperator',
    text:
      'Makes the account and sends the e-mail with the link. The connection is pending, and in ' +
      'no list, until the PosOperator accepts.',
    path: '/posoperators',
    example: exampleOf('korn'),
    handle: (call) => invite(call, false),
  }),
  operation({
    ...COMMON,
    errors: [...COMMON.errors],
    id: 'autoInvitePosOperator',
    title: 'Create and connect a PosOperator',
    text: 'For dealers that have opted in. The connection is active at once.',
    path: '/posoperators/autoinvite',
    autoInvite: true,
    example: exampleOf('ring'),
    handle: (call) => invite(call, true),
  }),
]
