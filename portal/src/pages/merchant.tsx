// The merchant's own side: the way to its shops and registers, and who works for it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { ApiError, call } from '../api/client.js'
import { useSession } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Field, Form } from '../ui/form.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'
import { useToast } from '../ui/toast.js'

type Connection = Result<'listConnections'>[number]
const LIST = ['listConnections'] as const

export function OfMerchant() {
  const t = useText()
  const { account } = useSession()
  return (
    <>
      <div className="head">
        <h1>{t.merchant.title}</h1>
        <Link className="button primary" to={`/operators/${account?.accountId ?? ''}`}>
          {t.merchant.own}
        </Link>
      </div>
      <p className="lead">{t.merchant.text}</p>
      <Connections />
    </>
  )
}

function Connections() {
  const t = useText()
  const [ending, setEnding] = useState<Connection>()
  const list = useQuery({ queryKey: LIST, queryFn: () => call('listConnections', {}) })
  const columns: Column<Connection>[] = [
    { title: t.common.name, cell: ({ dealer }) => dealer.name },
    {
      title: t.merchant.right,
      cell: ({ accessRights }) => t.merchant.rights[accessRights] ?? accessRights,
    },
    {
      title: t.common.state,
      cell: ({ state, endsAt }) => (
        <>
          {t.merchant.states[state]}
          {endsAt !== null && (
            <span className="sub">
              <Moment at={endsAt} />
            </span>
          )}
        </>
      ),
    },
    {
      title: t.problems.do,
      cell: (row) =>
        row.state === 'ended' ? null : <End row={row} onEnd={() => setEnding(row)} />,
    },
  ]
  return (
    <section>
      <h2>{t.merchant.connections}</h2>
      <List
        query={list}
        caption={t.merchant.connections}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.merchant.nobody}
      />
      {ending !== undefined && <Ending row={ending} onClose={() => setEnding(undefined)} />}
    </section>
  )
}

function End({ row, onEnd }: { row: Connection; onEnd(): void }) {
  const t = useText()
  const why = useWhy('connection', row.dealer.id)('endConnection')
  return (
    <WorkButton opens="dialog" kind="danger" why={why} work={async () => onEnd()}>
      {t.merchant.end}
    </WorkButton>
  )
}

function Ending({ row, onClose }: { row: Connection; onClose(): void }) {
  const t = useText()
  const toast = useToast()
  const client = useQueryClient()
  const { id: accountId, name } = row.dealer
  const typed = t.invitations.typed(name)
  const send = async ({ on = '', said = '' }: Record<string, string>) => {
    if (said.trim() !== name) throw new ApiError(400, { errors: { said: [typed] } }, typed)
    await call('endConnection', { path: { accountId }, query: on === '' ? {} : { on } })
    await client.invalidateQueries({ queryKey: LIST })
    toast({ text: t.merchant.told })
    onClose()
  }
  return (
    <Dialog title={`${t.merchant.end}: ${name}`} onClose={onClose}>
      <p>{t.merchant.endText(name)}</p>
      <Form
        submit={t.merchant.end}
        send={send}
        more={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        {(faults) => (
          <>
            <Field label={t.merchant.day} name="on" type="date" faults={faults} />
            <Field label={typed} name="said" faults={faults} autoFocus />
          </>
        )}
      </Form>
    </Dialog>
  )
}
