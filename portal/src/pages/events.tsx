// What happens now, and the webhooks that bring it elsewhere.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useRole } from '../api/session.js'
import type { EventType, Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { AskButton, CopyButton, Disabled, WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { Dialog } from '../ui/dialog.js'
import { Field, Form, Select } from '../ui/form.js'
import { List } from '../ui/list.js'
import { type LiveEvent, useLive } from '../ui/live.js'
import { Empty, ErrorNote } from '../ui/states.js'
import { Moment } from '../ui/time.js'
import { useToast } from '../ui/toast.js'
import { MODES, signaturesOf } from './webhook.js'

export function Page() {
  const t = useText()
  return (
    <>
      <h1>{t.events.title}</h1>
      <Tail />
      <Webhooks />
    </>
  )
}

const SHOWN = 50

/** What has happened, and what programs call it. */
function TypeOf({ type }: { type: EventType }) {
  const t = useText()
  return (
    <>
      {t.wire.events[type] ?? t.events.redacted}
      <span className="sub mono">{type}</span>
    </>
  )
}

function Tail() {
  const t = useText()
  const { events } = useLive()
  const [frozen, setFrozen] = useState<readonly LiveEvent[]>()
  const head = useQuery({
    queryKey: ['listEvents', 'last'],
    queryFn: async () => {
      const { head: last } = await call('listEvents', { query: { limit: 1 } })
      const before = BigInt(last) - BigInt(SHOWN)
      const after = before > 0n ? before : 0n
      return call('listEvents', { query: { limit: SHOWN, after } })
    },
  })
  const before = (head.data?.items ?? []).toReversed() as unknown as LiveEvent[]
  const known = new Set(events.map(({ seq }) => seq))
  const all = [...events, ...before.filter(({ seq }) => !known.has(seq))]
  const shown = (frozen ?? all).slice(0, SHOWN)
  const columns: Column<LiveEvent>[] = [
    {
      title: '#',
      cell: ({ seq }) => <Link to={`/events/${seq}`}>{seq}</Link>,
      isNumber: true,
    },
    { title: t.events.type, cell: ({ type }) => <TypeOf type={type} /> },
    { title: t.events.subject, cell: ({ subject }) => <span className="mono">{subject}</span> },
    { title: t.events.when, cell: ({ time }) => <Moment at={time} /> },
    {
      title: t.events.data,
      cell: ({ data }) => <span className="mono sub">{JSON.stringify(data)}</span>,
    },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.events.live}</h2>
        <Link className="button" to="/events/types">
          {t.webhook.kinds}
        </Link>
        <button
          type="button"
          aria-keyshortcuts="p"
          onClick={() => setFrozen(frozen === undefined ? all : undefined)}
        >
          {frozen === undefined ? t.events.pause : t.events.goOn}{' '}
          <kbd>
            <span aria-hidden="true">p</span>
          </kbd>
        </button>
      </div>
      {head.error !== null && <ErrorNote error={head.error} again={() => void head.refetch()} />}
      {shown.length === 0 ? (
        <Empty title={t.events.nothing} />
      ) : (
        <DataTable
          caption={t.events.live}
          columns={columns}
          rows={shown}
          keyOf={({ seq }) => String(seq)}
          openAt={({ seq }) => `/events/${seq}`}
        />
      )}
      <ReceiptsToo />
    </section>
  )
}

const SETTINGS = 'eventSettings'

function ReceiptsToo() {
  const t = useText()
  const { mayWrite } = useRole()
  const client = useQueryClient()
  const [wanted, setWanted] = useState<boolean>()
  const settings = useQuery({
    queryKey: ['getEventSettings'],
    queryFn: () => call('getEventSettings', {}),
  })
  const change = useMutation({
    // One after another: the last one that was wanted is the one that holds.
    scope: { id: SETTINGS },
    mutationKey: [SETTINGS],
    mutationFn: (receipts: boolean) => call('putEventSettings', { body: { receipts } }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: ['getEventSettings'] })
      if (client.isMutating({ mutationKey: [SETTINGS] }) === 1) setWanted(undefined)
    },
  })
  if (settings.data === undefined || !mayWrite) return null
  return (
    <>
      <p>
        <label>
          <input
            type="checkbox"
            // What was wanted is shown at once; afterwards what the server says counts.
            checked={wanted ?? settings.data.receipts}
            onChange={(event) => {
              setWanted(event.target.checked)
              change.mutate(event.target.checked)
            }}
          />{' '}
          {t.events.receipts}
        </label>
      </p>
      {change.error !== null && <ErrorNote error={change.error} />}
    </>
  )
}

const FIRST = { url: 'https://hooks.example.com/fiskalwerk', types: ['outage.opened'] }

type Webhook = Result<'listWebhooks'>[number]

function Webhooks() {
  const t = useText()
  const { mayWrite } = useRole()
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const list = useQuery({ queryKey: ['listWebhooks'], queryFn: () => call('listWebhooks', {}) })
  const columns: Column<Webhook>[] = [
    {
      title: t.events.url,
      cell: ({ id, url, description, lastError }) => (
        <>
          <Link to={`/webhooks/${id}`}>{url}</Link>
          <span className="sub">{description}</span>
          {lastError !== null && <span className="sub state bad">{lastError}</span>}
        </>
      ),
    },
    { title: t.events.mode, cell: ({ mode }) => t.wire.modes[mode] },
    {
      title: t.common.state,
      cell: ({ state }) => (
        <span className={`state ${state === 'active' ? 'good' : 'bad'}`}>
          {t.wire.webhooks[state]}
        </span>
      ),
    },
    { title: '#', cell: ({ cursor }) => cursor, isNumber: true },
    { title: t.problems.do, cell: (row) => <Actions row={row} onSecret={setSecret} /> },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.events.webhooks}</h2>
        {mayWrite ? (
          <button
            type="button"
            className="primary"
            aria-haspopup="dialog"
            onClick={() => setAdding(true)}
          >
            {t.events.addWebhook}
          </button>
        ) : (
          <Disabled why={t.why.role(t.company.roles.Member)}>{t.events.addWebhook}</Disabled>
        )}
      </div>
      <List
        query={list}
        caption={t.events.webhooks}
        columns={columns}
        keyOf={({ id }) => id}
        nothing={t.events.noWebhook}
        openAt={({ id }) => `/webhooks/${id}`}
        first={{ id: 'createWebhook', body: FIRST }}
      />
      {isAdding && <Add onClose={() => setAdding(false)} onSecret={setSecret} />}
      {secret !== undefined && (
        <Dialog title={t.events.addWebhook} onClose={() => setSecret(undefined)}>
          <p>{t.events.secret}</p>
          <pre>{secret}</pre>
          <div className="actions">
            <CopyButton text={secret} />
            <button type="button" onClick={() => setSecret(undefined)}>
              {t.common.close}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  )
}

function Add({ onClose, onSecret }: { onClose(): void; onSecret(secret: string): void }) {
  const t = useText()
  const client = useQueryClient()
  const send = async ({ url = '', mode, description = '', signed }: Record<string, string>) => {
    const wished = MODES.find((one) => one === mode) ?? 'ordered'
    const made = await call('createWebhook', {
      body: { url, mode: wished, description, types: [], asymmetric: signed === 'v1a' },
    })
    await client.invalidateQueries({ queryKey: ['listWebhooks'] })
    onClose()
    onSecret(made.secret)
  }
  return (
    <Dialog title={t.events.addWebhook} onClose={onClose}>
      <Form
        submit={t.common.add}
        send={send}
        more={
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
        }
      >
        {(faults) => (
          <>
            <Field label={t.events.url} name="url" type="url" faults={faults} autoFocus />
            <Select
              label={t.events.mode}
              name="mode"
              options={MODES.map((one) => [one, t.wire.modes[one]])}
            />
            <Select label={t.events.signed} name="signed" options={signaturesOf(t)} />
            <Field label={t.cashBox.description} name="description" faults={faults} />
          </>
        )}
      </Form>
    </Dialog>
  )
}

function Actions({ row, onSecret }: { row: Webhook; onSecret(secret: string): void }) {
  const t = useText()
  const client = useQueryClient()
  const toast = useToast()
  const why = useWhy('webhook', row.id)
  const path = { id: row.id }
  const fresh = () => client.invalidateQueries({ queryKey: ['listWebhooks'] })
  const test = async () => {
    const { taken, status, error } = await call('testWebhook', { path })
    toast({ text: t.events.tested(`${status ?? ''} ${error ?? ''}`.trim()), isFault: !taken })
  }
  return (
    <span className="filters">
      <WorkButton why={why('testWebhook')} work={test}>
        {t.events.test}
      </WorkButton>
      {row.state !== 'active' && (
        <WorkButton
          why={why('enableWebhook')}
          work={() => call('enableWebhook', { path }).then(fresh)}
        >
          {t.events.enable}
        </WorkButton>
      )}
      <WorkButton
        why={why('rotateWebhookSecret')}
        work={async () =>
          onSecret((await call('rotateWebhookSecret', { path, body: { overlapHours: 24 } })).secret)
        }
      >
        {t.events.rotate}
      </WorkButton>
      <AskButton
        why={why('deleteWebhook')}
        kind="danger"
        title={t.common.remove}
        text={t.events.removeText}
        work={() => call('deleteWebhook', { path }).then(fresh)}
      >
        {t.common.remove}
      </AskButton>
    </span>
  )
}
