// What people change of their own login: language, password, second factor, sessions.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.js'
import { SESSION, useSession } from '../api/session.js'
import type { Result } from '../api/types.js'
import { LANGUAGE_NAMES, LANGUAGES, useText } from '../text/index.js'
import { AskButton, CopyButton, WorkButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Field, Form } from '../ui/form.js'
import { List } from '../ui/list.js'
import { hasHighRows, keepHighRows } from '../ui/rows.js'
import { Moment } from '../ui/time.js'
import { useToast } from '../ui/toast.js'
import { Passkeys, SsoLink } from './ways.js'

export function Page() {
  const { person } = useSession()
  const t = useText()
  return (
    <>
      <h1>{t.me.title}</h1>
      <p className="lead">
        {person.name} · {person.email}
      </p>
      <div className="grid">
        <LanguageChoice />
        <RowsChoice />
        <Password />
        <SecondFactor />
        <SsoLink />
      </div>
      <Passkeys />
      <Sessions />
    </>
  )
}

function LanguageChoice() {
  const t = useText()
  const { person } = useSession()
  const client = useQueryClient()
  const put = async (value: string) => {
    const language = LANGUAGES.find((one) => one === value) ?? null
    await call('updateMe', { body: { language } })
    await client.invalidateQueries({ queryKey: SESSION })
  }
  return (
    <section>
      <h2>{t.me.language}</h2>
      <select
        aria-label={t.me.language}
        value={person.language ?? ''}
        onChange={(event) => void put(event.target.value)}
      >
        <option value="">{t.me.browser}</option>
        {LANGUAGES.map((one) => (
          <option key={one} value={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </section>
  )
}

/** Of this browser, as screens differ and people do not. */
function RowsChoice() {
  const t = useText()
  const [isHigh, setHigh] = useState(hasHighRows)
  return (
    <section>
      <h2>{t.me.rows}</h2>
      <div className="filters">
        <label>
          <input
            type="checkbox"
            checked={isHigh}
            onChange={(event) => {
              keepHighRows(event.target.checked)
              setHigh(event.target.checked)
            }}
          />
          {t.me.highRows}
        </label>
      </div>
    </section>
  )
}

function Password() {
  const t = useText()
  const toast = useToast()
  const { person } = useSession()
  const send = async ({ former = '', password = '' }: Record<string, string>) => {
    await call('changePassword', { body: { former, password } })
    toast({ text: t.me.changed })
  }
  return (
    <section>
      <h2>{t.me.password}</h2>
      <Form submit={t.me.changePassword} send={send}>
        {(faults) => (
          <>
            <input type="hidden" autoComplete="username" value={person.email} readOnly />
            <Field
              label={t.me.former}
              name="former"
              type="password"
              autoComplete="current-password"
              faults={faults}
            />
            <Field
              label={t.password.password}
              name="password"
              type="password"
              autoComplete="new-password"
              hint={t.password.rule}
              faults={faults}
            />
          </>
        )}
      </Form>
    </section>
  )
}

function SecondFactor() {
  const t = useText()
  const { person } = useSession()
  const client = useQueryClient()
  const [begun, setBegun] = useState<Result<'beginCodes'>>()
  const [recovery, setRecovery] = useState<readonly string[]>()
  const fresh = () => client.invalidateQueries({ queryKey: SESSION })
  const confirm = async ({ code = '' }: Record<string, string>) => {
    setRecovery((await call('confirmCodes', { body: { code } })).recoveryCodes)
    setBegun(undefined)
    await fresh()
  }
  return (
    <section>
      <h2>{t.me.factor}</h2>
      <p className="lead">{person.secondFactor ? t.me.on : t.me.factorText}</p>
      {recovery !== undefined && (
        <div className="note">
          <p>{t.me.recovery}</p>
          <pre>{recovery.join('\n')}</pre>
          <CopyButton text={recovery.join('\n')} />
        </div>
      )}
      {begun !== undefined && (
        <>
          <p>{t.me.scan}</p>
          <img className="code" src={begun.picture} alt={t.me.picture} />
          <pre>{begun.secret}</pre>
          <p>
            <CopyButton text={begun.secret} /> <a href={begun.address}>{t.me.openApp}</a>
          </p>
          <Form submit={t.me.begin} send={confirm}>
            {(faults) => (
              <Field
                label={t.me.code}
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                faults={faults}
              />
            )}
          </Form>
        </>
      )}
      {begun === undefined && !person.secondFactor && (
        <WorkButton work={async () => setBegun(await call('beginCodes', {}))}>
          {t.me.begin}
        </WorkButton>
      )}
      {person.secondFactor && (
        <AskButton
          kind="danger"
          title={t.me.factor}
          text={t.common.final}
          work={() => call('endCodes', {}).then(fresh)}
        >
          {t.me.end}
        </AskButton>
      )}
    </section>
  )
}

type Listed = Result<'listSessions'>[number]
const LIST = ['listSessions'] as const

function Sessions() {
  const t = useText()
  const client = useQueryClient()
  const list = useQuery({ queryKey: LIST, queryFn: () => call('listSessions', {}) })
  const fresh = () => client.invalidateQueries({ queryKey: LIST })
  const columns: Column<Listed>[] = [
    {
      title: t.me.sessions,
      cell: ({ agent, address, current }) => (
        <>
          {agent}
          <span className="sub">
            {address}
            {current ? ` · ${t.me.here}` : ''}
          </span>
        </>
      ),
    },
    { title: t.company.seen, cell: ({ seenAt }) => <Moment at={seenAt} /> },
    {
      title: t.problems.do,
      cell: ({ id, current }) =>
        current ? null : (
          <WorkButton work={() => call('endSession', { path: { id } }).then(fresh)}>
            {t.me.endSession}
          </WorkButton>
        ),
    },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.me.sessions}</h2>
        <WorkButton work={() => call('endOtherSessions', {}).then(fresh)}>
          {t.me.endOthers}
        </WorkButton>
      </div>
      <List
        query={list}
        caption={t.me.sessions}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.common.none}
      />
    </section>
  )
}
