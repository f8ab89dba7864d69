// The outage of one register: its units as they answer, the clock of the law, the next step, and what
// the autopilot does.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { useWhy } from '../ui/actions.js'
import { WorkButton } from '../ui/buttons.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { Loaded } from '../ui/list.js'
import { Empty } from '../ui/states.js'
import { Day, Moment } from '../ui/time.js'

type View = Result<'readOutage'>
const POLICIES = ['off', 'advise', 'act'] as const

export function Page() {
  const t = useText()
  const { queueId = '' } = useParams()
  const outage = useQuery({
    queryKey: ['listOutages', 'of', queueId],
    queryFn: () => call('readOutage', { path: { id: queueId } }),
  })
  return (
    <>
      <p>
        <Link to={`/queues/${queueId}`}>← {t.register.title}</Link>
      </p>
      <Loaded isPage query={outage}>
        {(view) => <Shown view={view} />}
      </Loaded>
    </>
  )
}

function Shown({ view }: { view: View }) {
  const t = useText()
  const client = useQueryClient()
  const why = useWhy('queue', view.queueId)
  const close = async () => {
    await call('closeOutage', { path: { id: view.queueId } })
    await client.invalidateQueries({ queryKey: ['listOutages'] })
  }
  const { outages, units, state } = view
  return (
    <>
      <div className="head">
        <h1>
          {t.outage.title} {view.cashBoxIdentification}
        </h1>
        {outages.length > 0 && (
          <WorkButton kind="primary" why={why('closeOutage')} work={close} done={t.common.done}>
            {t.outage.close}
          </WorkButton>
        )}
      </div>
      <p className="lead">
        <Link to={`/operators/${view.operatorId}`}>{view.operatorName}</Link> · {view.market} ·{' '}
        <span className={`state ${state === 'ok' ? 'good' : 'bad'}`}>{t.outage.states[state]}</span>
      </p>
      {outages.length === 0 ? (
        <Empty title={t.outage.none} />
      ) : (
        <dl className="facts">
          <dt>{t.outage.next}</dt>
          <dd>{view.action}</dd>
          {outages.map(({ id, cause, since, receipts }) => (
            <Facts key={id} cause={cause} since={since} receipts={receipts} />
          ))}
          {view.deadline !== null && (
            <>
              <dt>{t.outage.deadline}</dt>
              <dd>
                <Day at={view.deadline} />
              </dd>
            </>
          )}
        </dl>
      )}
      {view.cashBoxId !== null && <Autopilot cashBoxId={view.cashBoxId} />}
      {units.length > 0 && <Units units={units} />}
    </>
  )
}

type Outage = View['outages'][number]

function Facts({ cause, since, receipts }: Pick<Outage, 'cause' | 'since' | 'receipts'>) {
  const t = useText()
  return (
    <>
      <dt>{t.outages.causes[cause]}</dt>
      <dd>
        <Moment at={since} />
      </dd>
      {receipts !== null && (
        <>
          <dt>{t.outage.receipts}</dt>
          <dd>{receipts}</dd>
        </>
      )}
    </>
  )
}

function Units({ units }: { units: View['units'] }) {
  const t = useText()
  const columns: Column<View['units'][number]>[] = [
    {
      title: t.outage.units,
      cell: ({ description, scuId }) => (
        <>
          {description}
          <span className="sub mono">{scuId}</span>
        </>
      ),
    },
    { title: t.common.state, cell: ({ state }) => t.outage.states[state] },
    {
      title: t.outage.asked,
      cell: ({ lastAsked, lastError }) => (
        <>
          <Moment at={lastAsked} />
          <span className="sub">{lastError}</span>
        </>
      ),
    },
  ]
  return (
    <section>
      <h2>{t.outage.units}</h2>
      <DataTable
        caption={t.outage.units}
        columns={columns}
        rows={units}
        keyOf={({ scuId }) => scuId}
      />
    </section>
  )
}

export function Autopilot({ cashBoxId }: { cashBoxId: string }) {
  const t = useText()
  const why = useWhy('cashbox', cashBoxId)('putAutopilot')
  const client = useQueryClient()
  const path = { id: cashBoxId }
  const queryKey = ['readAutopilot', cashBoxId]
  const found = useQuery({ queryKey, queryFn: () => call('readAutopilot', { path }) })
  const put = async (chosen: string) => {
    const policy = POLICIES.find((one) => one === chosen) ?? null
    client.setQueryData(queryKey, await call('putAutopilot', { path, body: { policy } }))
  }
  return (
    <Loaded query={found}>
      {({ chosen, policy }) =>
        why === undefined ? (
          <label className="field short">
            <span>{t.outage.policy}</span>
            <select value={chosen ?? ''} onChange={(event) => void put(event.target.value)}>
              <option value="">{t.outage.usual}</option>
              {POLICIES.map((one) => (
                <option key={one} value={one}>
                  {t.outage.policies[one]}
                </option>
              ))}
            </select>
            {chosen === null && policy !== null && (
              <span className="hint">{t.outage.policies[policy]}</span>
            )}
          </label>
        ) : (
          <p>
            {t.outage.policy}: {policy === null ? t.common.none : t.outage.policies[policy]}
            <span className="sub">{why}</span>
          </p>
        )
      }
    </Loaded>
  )
}
