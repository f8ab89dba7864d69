// Inviting a merchant: company, contact, right; what will happen stands beside it.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../api/client.js'
import { useRole, useSession } from '../api/session.js'
import { useText } from '../text/index.js'
import { Field, Form, Select } from '../ui/form.js'
import { Empty } from '../ui/states.js'
import { useToast } from '../ui/toast.js'

const RIGHTS = ['Full', 'ReadWrite', 'Read', 'None'] as const

export function Page() {
  const t = useText()
  const { account } = useSession()
  const { mayWrite } = useRole()
  if (!mayWrite) {
    return <Empty title={t.common.notAllowed}>{t.why.role(t.company.roles.Member)}</Empty>
  }
  return (
    <>
      <h1>{t.onboard.title}</h1>
      <div className="grid">
        <Invite market={account?.market ?? 'AT'} />
        <aside>
          <h2>{t.onboard.what}</h2>
          <ol>
            {t.onboard.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </aside>
      </div>
    </>
  )
}

function Invite({ market }: { market: string }) {
  const t = useText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const toast = useToast()
  const send = async (values: Record<string, string>) => {
    const { name = '', email = '', addressLine1 = '', postalCode = '', city = '' } = values
    const { country = '', firstName = '', lastName = '', contactEmail = '', vatId = '' } = values
    const { taxId = '', accessRights = 'Full' } = values
    await call('invitePosOperator', {
      body: {
        company: {
          ...{ name, email, addressLine1, postalCode, city, country },
          identifiers: {
            ...(vatId === '' ? {} : { vatId }),
            ...(taxId === '' ? {} : { taxId }),
          },
        },
        primaryContact: { firstName, lastName, email: contactEmail === '' ? email : contactEmail },
        accessRights: accessRights as (typeof RIGHTS)[number],
      },
    })
    await client.invalidateQueries({ queryKey: ['invitationHistory'] })
    toast({ text: t.onboard.sent })
    await navigate('/invitations?view=history')
  }
  return (
    <Form submit={t.onboard.submit} send={send}>
      {(faults) => {
        const of = (group: string, name: string) => ({
          [name]: faults[`${group}.${name}`] ?? faults[name] ?? [],
        })
        return (
          <>
            <Field label={t.onboard.company} name="name" faults={of('company', 'name')} autoFocus />
            <Field
              label={t.onboard.email}
              name="email"
              type="email"
              faults={of('company', 'email')}
            />
            <Field
              label={t.onboard.street}
              name="addressLine1"
              faults={of('company', 'addressLine1')}
            />
            <Field
              label={t.merchants.postcode}
              name="postalCode"
              faults={of('company', 'postalCode')}
            />
            <Field label={t.merchants.city} name="city" faults={of('company', 'city')} />
            <Field
              label={t.merchants.country}
              name="country"
              value={market}
              faults={of('company', 'country')}
            />
            <Field label={t.onboard.vat} name="vatId" faults={of('company.identifiers', 'vatId')} />
            {market === 'DE' && (
              <Field
                label={t.onboard.tax}
                name="taxId"
                faults={of('company.identifiers', 'taxId')}
              />
            )}
            <Field
              label={t.onboard.given}
              name="firstName"
              faults={of('primaryContact', 'firstName')}
            />
            <Field
              label={t.onboard.surname}
              name="lastName"
              faults={of('primaryContact', 'lastName')}
            />
            <Field
              label={t.onboard.contactEmail}
              name="contactEmail"
              type="email"
              faults={{ contactEmail: faults['primaryContact.email'] ?? [] }}
            />
            <Select
              label={t.onboard.right}
              name="accessRights"
              options={RIGHTS.map((one) => [one, `${one}: ${t.onboard.rights[one]}`])}
            />
          </>
        )
      }}
    </Form>
  )
}
