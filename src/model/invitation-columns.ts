// The columns of files with invitations: technical names that differ from market to market, and the
// ones of the plain format.

export interface Column {
  header: string
  /** Where it belongs: `company.identifiers.vatId`. */
  path: string
  /** Other spellings that are read. */
  aliases: readonly string[]
}

const column = (header: string, path: string, ...aliases: string[]): Column => ({
  header,
  path,
  aliases,
})

const COMPANY = [
  column('AccountName', 'company.name'),
  column('AccountEMail', 'company.email'),
  column('AccountAddressLine1', 'company.addressLine1'),
  column('AccountAddressLine2', 'company.addressLine2'),
  column('AccountPostalCode', 'company.postalCode'),
  column('AccountCity', 'company.city'),
  column('AccountCountry', 'company.country'),
  column('AccountWeb', 'company.website'),
  column('AccountPhone', 'company.phone'),
]

const CONTACT = [
  column('ContactFirstName', 'contact.firstName'),
  column('ContactLastName', 'contact.lastName'),
  column('ContactEMail', 'contact.email'),
  column('ContactTitle', 'contact.title'),
]
const SUFFIX = column('ContactSuffix', 'contact.suffix')
const MOBILE = column('ContactMobilePhone', 'contact.phone')

const ids = 'company.identifiers'
const TAXES = [column('AccountIdVat', `${ids}.vatId`), column('AccountIdTax', `${ids}.taxId`)]
const GLN = column('AccountIdGln', `${ids}.gln`)

const MARKETS: Readonly<Record<string, readonly Column[]>> = {
  DE: [
    ...COMPANY,
    column('AccountUStIdNr', `${ids}.vatId`, 'AccountIdVat'),
    column('AccountStIdNr', `${ids}.taxId`, 'AccountIdTax'),
    ...CONTACT,
    MOBILE,
  ],
  AT: [
    ...COMPANY,
    ...TAXES,
    GLN,
    column('AccountIdFibu', `${ids}.fibuNr`),
    ...CONTACT,
    SUFFIX,
    MOBILE,
  ],
  FR: [
    ...COMPANY,
    ...TAXES,
    GLN,
    column('AccountIdSiret', `${ids}.siren`, 'AccountIdFibu', 'AccountIdSiren'),
    ...CONTACT,
    SUFFIX,
    MOBILE,
  ],
}

const OTHERS = [...COMPANY, ...TAXES, ...CONTACT, SUFFIX, MOBILE]

/** Of the portal format, in the order of its template. */
export const marketColumns = (market: string): readonly Column[] => MARKETS[market] ?? OTHERS

export const RIGHTS_PATH = 'rights'

/** Of the plain format: exactly these, in this order. */
export const PLAIN_COLUMNS: readonly Column[] = [
  column('CompanyName', 'company.name'),
  column('CompanyEmail', 'company.email'),
  column('CompanyAddressLine1', 'company.addressLine1'),
  column('CompanyAddressLine2', 'company.addressLine2'),
  column('CompanyPostalCode', 'company.postalCode'),
  column('CompanyCity', 'company.city'),
  column('CompanyCountry', 'company.country'),
  column('CompanyWebsite', 'company.website'),
  column('CompanyPhone', 'company.phone'),
  column('VatId', `${ids}.vatId`),
  column('TaxId', `${ids}.taxId`),
  column('FibuNr', `${ids}.fibuNr`),
  column('Gln', `${ids}.gln`),
  column('Siren', `${ids}.siren`),
  column('ContactFirstName', 'contact.firstName'),
  column('ContactLastName', 'contact.lastName'),
  column('ContactEmail', 'contact.email'),
  column('ContactTitle', 'contact.title'),
  column('ContactSuffix', 'contact.suffix'),
  column('ContactPhone', 'contact.phone'),
  column('AccessRights', RIGHTS_PATH),
]
