// What an invitation holds, and how long each of its fields may be.
import { isEmail } from '../lib/email.js'
import { isCountry } from './countries.js'
import { fitsIdentifier, IDENTIFIERS, type IdentifierName } from './identifiers.js'

export type Identifiers = Record<IdentifierName, string | null>

export interface InvitedCompany {
  name: string
  email: string
  addressLine1: string
  addressLine2: string | null
  postalCode: string
  city: string
  country: string
  website: string | null
  phone: string | null
  identifiers: Identifiers
}

export interface InvitedContact {
  firstName: string
  lastName: string
  email: string
  title: string | null
  suffix: string | null
  phone: string | null
}

/** In the order of their ordinals. */
export const ACCESS_RIGHTS = ['Undefined', 'None', 'Read', 'ReadWrite', 'Full'] as const
export type AccessRights = (typeof ACCESS_RIGHTS)[number]

export interface InvitationData {
  company: InvitedCompany
  contact: InvitedContact
  /** Null: not given. */
  rights: AccessRights | null
}

export interface FieldRule {
  max: number
  required: boolean
}

const needed = (max: number): FieldRule => ({ max, required: true })
const free = (max: number): FieldRule => ({ max, required: false })

export const COMPANY_FIELDS = {
  name: needed(160),
  email: needed(100),
  addressLine1: needed(250),
  addressLine2: free(250),
  postalCode: needed(20),
  city: needed(80),
  country: needed(2),
  website: free(200),
  phone: free(50),
} as const satisfies Partial<Record<keyof InvitedCompany, FieldRule>>

export const CONTACT_FIELDS = {
  firstName: needed(50),
  lastName: needed(50),
  email: needed(100),
  title: free(50),
  suffix: free(50),
  phone: free(50),
} as const satisfies Record<keyof InvitedContact, FieldRule>

export const IDENTIFIER_MAX = 50
/** Of the text that a dealer puts into the e-mail. */
export const LONGEST_TEXT = 1000

export const emailKey = (email: string): string => email.trim().toLowerCase()

/** An address of the net: a dot in the domain; plus signs, dots and sub-domains are fine. */
export function isInvitable(email: string): boolean {
  const text = email.trim()
  return isEmail(text) && text.slice(text.lastIndexOf('@')).includes('.')
}

export type FieldPath = string

export interface FieldFault {
  /** `company.identifiers.vatId` */
  path: FieldPath
  kind: 'missing' | 'long' | 'email' | 'country' | 'identifier'
}

type Values = Record<string, unknown>

/** Everything that is wrong with the fields, in their order; optional ones may be null or empty. */
export function faultsOf({ company, contact }: InvitationData): FieldFault[] {
  return [
    ...faultsOfPart('company', COMPANY_FIELDS, { ...company }),
    ...identifierFaults(company),
    ...faultsOfPart('contact', CONTACT_FIELDS, { ...contact }),
  ]
}

function faultsOfPart(
  part: string,
  rules: Readonly<Record<string, FieldRule>>,
  values: Values,
): FieldFault[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const kind = faultOf(name, rule, values[name])
    return kind === undefined ? [] : [{ path: `${part}.${name}`, kind }]
  })
}

function faultOf(name: string, rule: FieldRule, value: unknown): FieldFault['kind'] | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') return rule.required ? 'missing' : undefined
  if (name === 'country') return isCountry(text.toUpperCase()) ? undefined : 'country'
  if (text.length > rule.max) return 'long'
  if (name === 'email' && !isInvitable(text)) return 'email'
  return undefined
}

function identifierFaults({ country, identifiers }: InvitedCompany): FieldFault[] {
  return IDENTIFIERS.flatMap((name): FieldFault[] => {
    const value = identifiers[name] ?? ''
    const path = `company.identifiers.${name}`
    if (value.length > IDENTIFIER_MAX) return [{ path, kind: 'long' }]
    const fits = fitsIdentifier(country.trim().toUpperCase(), name, value)
    return fits ? [] : [{ path, kind: 'identifier' }]
  })
}
