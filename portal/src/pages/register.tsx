// One register: what it is, where its pages are, and its receipts, the newest first.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call } from '../api/client.js'
import { amountText } from '../api/numbers.js'
import type { Result } from '../api/types.js'
import { useSpeech, useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { useFilters } from '../ui/filters.js'
import { List, Loaded } from '../ui/list.js'
import { Empty } from '../ui/states.js'
import { Moment } from '../ui/time.js'

type Receipt = Result<'listReceipts'>['items'][number]
const LIMIT = 50

export function Page() {
  const t = useText()
  const { queueId = '' } = useParams()
  const found = useQuery({
    queryKey: ['listAllQueues', 'one', queueId],
    queryFn: () => call('listAllQueues', { query: { search: queueId, limit: 1 } }),
  })
  return (
    <Loaded isPage query={found}>
      {({ items: [queue] }) =>
        queue === undefined ? (
          <Empty isPage title={t.common.nothingFound} />
        ) : (
          <Register queue={queue} />
        )
      }
    </Loaded>
  )
}

type Queue = Result<'listAllQueues'>['items'][number]

function Register({ queue }: { queue: Queue }) {
  const t = useText()
  const { id, operatorId, operatorName, cashBoxId, market, state, outage } = queue
  return (
    <>
      <p>
        <Link to="/queues">← {t.queues.title}</Link>
      </p>
      <h1>{queue.cashBoxIdentification}</h1>
      <p className="lead">
        {queue.description === '' ? '' : `${queue.description} · `}
        <Link to={`/operators/${operatorId}`}>{operatorName}</Link> · {market} ·{' '}
        <span className={`state ${outage !== null ? 'bad' : state === 'active' ? 'good' : ''}`}>
          {outage === null ? t.queues.states[state] : t.queues.outage}
        </span>
      </p>
      <p className="filters">
        {cashBoxId !== null && (
          <>
            <Link className="button" to={`/operators/${operatorId}/cashboxes/${cashBoxId}`}>
              {t.cashBox.title}
            </Link>
            <Link className="button" to={`/lab?cashBoxId=${cashBoxId}&operatorId=${operatorId}`}>
              {t.register.lab}
            </Link>
          </>
        )}
        <Link className="button" to={`/queues/${id}/registration`}>
          {t.register.look}
        </Link>
        <Link className="button" to={`/queues/${id}/outage`}>
          {t.register.outage}
        </Link>
        <Link className="button" to={`/queues/${id}/switch`}>
          {t.register.switch}
        </Link>
        <Link className="button" to={`/queues/${id}/journals`}>
          {t.journals.title}
        </Link>
        <Link className="button" to={`/exports?operatorId=${operatorId}`}>
          {t.register.export}
        </Link>
      </p>
      <Receipts queueId={id} />
    </>
  )
}

const ERROR = 0xeeee_eeeen
const LOW = 0xffff_ffffn

/** What ftState says, as far as it is the same in every country. */
export function outcomeOf(state: string): 'ready' | 'told' | 'error' {
  const low = BigInt.asUintN(64, BigInt(state)) & LOW
  return low === 0n ? 'ready' : low === ERROR ? 'error' : 'told'
}

const LOOKS = { ready: 'good', told: 'wait', error: 'bad' }

export function Outcome({ state }: { state: string }) {
  const t = useText()
  if (state === '') return <span className="state wait">{t.register.unanswered}</span>
  const outcome = outcomeOf(state)
  return <span className={`state ${LOOKS[outcome]}`}>{t.register.states[outcome]}</span>
}

function Receipts({ queueId }: { queueId: string }) {
  const { t, language } = useSpeech()
  const filters = useFilters()
  const after = filters.get('after')
  const query = { limit: LIMIT, ...(after === '' ? {} : { after }) }
  const list = useQuery({
    queryKey: ['listReceipts', queueId, query],
    queryFn: () => call('listReceipts', { path: { queueId }, query }),
  })
  const columns: Column<Receipt>[] = [
    {
      title: t.register.number,
      cell: ({ id, identification, reference }) => (
        <>
          <Link to={`/receipts/${queueId}/${id}`}>{identification || reference || id}</Link>
          <span className="sub">{reference}</span>
        </>
      ),
    },
    { title: t.register.moment, cell: ({ moment }) => <Moment at={moment} /> },
    { title: t.common.state, cell: ({ state }) => <Outcome state={state} /> },
    {
      title: t.register.total,
      cell: ({ total }) => (total === null ? '' : amountText(total, language)),
      isNumber: true,
    },
    { title: t.register.row, cell: ({ row }) => String(row), isNumber: true },
  ]
  return (
    <section>
      <h2>{t.register.receipts}</h2>
      <List
        query={list}
        filters={filters}
        caption={t.register.receipts}
        columns={columns}
        keyOf={({ id }) => id}
        openAt={({ id }) => `/receipts/${queueId}/${id}`}
        nothing={t.register.nothing}
      />
    </section>
  )
}
