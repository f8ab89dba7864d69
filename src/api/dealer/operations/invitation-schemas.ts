// Bodies and answers of the operations on invitations.
import { z } from 'zod'
import { fitsIdentifier, IDENTIFIERS } from '../../../model/identifiers.js'
import {
  ACCESS_RIGHTS,
  COMPANY_FIELDS,
  CONTACT_FIELDS,
  IDENTIFIER_MAX,
  type InvitationData,
  isInvitable,
} from '../../../model/invitation.js'
import type { Invitation } from '../../../store/account/invitations.js'
import {
  accessRights,
  country,
  dateTime,
  id,
  optionalText,
  say,
  text,
} from '../../shared/account/schemas.js'
import { publicBase } from '../../shared/receipt-address.js'
import type { Call } from '../operation.js'

const email = (max: number) =>
  z
    .string()
    .overwrite((value) => value.trim())
    .max(max)
    .refine(isInvitable, say('emailNeeded'))
    .meta({ format: 'email' })

const identifier = () => optionalText(IDENTIFIER_MAX)
const NONE = { vatId: null, taxId: null, fibuNr: null, gln: null, siren: null }

const identifiers = z
  .object({
    vatId: identifier(),
    taxId: identifier(),
    fibuNr: identifier(),
    gln: identifier(),
    siren: identifier(),
  })
  .nullish()
  .transform((given) => given ?? NONE)

const C = COMPANY_FIELDS

/** The members of a company, except for its telephone, whose name differs. */
const companyMembers = {
  name: text(C.name.max),
  email: email(C.email.max),
  addressLine1: text(C.addressLine1.max),
  addressLine2: optionalText(C.addressLine2.max),
  postalCode: text(C.postalCode.max),
  city: text(C.city.max),
  country: country(),
  website: optionalText(C.website.max),
  identifiers,
}

type Named = Pick<InvitationData['company'], 'country' | 'identifiers'>

function checkIdentifiers({ country: where, identifiers: given }: Named, context: z.RefinementCtx) {
  for (const name of IDENTIFIERS) {
    if (fitsIdentifier(where, name, given[name] ?? '')) continue
    context.addIssue({ code: 'custom', path: ['identifiers', name], ...say('identifierInvalid') })
  }
}

export const invitedCompany = z
  .object({ ...companyMembers, phone: optionalText(C.phone.max) })
  .superRefine(checkIdentifiers)

export const directCompany = z
  .object({ ...companyMembers, phoneNumber: optionalText(C.phone.max) })
  .superRefine(checkIdentifiers)

const K = CONTACT_FIELDS

export const contactSchema = z.object({
  firstName: text(K.firstName.max),
  lastName: text(K.lastName.max),
  email: email(K.email.max),
  title: optionalText(K.title.max),
  suffix: optionalText(K.suffix.max),
  phone: optionalText(K.phone.max),
})

/** Missing and null are nothing. */
export const optionalRights = () =>
  accessRights()
    .nullish()
    .transform((given) => given ?? null)

export const invitationBody = z.object({
  company: invitedCompany,
  contact: contactSchema,
  accessRights: optionalRights(),
})

export function dataOf(body: z.output<typeof invitationBody>): InvitationData {
  const { company, contact, accessRights: rights } = body
  return { company, contact, rights }
}

const nullable = () => z.string().nullable()

export const invitationSchema = z.object({
  id: id(),
  company: z.object({
    name: z.string(),
    email: z.string(),
    addressLine1: z.string(),
    addressLine2: nullable(),
    postalCode: z.string(),
    city: z.string(),
    country: z.string(),
    website: nullable(),
    phone: nullable(),
    identifiers: z.object({
      vatId: nullable(),
      taxId: nullable(),
      fibuNr: nullable(),
      gln: nullable(),
      siren: nullable(),
    }),
  }),
  contact: z.object({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    title: nullable(),
    suffix: nullable(),
    phone: nullable(),
  }),
  accessRights: z.enum(ACCESS_RIGHTS),
  done: dateTime().nullable(),
  resultContactId: id().nullable(),
  resultAccountId: id().nullable(),
  success: z.boolean(),
  lastRun: dateTime().nullable(),
  lastResult: nullable(),
})

export function answerOf(invitation: Invitation): z.output<typeof invitationSchema> {
  const { id: own, company, contact, rights, done, success, lastRun } = invitation
  const { resultContactId, resultAccountId, lastResult } = invitation
  const { vatId, taxId, fibuNr, gln, siren } = company.identifiers
  return {
    id: own,
    company: { ...company, identifiers: { vatId, taxId, fibuNr, gln, siren } },
    contact,
    accessRights: rights ?? 'Undefined',
    ...{ done, resultContactId, resultAccountId },
    success: success ?? false,
    ...{ lastRun, lastResult },
  }
}

export const resultSchema = z.object({
  success: z.boolean(),
  error: nullable(),
  errorCode: nullable(),
  url: nullable().describe('Page of the portal that shows it; null: it did not work.'),
  text: nullable(),
})

/** A company and its contact; `word`: theirs, because nobody is invited twice. */
export const examplePeople = (word: string) => ({
  company: {
    name: `Bäckerei "${word}" & Co`,
    email: `office@${word}.example`,
    addressLine1: 'Hauptstr. 1',
    postalCode: '01067',
    city: 'Dresden',
    country: 'DE',
  },
  contact: { firstName: 'Eva', lastName: 'Korn', email: `eva+pos@${word}.example` },
})

type AnyOf<P, Q, B, S> = Pick<
  Call<P, Q, B, S>,
  'deps' | 'actor' | 'account' | 'culture' | 'request'
>

/** Who asks, as core/accounts/invitation wants to know it. */
export function callerOf<P, Q, B, S>(call: AnyOf<P, Q, B, S>) {
  const { deps, actor, account, culture, request } = call
  return { actor, account, culture, base: publicBase(deps, request) }
}
