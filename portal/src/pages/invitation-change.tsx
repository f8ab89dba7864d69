// Changing an invitation that was not sent yet: all of it is written anew.
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client.js'
import type { Input } from '../api/types.js'
import { useText } from '../text/index.js'
import { EditButton, type Entry } from '../ui/edit.js'
import type { Invitation } from './invitations.js'

type Body = Input<'updateInvitation'>['body']
export const RIGHTS = ['Full', 'ReadWrite', 'Read', 'None'] as const
const IDENTIFIERS = ['vatId', 'taxId'] as const

export function Change({ row, why }: { row: Invitation; why: string | undefined }) {
  const t = useText()
  const client = useQueryClient()
  const { company, contact } = row
  const entries: Entry[] = [
    { name: 'company.name', label: t.onboard.company, value: company.name },
    { name: 'company.email', label: t.onboard.email, value: company.email },
    { name: 'company.addressLine1', label: t.onboard.street, value: company.addressLine1 },
    { name: 'company.postalCode', label: t.merchants.postcode, value: company.postalCode },
    { name: 'company.city', label: t.merchants.city, value: company.city },
    { name: 'company.country', label: t.merchants.country, value: company.country },
    { name: 'vatId', label: t.onboard.vat, value: company.identifiers.vatId },
    { name: 'taxId', label: t.onboard.tax, value: company.identifiers.taxId },
    { name: 'contact.firstName', label: t.onboard.given, value: contact.firstName },
    { name: 'contact.lastName', label: t.onboard.surname, value: contact.lastName },
    { name: 'contact.email', label: t.onboard.contactEmail, value: contact.email },
    {
      ...{ name: 'accessRights', label: t.onboard.right, value: row.accessRights },
      options: RIGHTS.map((one) => [one, `${one}: ${t.onboard.rights[one]}`] as const),
    },
  ]
  const send = async (values: Record<string, string>) => {
    const of = (group: string) =>
      Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) =>
          name.startsWith(`${group}.`) ? [[name.slice(group.length + 1), value]] : [],
        ),
      )
    const identifiers = {
      ...company.identifiers,
      ...Object.fromEntries(IDENTIFIERS.map((name) => [name, values[name] || null])),
    }
    const body = {
      company: { ...company, ...of('company'), identifiers },
      contact: { ...contact, ...of('contact') },
      accessRights: values.accessRights,
    } as Body
    await call('updateInvitation', { path: { id: row.id }, body })
    await client.invalidateQueries({ queryKey: ['listInvitations'] })
  }
  return (
    <EditButton why={why} title={company.name} entries={entries} send={send}>
      {t.common.change}
    </EditButton>
  )
}
