// One record of a file as an invitation, and what is wrong with it.
import { IDENTIFIERS, type IdentifierName, locations } from '../../../../model/identifiers.js'
import {
  ACCESS_RIGHTS,
  type AccessRights,
  type FieldFault,
  faultsOf,
  IDENTIFIER_MAX,
  type InvitationData,
} from '../../../../model/invitation.js'
import { RIGHTS_PATH } from '../../../../model/invitation-columns.js'
import { type Format, longestOf, type Placed } from './format.js'
import type { Problem } from './problem.js'
import type { SourceRecord } from './source.js'

export function invitationOf(
  { columns }: Format,
  { cells }: SourceRecord,
  usual: AccessRights,
): InvitationData {
  const values = new Map(columns.map(({ path, at }) => [path, cells[at] ?? '']))
  const text = (path: string): string => values.get(path) ?? ''
  const optional = (path: string): string | null => (text(path) === '' ? null : text(path))
  const identifiers = IDENTIFIERS.map((name) => {
    return [name, merchantNumber(name, optional(`company.identifiers.${name}`))] as const
  })
  return {
    company: {
      ...{ name: text('company.name'), email: text('company.email') },
      addressLine1: text('company.addressLine1'),
      addressLine2: optional('company.addressLine2'),
      ...{ postalCode: text('company.postalCode'), city: text('company.city') },
      country: text('company.country').toUpperCase(),
      ...{ website: optional('company.website'), phone: optional('company.phone') },
      identifiers: Object.fromEntries(identifiers) as InvitationData['company']['identifiers'],
    },
    contact: {
      ...{ firstName: text('contact.firstName'), lastName: text('contact.lastName') },
      ...{ email: text('contact.email'), title: optional('contact.title') },
      ...{ suffix: optional('contact.suffix'), phone: optional('contact.phone') },
    },
    rights: rightsOf(text(RIGHTS_PATH), usual) ?? usual,
  }
}

/** The number of an outlet in its place begins with it, where a country says so. */
function merchantNumber(name: IdentifierName, value: string | null): string | null {
  const compact = value?.replace(/[\s.]/g, '') ?? ''
  const rule = Object.values(locations).find(({ merchant }) => merchant?.identifier === name)
  if (rule === undefined || compact.length !== rule.digits || !/^\d+$/.test(compact)) return value
  return compact.slice(0, rule.merchant?.digits)
}

/** Undefined: there is no such right. */
function rightsOf(text: string, usual: AccessRights): AccessRights | undefined {
  if (text === '') return usual
  const found = ACCESS_RIGHTS.find((one) => one.toLowerCase() === text.toLowerCase())
  return found === 'Undefined' ? usual : found
}

/** Everything that is wrong with a record. */
export function problemsOf(format: Format, record: SourceRecord, data: InvitationData): Problem[] {
  const { line, count, cells } = record
  if (count !== format.count) {
    const errorArgs = [String(count), String(format.count)]
    return [{ line, csvHeader: null, error: 'Csv_WrongColumnCount', errorArgs }]
  }
  const found = faultsOf(data).flatMap((fault) => {
    const column = format.columns.find(({ path }) => path === fault.path)
    // a column that is not there is told once, with the header
    return column === undefined
      ? []
      : [problemOf(fault, column, { line, value: cells[column.at] ?? '' })]
  })
  return [...found, ...rightsProblem(format, record)]
}

function problemOf(
  { kind, path }: FieldFault,
  { header }: Placed,
  { line, value }: { line: number; value: string },
): Problem {
  const at = { line, csvHeader: header }
  switch (kind) {
    case 'missing':
      return { ...at, error: 'Csv_FieldRequired', errorArgs: [header] }
    case 'long': {
      const max = String(longestOf(path, IDENTIFIER_MAX))
      return { ...at, error: 'Csv_FieldTooLong', errorArgs: [header, max] }
    }
    case 'email':
      return { ...at, error: 'Csv_InvalidEMail', errorArgs: [value] }
    case 'country':
      return { ...at, error: 'Csv_InvalidCountry', errorArgs: [value] }
    case 'identifier':
      return { ...at, error: 'Csv_InvalidIdentifier', errorArgs: [header, value] }
  }
}

function rightsProblem({ columns }: Format, { line, cells }: SourceRecord): Problem[] {
  const column = columns.find(({ path }) => path === RIGHTS_PATH)
  const value = column === undefined ? '' : (cells[column.at] ?? '')
  if (column === undefined || rightsOf(value, 'Full') !== undefined) return []
  return [{ line, csvHeader: column.header, error: 'Csv_InvalidAccessRights', errorArgs: [value] }]
}
