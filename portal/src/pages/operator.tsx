// One merchant: who it is, its outlets, CashBoxes and registers.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { call, callPage } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { ErrorNote, Loading } from '../ui/states.js'
import { MasterData, Outlets, pageAt } from './operator-outlets.js'
import { Overview } from './operator-overview.js'
import { queueAt, useQueueColumns } from './queue-table.js'

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  const path = { posOperatorId: operatorId }
  const operator = useQuery({
    queryKey: ['getPosOperator', operatorId],
    queryFn: () => call('getPosOperator', { path }),
  })
  if (operator.isPending) return <Loading />
  if (operator.error !== null) {
    return <ErrorNote isPage error={operator.error} again={() => void operator.refetch()} />
  }
  const { name, line1, postalCode, city, country, eMailAddress, identifiers } = operator.data
  const known = Object.entries(identifiers).filter(([, value]) => value !== null && value !== '')
  return (
    <>
      <p>
        <Link to="/operators">← {t.merchants.back}</Link>
      </p>
      <div className="head">
        <h1>{name}</h1>
        <MasterData operatorId={operatorId} operator={operator.data} />
      </div>
      <p className="lead">
        {line1}, {postalCode} {city}, {country} · {eMailAddress}
        {known.map(([key, value]) => ` · ${key} ${String(value)}`)}
      </p>
      <p className="filters">
        <Link className="button" to={`/operators/${operatorId}/look`}>
          {t.look.title}
        </Link>
        <Link className="button" to={`/reports?operatorId=${operatorId}`}>
          {t.reports.title}
        </Link>
        <Link className="button" to={`/exports?operatorId=${operatorId}`}>
          {t.exports.title}
        </Link>
        <Link className="button" to={`/operators/${operatorId}/possystems`}>
          {t.posSystems.title}
        </Link>
        <Link className="button" to={`/operators/${operatorId}/parts`}>
          {t.parts.title}
        </Link>
        <Link className="button" to={`/operators/${operatorId}/privacy`}>
          {t.privacy.title}
        </Link>
        {country === 'DE' && (
          <Link className="button" to={`/operators/${operatorId}/place`}>
            {t.place.title}
          </Link>
        )}
      </p>
      <Overview operatorId={operatorId} />
      <Registers operatorId={operatorId} />
      <Outlets operatorId={operatorId} country={country} />
      <CashBoxes operatorId={operatorId} />
    </>
  )
}

function Registers({ operatorId }: { operatorId: string }) {
  const t = useText()
  const query = { operatorId, limit: 50 }
  const list = useQuery({
    queryKey: ['listAllQueues', query],
    queryFn: () => call('listAllQueues', { query }),
  })
  return (
    <section>
      <div className="head">
        <h2>{t.merchants.registers}</h2>
        <Link className="button" to={`/queues?operatorId=${operatorId}`}>
          {t.common.all}
        </Link>
      </div>
      <List
        query={list}
        caption={t.queues.title}
        columns={useQueueColumns()}
        keyOf={({ id }) => id}
        openAt={queueAt}
        nothing={t.queues.nothing}
      />
    </section>
  )
}

type Box = Result<'listCashBoxes'>[number]

function CashBoxes({ operatorId }: { operatorId: string }) {
  const t = useText()
  const filters = useFilters('box')
  const list = useQuery({
    queryKey: ['listCashBoxes', operatorId, filters.get('after')],
    queryFn: () => callPage('listCashBoxes', pageAt(operatorId, filters)),
  })
  const columns: Column<Box>[] = [
    {
      title: t.cashBox.title,
      cell: ({ cashBoxId, description }) => (
        <>
          <Link to={`/operators/${operatorId}/cashboxes/${cashBoxId}`}>
            {description === '' ? cashBoxId : description}
          </Link>
          <span className="sub mono">{cashBoxId}</span>
        </>
      ),
    },
    { title: t.common.outlet, cell: ({ outletNumber }) => outletNumber, isNumber: true },
  ]
  return (
    <section>
      <div className="head">
        <h2>{t.merchants.cashBoxes}</h2>
        <Link className="button" to={`/rollout?operatorId=${operatorId}`}>
          {t.change.make}
        </Link>
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.merchants.cashBoxes}
        columns={columns}
        keyOf={({ cashBoxId }) => cashBoxId}
        openAt={({ cashBoxId }) => `/operators/${operatorId}/cashboxes/${cashBoxId}`}
        nothing={t.cashBoxes.nothing}
        begin={<Link to={`/rollout?operatorId=${operatorId}`}>{t.rollout.use}</Link>}
      />
    </section>
  )
}
