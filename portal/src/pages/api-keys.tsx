// Keys of the company: one for each program, and each can be ended alone.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { AskButton, CopyButton, WorkButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { EditButton } from '../ui/edit.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'

type Key = Result<'listApiKeys'>[number]
const KEYS = ['listApiKeys'] as const

/** What a key may, as people choose it. */
const SCOPES = {
  read: ['dealer:read', 'platform:read'],
  platform: ['platform:write'],
  write: ['dealer:write', 'platform:write'],
  all: ['all'],
} as const satisfies Record<string, readonly Key['scopes'][number][]>
type Choice = keyof typeof SCOPES
const CHOICES = Object.keys(SCOPES) as Choice[]

interface Shown {
  name: string
  token: string
}

export function ApiKeys() {
  const t = useText()
  const { isAdministrator } = useRole()
  const [shown, setShown] = useState<Shown>()
  const list = useQuery({
    queryKey: KEYS,
    queryFn: () => call('listApiKeys', {}),
    enabled: isAdministrator,
  })
  /** Of a key that a program has made, its scopes alone say it. */
  const mayOf = (scopes: Key['scopes']) => {
    const known = CHOICES.find((one) => SCOPES[one].join() === scopes.join())
    return known === undefined ? null : t.apiKeys.scopes[known]
  }
  const columns: Column<Key>[] = [
    {
      title: t.common.name,
      cell: ({ name, scopes }) => (
        <>
          {name}
          <span className="sub">{mayOf(scopes)}</span>
          <span className="sub mono">{scopes.join(', ')}</span>
        </>
      ),
    },
    {
      title: t.apiKeys.used,
      cell: ({ lastUsedAt }) => <At moment={lastUsedAt} none={t.apiKeys.never} />,
    },
    {
      title: t.apiKeys.ends,
      cell: ({ expiresAt }) => <At moment={expiresAt} none={t.apiKeys.never} />,
    },
    { title: t.problems.do, cell: (row) => <Acts row={row} onToken={setShown} /> },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.apiKeys.title}</h2>
        <Add isAdministrator={isAdministrator} onToken={setShown} />
      </div>
      <p className="lead">{t.apiKeys.lead}</p>
      {isAdministrator && (
        <List
          query={list}
          caption={t.apiKeys.title}
          columns={columns}
          keyOf={({ id }) => id}
          nothing={t.apiKeys.nothing}
        />
      )}
      {shown !== undefined && <Token shown={shown} onClose={() => setShown(undefined)} />}
    </section>
  )
}

function At({ moment, none }: { moment: string | null; none: string }) {
  return moment === null ? none : <Moment at={moment} />
}

function Acts({ row, onToken }: { row: Key; onToken(shown: Shown): void }) {
  const t = useText()
  const client = useQueryClient()
  const fresh = () => client.invalidateQueries({ queryKey: KEYS })
  const rotate = async () => {
    const { token } = await call('rotateApiKey', {
      path: { id: row.id },
      body: { overlapHours: 24 },
    })
    await fresh()
    onToken({ name: row.name, token })
  }
  const end = async () => {
    await call('deleteApiKey', { path: { id: row.id } })
    await fresh()
  }
  return (
    <>
      <WorkButton work={rotate}>{t.apiKeys.rotate}</WorkButton>{' '}
      <AskButton
        kind="danger"
        title={`${t.apiKeys.end}: ${row.name}`}
        text={t.apiKeys.endText}
        typed={row.name}
        work={end}
      >
        {t.apiKeys.end}
      </AskButton>
    </>
  )
}

interface AddProps {
  isAdministrator: boolean
  onToken(shown: Shown): void
}

function Add({ isAdministrator, onToken }: AddProps) {
  const t = useText()
  const client = useQueryClient()
  const send = async ({ name = '', scope, expiresAt: until = '' }: Record<string, string>) => {
    const scopes = [...SCOPES[CHOICES.find((one) => one === scope) ?? 'read']]
    const expiresAt = until === '' ? null : `${until}T23:59:59Z`
    const { token } = await call('createApiKey', { body: { name, scopes, expiresAt } })
    await client.invalidateQueries({ queryKey: KEYS })
    onToken({ name, token })
  }
  return (
    <EditButton
      why={isAdministrator ? undefined : t.why.role(t.company.roles.Administrator)}
      title={t.apiKeys.add}
      submit={t.common.add}
      entries={[
        { name: 'name', label: t.apiKeys.program },
        {
          ...{ name: 'scope', label: t.apiKeys.may, value: 'read' },
          options: CHOICES.map((one) => [one, t.apiKeys.scopes[one]]),
        },
        ...[{ name: 'expiresAt', label: t.apiKeys.ends, hint: t.apiKeys.endsHint, type: 'date' }],
      ]}
      send={send}
    >
      {t.apiKeys.add}
    </EditButton>
  )
}

function Token({ shown: { name, token }, onClose }: { shown: Shown; onClose(): void }) {
  const t = useText()
  return (
    <Dialog title={name} onClose={onClose}>
      <p className="lead">{t.apiKeys.once}</p>
      <p>
        <code className="secret">{token}</code> <CopyButton text={token} />
      </p>
      <button type="button" onClick={onClose}>
        {t.common.close}
      </button>
    </Dialog>
  )
}
