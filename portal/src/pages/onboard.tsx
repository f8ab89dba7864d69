// Inviting a merchant: company, contact, right; what will happen stands beside it.
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { call } from '../api/client.js'
import { useRole, useSession } from '../api/session.js'
import { useText } from '../text/index.js'
import { Field, Form, Select } from '../ui/form.js'
import { Empty } from '../ui/states.js'
import { useToast } from '../ui/toast.js'
import { MailPreview } from './mail-preview.js'

export const RIGHTS = ['Full', 'ReadWrite', 'Read', 'None'] as const

const WAYS = ['send', 'store', 'auto'] as const
/** Where what was made is seen. */
const NEXT: Readonly<Record<string, string>> = { store: '/invitations', auto: '/operators' }

export function Page() {
  const t = useText()
  const { account } = useSession()
  const { mayWrite } = useRole()
  if (!mayWrite) {
    return (
      <Empty isPage title={t.common.notAllowed}>
        {t.why.role(t.company.roles.Member)}
      </Empty>
    )
  }
  return (
    <>
      <div className="head">
        <h1>{t.onboard.title}</h1>
        <Link className="button" to="/onboard/all">
          {t.wizard.open}
        </Link>
      </div>
      <div className="grid">
        <Invite market={account?.market ?? 'AT'} />
        <aside>
          <h2>{t.onboard.what}</h2>
          <ol>
            {t.onboard.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <MailPreview wish={typed} />
        </aside>
      </div>
    </>
  )
}

/** Of the form as it is by now. */
function typed() {
  const form = document.querySelector<HTMLFormElement>('main form')
  const values = new FormData(form ?? undefined)
  const text = (name: string) => String(values.get(name) ?? '')
  const right = RIGHTS.find((one) => one === text('accessRights')) ?? 'Full'
  return {
    ...{ company: text('name'), contact: `${text('firstName')} ${text('lastName')}`.trim() },
    ...{ email: text('contactEmail') || text('email'), accessRights: right },
    variant: text('way') === 'auto' ? ('connected' as const) : ('new' as const),
  }
}

function Invite({ market }: { market: string }) {
  const t = useText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const toast = useToast()
  const send = async (values: Record<string, string>) => {
    const { name = '', email = '', addressLine1 = '', postalCode = '', city = '' } = values
    const { country = '', firstName = '', lastName = '', contactEmail = '', vatId = '' } = values
    const { taxId = '', accessRights: right = 'Full', way } = values
    const company = {
      ...{ name, email, addressLine1, postalCode, city, country },
      identifiers: {
        ...(vatId === '' ? {} : { vatId }),
        ...(taxId === '' ? {} : { taxId }),
      },
    }
    const contact = { firstName, lastName, email: contactEmail === '' ? email : contactEmail }
    const accessRights = right as (typeof RIGHTS)[number]
    const body = { company, primaryContact: contact, accessRights }
    if (way === 'store')
      await call('createInvitation', { body: { company, contact, accessRights } })
    else if (way === 'auto') await call('autoInvitePosOperator', { body })
    else await call('invitePosOperator', { body })
    for (const key of ['invitationHistory', 'listInvitations', 'listOperators']) {
      await client.invalidateQueries({ queryKey: [key] })
    }
    toast({ text: t.invite.done[way === 'store' || way === 'auto' ? way : 'send'] })
    await navigate(NEXT[way ?? ''] ?? '/invitations?view=history')
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
              options={RIGHTS.map((one) => [one, t.onboard.rights[one]])}
            />
            <Select
              label={t.invite.way}
              name="way"
              options={WAYS.map((one) => [one, t.invite.ways[one]])}
            />
          </>
        )
      }}
    </Form>
  )
}
