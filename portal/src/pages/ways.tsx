// Further ways to log in, on the page of the own login: passkeys, and a provider of logins.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.js'
import { addPasskey, hasPasskeys } from '../api/passkeys.js'
import { SESSION, useSession } from '../api/session.js'
import { goToSso, useSso } from '../api/sso.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { AskButton, WorkButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Field, Form } from '../ui/form.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'
import { useToast } from '../ui/toast.js'

type Passkey = Result<'listPasskeys'>[number]
const LIST = ['listPasskeys'] as const

function useFresh() {
  const client = useQueryClient()
  return async () => {
    await client.invalidateQueries({ queryKey: LIST })
    await client.invalidateQueries({ queryKey: SESSION })
  }
}

export function Passkeys() {
  const t = useText()
  const fresh = useFresh()
  const [named, setNamed] = useState<Passkey | 'new'>()
  const list = useQuery({ queryKey: LIST, queryFn: () => call('listPasskeys', {}) })
  const columns: Column<Passkey>[] = [
    { title: t.common.name, cell: ({ name }) => name },
    {
      title: t.passkeys.used,
      cell: ({ usedAt }) => (usedAt === null ? t.passkeys.never : <Moment at={usedAt} />),
    },
    {
      title: t.problems.do,
      cell: (row) => (
        <span className="actions">
          <button type="button" aria-haspopup="dialog" onClick={() => setNamed(row)}>
            {t.passkeys.rename}
          </button>
          <AskButton
            kind="danger"
            title={`${t.common.remove}: ${row.name}`}
            text={t.passkeys.remove}
            work={() => call('removePasskey', { path: { id: row.id } }).then(fresh)}
          >
            {t.common.remove}
          </AskButton>
        </span>
      ),
    },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.passkeys.title}</h2>
        <WorkButton
          opens="dialog"
          work={async () => setNamed('new')}
          why={hasPasskeys() ? undefined : t.passkeys.missing}
        >
          {t.passkeys.add}
        </WorkButton>
      </div>
      <p className="lead">{t.passkeys.text}</p>
      <List
        query={list}
        caption={t.passkeys.title}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.passkeys.none}
      />
      {(list.data ?? []).length > 0 && <AsFactor />}
      {named !== undefined && <Naming named={named} onClose={() => setNamed(undefined)} />}
    </section>
  )
}

function AsFactor() {
  const t = useText()
  const fresh = useFresh()
  const toast = useToast()
  const { person } = useSession()
  const put = async (on: boolean): Promise<void> => {
    await call('setPasskeyFactor', { body: { on } })
    await fresh()
    toast({ text: t.common.done })
  }
  return (
    <div className="note">
      <p>
        {t.passkeys.factor}. {t.passkeys.factorText}
      </p>
      <WorkButton work={() => put(!person.passkeyFactor)}>
        {person.passkeyFactor ? t.me.end : t.me.begin}
      </WorkButton>
    </div>
  )
}

function Naming({ named, onClose }: { named: Passkey | 'new'; onClose(): void }) {
  const t = useText()
  const fresh = useFresh()
  const title = named === 'new' ? t.passkeys.add : t.passkeys.rename
  const send = async ({ name = '' }: Record<string, string>) => {
    if (named === 'new') await addPasskey(name)
    else await call('renamePasskey', { path: { id: named.id }, body: { name } })
    await fresh()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={title}
        send={send}
        more={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        {(faults) => (
          <Field
            label={t.passkeys.name}
            name="name"
            value={named === 'new' ? t.passkeys.suggested : named.name}
            faults={faults}
            autoFocus
          />
        )}
      </Form>
    </Dialog>
  )
}

export function SsoLink() {
  const t = useText()
  const fresh = useFresh()
  const name = useSso()
  const { person } = useSession()
  if (name === null) return null
  return (
    <section>
      <h2>{t.sso.title}</h2>
      <p className="lead">{person.connected ? t.sso.on(name) : t.sso.text(name)}</p>
      {person.connected ? (
        <AskButton
          kind="danger"
          title={t.sso.end}
          text={t.sso.on(name)}
          work={() => call('endSso', {}).then(fresh)}
        >
          {t.sso.end}
        </AskButton>
      ) : (
        <WorkButton work={() => goToSso('link', '/me')}>{t.sso.connect}</WorkButton>
      )}
    </section>
  )
}
