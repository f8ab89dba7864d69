// The first step of the wizard: who the merchant is. While one types, the call that would make it says
// what is wrong with which field.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { call } from '../api/client.js'
import { readJson } from '../api/json.js'
import { useText } from '../text/index.js'
import { companyBody, type Draft } from './wizard-run.js'

export interface PartProps {
  draft: Draft
  change(part: Partial<Draft>): void
}

interface LabelledProps {
  label: string
  children: ReactNode
  /** What is said of it, and how it is. */
  said?: { id: string; text: string; look: 'wrong' | 'hint' } | undefined
}

export function Labelled({ label, children, said }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is what stands in it
    <label className="field">
      <span>{label}</span>
      {children}
      {said !== undefined && (
        <span id={said.id} className={said.look}>
          {said.text}
        </span>
      )}
    </label>
  )
}

/** The call that asks least of who makes it, with the same body. */
const TRIED = 'invitePosOperator'
/** Whoever types is not asked about with every letter. */
const PAUSE_MS = 400

function useLater(value: string): string {
  const [later, setLater] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setLater(value), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [value])
  return later
}

/** Of members of the body; undefined while nobody knows. */
function useFaults(draft: Draft): Readonly<Record<string, readonly string[]>> | undefined {
  const now = JSON.stringify(companyBody(draft))
  const asked = useLater(now)
  const { data } = useQuery({
    queryKey: ['tryAction', asked],
    enabled: Object.values(draft.company).some((text) => text !== ''),
    queryFn: () =>
      call('tryAction', {
        body: { operationId: TRIED, path: {}, query: {}, body: readJson(asked) },
      }),
  })
  return asked === now ? data?.errors : undefined
}

/** Where a text stands in the body of the call; those with a form are said to have it. */
const MEMBERS: Readonly<Record<string, { member: string; hasForm?: true }>> = {
  name: { member: 'company.name' },
  email: { member: 'company.email', hasForm: true },
  addressLine1: { member: 'company.addressLine1' },
  postalCode: { member: 'company.postalCode' },
  city: { member: 'company.city' },
  country: { member: 'company.country', hasForm: true },
  vatId: { member: 'company.identifiers.vatId', hasForm: true },
  taxId: { member: 'company.identifiers.taxId', hasForm: true },
  firstName: { member: 'primaryContact.firstName' },
  lastName: { member: 'primaryContact.lastName' },
}

export function Company({ draft, change, market }: PartProps & { market: string }) {
  const t = useText()
  const id = useId()
  const faults = useFaults(draft)
  const fields = [
    ['name', t.onboard.company],
    ['email', t.onboard.email],
    ['addressLine1', t.onboard.street],
    ['postalCode', t.merchants.postcode],
    ['city', t.merchants.city],
    ['country', t.merchants.country],
    ['vatId', t.onboard.vat],
    ...(market === 'DE' ? ([['taxId', t.onboard.tax]] as const) : []),
    ['firstName', t.onboard.given],
    ['lastName', t.onboard.surname],
  ] as const
  /** Nothing of what nobody has typed yet. */
  const saidOf = (name: string) => {
    const { member = '', hasForm } = MEMBERS[name] ?? {}
    if (faults === undefined || (draft.company[name] ?? '') === '') return undefined
    const wrong = faults[member]
    const own = { id: `${id}-${name}` }
    if (wrong !== undefined) return { ...own, text: wrong.join(' '), look: 'wrong' as const }
    return hasForm ? { ...own, text: t.wizard.fits, look: 'hint' as const } : undefined
  }
  return fields.map(([name, label]) => {
    const said = saidOf(name)
    return (
      <Labelled key={name} label={label} said={said}>
        <input
          name={name}
          type={name === 'email' ? 'email' : 'text'}
          value={draft.company[name] ?? ''}
          aria-invalid={said?.look === 'wrong'}
          aria-describedby={said?.id}
          onChange={(event) =>
            change({ company: { ...draft.company, [name]: event.target.value } })
          }
        />
      </Labelled>
    )
  })
}
