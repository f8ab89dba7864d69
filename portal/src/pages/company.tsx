// The own company: who may log in for it, and what programs need to call for it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.js'
import { useRole, useSession } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { AskButton, CopyButton, WorkButton } from '../ui/buttons.js'
import { useConfirmed } from '../ui/confirm.js'
import type { Column } from '../ui/data-table.js'
import { EditButton } from '../ui/edit.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'
import { useToast } from '../ui/toast.js'
import { ApiKeys } from './api-keys.js'
import { FirstCalls } from './first-calls.js'

const ROLES = ['Administrator', 'Member', 'Reader', 'None'] as const
type Role = (typeof ROLES)[number]
type Employee = Result<'listPeople'>[number]

export function Page() {
  const { account } = useSession()
  return (
    <>
      <h1>{account?.name}</h1>
      <p className="lead">
        {account?.market} · {account?.roles.join(', ')}
      </p>
      <Access />
      <ApiKeys />
      <People />
    </>
  )
}

function Access() {
  const t = useText()
  const { account } = useSession()
  const { isAdministrator } = useRole()
  const [token, setToken] = useState<string | null>()
  const why = isAdministrator ? undefined : t.why.role(t.company.roles.Administrator)
  const show = async () => setToken((await call('showAccess', {})).accessToken)
  const reset = async () => setToken((await call('resetAccess', {})).accessToken)
  const id = account?.accountId ?? ''
  return (
    <section>
      <h2>{t.company.access}</h2>
      <p className="lead">{t.company.accessText}</p>
      <dl className="facts">
        <dt>{t.company.accountId}</dt>
        <dd>
          <code>{id}</code> <CopyButton text={id} />
        </dd>
        <dt>{t.company.accountToken}</dt>
        <dd>
          {token != null ? (
            <>
              <code>{token}</code> <CopyButton text={token} />
            </>
          ) : (
            <WorkButton work={show} why={why}>
              {t.company.showToken}
            </WorkButton>
          )}
        </dd>
      </dl>
      <FirstCalls />
      <AskButton
        kind="danger"
        why={why}
        title={t.company.resetToken}
        text={t.company.resetText}
        typed={account?.name ?? ''}
        work={reset}
      >
        {t.company.resetToken}
      </AskButton>
    </section>
  )
}

const PEOPLE = ['listPeople'] as const

function People() {
  const t = useText()
  const { isAdministrator } = useRole()
  const list = useQuery({
    queryKey: PEOPLE,
    queryFn: () => call('listPeople', {}),
    enabled: isAdministrator,
  })
  const columns: Column<Employee>[] = [
    {
      title: t.common.name,
      cell: ({ name, email, active, secondFactor }) => (
        <>
          {name}
          <span className="sub">
            {email}
            {active ? '' : ` · ${t.company.invited}`}
            {secondFactor ? ` · ${t.company.factor}` : ''}
          </span>
        </>
      ),
    },
    { title: t.company.role, cell: (row) => <RoleChoice row={row} /> },
    { title: t.company.seen, cell: ({ seenAt }) => <Moment at={seenAt} /> },
    { title: t.problems.do, cell: (row) => <Remove row={row} /> },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.company.people}</h2>
        <Add isAdministrator={isAdministrator} />
      </div>
      {isAdministrator && (
        <List
          query={list}
          caption={t.company.people}
          columns={columns}
          keyOf={({ personId }) => personId}
          nothing={t.common.none}
        />
      )}
    </section>
  )
}

function RoleChoice({ row }: { row: Employee }) {
  const t = useText()
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const toast = useToast()
  const put = async (role: Role) => {
    try {
      await confirmed(() =>
        call('changePerson', { path: { personId: row.personId }, body: { role } }),
      )
      toast({ text: t.common.done, undo: () => put(row.role) })
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : String(error), isFault: true })
    }
    await client.invalidateQueries({ queryKey: PEOPLE })
  }
  return (
    <select
      aria-label={`${t.company.role}: ${row.name}`}
      value={row.role}
      onChange={(event) => void put(event.target.value as Role)}
    >
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {t.company.roles[role]}
        </option>
      ))}
    </select>
  )
}

function Remove({ row }: { row: Employee }) {
  const t = useText()
  const client = useQueryClient()
  const work = async () => {
    await call('removePerson', { path: { personId: row.personId } })
    await client.invalidateQueries({ queryKey: PEOPLE })
  }
  return (
    <AskButton
      kind="danger"
      title={`${t.common.remove}: ${row.name}`}
      text={t.company.removePerson}
      typed={row.name}
      work={work}
    >
      {t.common.remove}
    </AskButton>
  )
}

function Add({ isAdministrator }: { isAdministrator: boolean }) {
  const t = useText()
  const client = useQueryClient()
  const send = async ({ email = '', name = '', role }: Record<string, string>) => {
    const wished = ROLES.find((one) => one === role) ?? 'Reader'
    await call('addPerson', { body: { email, name, role: wished } })
    await client.invalidateQueries({ queryKey: PEOPLE })
  }
  return (
    <EditButton
      why={isAdministrator ? undefined : t.why.role(t.company.roles.Administrator)}
      title={t.company.addPerson}
      text={t.company.mailSent}
      submit={t.common.add}
      entries={[
        { name: 'name', label: t.common.name },
        { name: 'email', label: t.login.email, type: 'email' },
        {
          ...{ name: 'role', label: t.company.role, value: 'Member' },
          options: ROLES.map((one) => [one, `${t.company.roles[one]}: ${t.company.roleText[one]}`]),
        },
      ]}
      send={send}
    >
      {t.company.addPerson}
    </EditButton>
  )
}
