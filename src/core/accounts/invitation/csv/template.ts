// Templates of both formats: what a dealer fills in.
import { CSV_START, csvLines } from '../../../../lib/csv.js'
import { marketColumns, PLAIN_COLUMNS } from '../../../../model/invitation-columns.js'
import { findAccount } from '../../../../store/account/accounts.js'
import { firstContact } from '../../../../store/account/contacts.js'
import type { InvitationDeps } from '../deps.js'

/** What a spreadsheet of this culture reads as columns; of an unknown one too. */
export function listSeparator(culture: string | undefined): string {
  return /^en(-|$)/i.test(culture?.trim() ?? '') ? ',' : ';'
}

export function plainTemplate(): string {
  return csvLines([PLAIN_COLUMNS.map(({ header }) => header)])
}

/** The market's columns and a row with the dealer's own data. */
export async function portalTemplate(
  { store }: Pick<InvitationDeps, 'store'>,
  account: { id: string; market: string },
  separator: string,
): Promise<string> {
  const columns = marketColumns(account.market)
  const values = await ownValues({ store }, account.id)
  const rows = [columns.map(({ header }) => header), columns.map(({ path }) => values[path] ?? '')]
  return CSV_START + csvLines(rows, { delimiter: separator })
}

async function ownValues(
  { store }: Pick<InvitationDeps, 'store'>,
  id: string,
): Promise<Readonly<Record<string, string>>> {
  const account = await findAccount(store, id)
  if (account === undefined) return {}
  const contact = await firstContact(store.pool, id)
  return {
    ...{ 'company.name': account.name, 'company.email': account.email },
    ...{ 'company.addressLine1': account.line1, 'company.addressLine2': account.line2 },
    ...{ 'company.postalCode': account.postalCode, 'company.city': account.city },
    ...{ 'company.country': account.country, 'company.website': account.website },
    ...{ 'company.phone': account.phone, 'company.identifiers.vatId': account.vatId },
    ...{ 'company.identifiers.taxId': account.taxId, 'company.identifiers.gln': account.gln },
    'company.identifiers.fibuNr': account.fibuNr,
    'company.identifiers.siren': account.siren,
    'contact.firstName': contact?.firstName ?? '',
    'contact.lastName': contact?.lastName ?? '',
    'contact.email': contact?.email ?? account.email,
    'contact.title': contact?.title ?? '',
    'contact.suffix': contact?.suffix ?? '',
    'contact.phone': contact?.phone ?? '',
  }
}
