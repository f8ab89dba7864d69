// One webhook: where it stands, what came of its calls, changing it, and sending events once more.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { int64In } from '../api/numbers.js'
import type { Input, Result } from '../api/types.js'
import { EVENT_TYPES } from '../generated/operations.js'
import { type Text, useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { CopyButton } from '../ui/buttons.js'
import type { Column } from '../ui/data-table.js'
import { EditButton } from '../ui/edit.js'
import { useFilters } from '../ui/filters.js'
import { List, Loaded } from '../ui/list.js'
import { Moment } from '../ui/time.js'

type Webhook = Result<'getWebhook'>
type Attempt = Result<'listWebhookAttempts'>[number]
type Body = Input<'updateWebhook'>['body']
const LIMIT = 50
export const MODES = ['ordered', 'parallel', 'batch'] as const
const SIGNATURES = ['v1', 'v1a'] as const

/** What signs calls, for a choice. */
export const signaturesOf = ({ events }: Text) =>
  SIGNATURES.map((one) => [one, events.signatures[one]] as const)

export function Page() {
  const t = useText()
  const { webhookId = '' } = useParams()
  const path = { id: webhookId }
  const webhook = useQuery({
    queryKey: ['getWebhook', webhookId],
    queryFn: () => call('getWebhook', { path }),
  })
  return (
    <>
      <p>
        <Link to="/events">← {t.events.title}</Link>
      </p>
      <Loaded isPage query={webhook}>
        {(found) => <Shown webhook={found} />}
      </Loaded>
      <Attempts id={webhookId} />
    </>
  )
}

function Shown({ webhook }: { webhook: Webhook }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('webhook', webhook.id)
  const path = { id: webhook.id }
  const then = async (work: Promise<unknown>) => {
    await work
    for (const key of ['getWebhook', 'listWebhooks', 'listWebhookAttempts']) {
      await client.invalidateQueries({ queryKey: [key] })
    }
  }
  const change = ({ types = '', signed, ...values }: Record<string, string>) => {
    const wished = types.split(/[\s,]+/).filter((one) => one !== '')
    return then(
      call('updateWebhook', {
        path,
        body: { ...values, asymmetric: signed === 'v1a', types: wished } as Body,
      }),
    )
  }
  const replay = ({ from = '', to = '' }: Record<string, string>) =>
    then(call('replayWebhook', { path, body: { fromSeq: int64In(from), toSeq: int64In(to) } }))
  return (
    <>
      <div className="head">
        <h1>{webhook.url}</h1>
        <EditButton
          why={why('updateWebhook')}
          title={t.common.change}
          entries={[
            { name: 'url', label: t.events.url, value: webhook.url },
            { name: 'description', label: t.cashBox.description, value: webhook.description },
            {
              ...{ name: 'mode', label: t.events.mode, value: webhook.mode },
              options: MODES.map((one) => [one, t.wire.modes[one]] as const),
            },
            {
              ...{ name: 'signed', label: t.events.signed, options: signaturesOf(t) },
              value: webhook.publicKey === null ? 'v1' : 'v1a',
            },
            {
              ...{ name: 'types', label: t.events.types, type: 'lines' },
              ...{ value: webhook.types.join(' '), hint: EVENT_TYPES.join(' ') },
            },
          ]}
          send={change}
        >
          {t.common.change}
        </EditButton>
        <EditButton
          why={why('replayWebhook')}
          text={t.webhook.replayText}
          submit={t.webhook.replay}
          entries={[
            { name: 'from', label: t.webhook.from, value: '1' },
            { name: 'to', label: t.webhook.to, value: String(webhook.cursor) },
          ]}
          send={replay}
        >
          {t.webhook.replay}
        </EditButton>
      </div>
      <dl className="facts">
        <dt>{t.common.state}</dt>
        <dd>
          <span className={`state ${webhook.state === 'active' ? 'good' : 'bad'}`}>
            {t.wire.webhooks[webhook.state]}
          </span>
        </dd>
        <dt>{t.webhook.taken}</dt>
        <dd>{String(webhook.cursor)}</dd>
        <dt>{t.events.types}</dt>
        <dd>
          {webhook.types.length === 0
            ? t.common.all
            : webhook.types.map((type) => t.wire.events[type]).join(', ')}
        </dd>
        {webhook.publicKey !== null && (
          <>
            <dt>{t.events.publicKey}</dt>
            <dd>
              <span className="mono piece">{webhook.publicKey}</span>{' '}
              <CopyButton text={webhook.publicKey} />
            </dd>
          </>
        )}
        {webhook.lastError !== null && (
          <>
            <dt>{t.webhook.error}</dt>
            <dd>{webhook.lastError}</dd>
          </>
        )}
        {webhook.nextTry !== null && (
          <>
            <dt>{t.webhook.next}</dt>
            <dd>
              <Moment at={webhook.nextTry} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

function Attempts({ id }: { id: string }) {
  const t = useText()
  const filters = useFilters()
  const before = filters.get('after')
  const query = { limit: LIMIT, ...(before === '' ? {} : { before }) }
  const list = useQuery({
    queryKey: ['listWebhookAttempts', id, query],
    queryFn: () => call('listWebhookAttempts', { path: { id }, query }),
    select: (items) => ({
      items,
      next: items.length < LIMIT ? null : (items.at(-1)?.id ?? null),
    }),
  })
  const columns: Column<Attempt>[] = [
    { title: t.events.when, cell: ({ at }) => <Moment at={at} /> },
    {
      title: '#',
      cell: ({ seq, toSeq }) => (seq === toSeq ? String(seq) : `${seq}–${toSeq}`),
      isNumber: true,
    },
    {
      title: t.receipt.answer,
      cell: ({ status, error }) => (
        <>
          <span className={`state ${error === null ? 'good' : 'bad'}`}>{status ?? '–'}</span>
          <span className="sub">{error}</span>
        </>
      ),
    },
    { title: 'ms', cell: ({ ms }) => ms, isNumber: true },
  ]
  return (
    <section>
      <h2>{t.events.attempts}</h2>
      <List
        query={list}
        filters={filters}
        caption={t.events.attempts}
        columns={columns}
        keyOf={(one) => one.id}
        nothing={t.webhook.nothing}
      />
    </section>
  )
}
