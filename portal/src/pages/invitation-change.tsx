// Changing an invitation that was not sent yet: all of it is written anew, from what it is now.
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../api/client.js'
import type { Input } from '../api/types.js'
import { useText } from '../text/index.js'
import { EditButton, type Entry } from '../ui/edit.js'
import type { Invitation } from './invitations.js'

type Body = Input<'updateInvitation'>['body']
export const RIGHTS = ['Full', 'ReadWrite', 'Read', 'None'] as const
const IDENTIFIERS = ['vatId', 'taxId'] as const

type Stored = Pick<Invitation, 'company' | 'contact' | 'accessRights'>

const valuesOf = ({ company, contact, accessRights }: Stored) => ({
  'company.name': company.name,
  'company.email': company.email,
  'company.addressLine1': company.addressLine1,
  'company.postalCode': company.postalCode,
  'company.city': company.city,
  'company.country': company.country,
  vatId: company.identifiers.vatId,
  taxId: company.identifiers.taxId,
  'contact.firstName': contact.firstName,
  'contact.lastName': contact.lastName,
  'contact.email': contact.email,
  accessRights,
})

/** What the form does not show stays as it is. */
function bodyOf({ company, contact }: Stored, values: Record<string, string>): Body {
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
  return {
    company: { ...company, ...of('company'), identifiers },
    contact: { ...contact, ...of('contact') },
    accessRights: values.accessRights,
  } as Body
}

export function Change({ row, why }: { row: Invitation; why: string | undefined }) {
  const t = useText()
  const client = useQueryClient()
  const stored = useRef<Stored>(row)
  const path = { id: row.id }
  const labels: Record<keyof ReturnType<typeof valuesOf>, string> = {
    'company.name': t.onboard.company,
    'company.email': t.onboard.email,
    'company.addressLine1': t.onboard.street,
    'company.postalCode': t.merchants.postcode,
    'company.city': t.merchants.city,
    'company.country': t.merchants.country,
    vatId: t.onboard.vat,
    taxId: t.onboard.tax,
    'contact.firstName': t.onboard.given,
    'contact.lastName': t.onboard.surname,
    'contact.email': t.onboard.contactEmail,
    accessRights: t.onboard.right,
  }
  const rights = RIGHTS.map((one) => [one, t.onboard.rights[one]] as const)
  const entries: Entry[] = Object.entries(labels).map(([name, label]) => ({
    ...{ name, label },
    ...(name === 'accessRights' ? { options: rights } : {}),
  }))
  const load = async () => {
    stored.current = await call('getInvitation', { path })
    return valuesOf(stored.current)
  }
  const send = async (values: Record<string, string>) => {
    await call('updateInvitation', { path, body: bodyOf(stored.current, values) })
    await client.invalidateQueries({ queryKey: ['listInvitations'] })
  }
  return (
    <EditButton why={why} title={row.company.name} entries={entries} load={load} send={send}>
      {t.common.change}
    </EditButton>
  )
}
