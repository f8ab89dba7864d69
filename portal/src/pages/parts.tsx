// The configuration of a merchant: all its Queues and signing units, also those that lie in no
// CashBox or are hidden.
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { callPage } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Day } from '../ui/time.js'
import { pageAt } from './operator-outlets.js'
import { useUnits } from './unit-in-list.js'

type Queue = Result<'listQueues'>[number]
type Unit = Result<'listScus'>[number]

export function Page() {
  const t = useText()
  const { operatorId = '' } = useParams()
  return (
    <>
      <p>
        <Link to={`/operators/${operatorId}`}>← {t.common.merchant}</Link>
      </p>
      <h1>{t.parts.title}</h1>
      <p className="lead">{t.parts.lead}</p>
      <Queues operatorId={operatorId} />
      {useUnits() ? (
        <Units operatorId={operatorId} />
      ) : (
        <p>
          <Link to={`/scus?operatorId=${operatorId}`}>{t.cashBox.scus}</Link>
        </p>
      )}
    </>
  )
}

interface Part {
  description: string
  id: string
  packageName: string
  packageVersion: string
}

/** What both kinds begin with; `to`: the page of one. */
function useFirst(to: (id: string) => string): readonly Column<Part & { outletNumber: number }>[] {
  const t = useText()
  return [
    {
      title: t.cashBox.description,
      cell: ({ id, description, packageName, packageVersion }) => (
        <>
          <Link to={to(id)}>{description || id}</Link>
          <span className="sub mono">
            {packageName} {packageVersion}
          </span>
        </>
      ),
    },
    { title: t.common.outlet, cell: ({ outletNumber }) => outletNumber, isNumber: true },
  ]
}

function Queues({ operatorId }: { operatorId: string }) {
  const t = useText()
  const filters = useFilters('queue')
  const at = (id: string) => `/operators/${operatorId}/queues/${id}`
  const list = useQuery({
    queryKey: ['listQueues', operatorId, filters.get('after')],
    queryFn: () => callPage('listQueues', pageAt(operatorId, filters)),
  })
  const columns: Column<Queue>[] = [
    ...useFirst(at),
    {
      title: t.common.state,
      cell: ({ startMoment, stopMoment }) => {
        const state = stopMoment !== null ? 'stopped' : startMoment === null ? 'unused' : 'active'
        const look = state === 'active' ? 'good' : ''
        return <span className={`state ${look}`}>{t.queues.states[state]}</span>
      },
    },
    { title: t.registration.used, cell: ({ startMoment }) => <Day at={startMoment} /> },
  ]
  return (
    <section>
      <h2>{t.cashBox.queues}</h2>
      <List
        query={list}
        filters={filters}
        caption={t.cashBox.queues}
        columns={columns}
        keyOf={({ id }) => id}
        openAt={({ id }) => at(id)}
        nothing={t.queues.nothing}
      />
    </section>
  )
}

function Units({ operatorId }: { operatorId: string }) {
  const t = useText()
  const filters = useFilters('scu')
  const at = (id: string) => `/operators/${operatorId}/scus/${id}`
  const list = useQuery({
    queryKey: ['listScus', operatorId, filters.get('after')],
    queryFn: () => callPage('listScus', pageAt(operatorId, filters)),
  })
  const columns: Column<Unit>[] = [
    ...useFirst(at),
    {
      title: t.common.state,
      cell: ({ isHidden, isCertificateExpired }) => (
        <>
          {isHidden && <span className="state">{t.parts.hidden}</span>}
          {isCertificateExpired && <span className="state bad">{t.parts.expired}</span>}
        </>
      ),
    },
    {
      title: t.scus.serial,
      cell: ({ serialNumber }) => <span className="mono sub">{serialNumber}</span>,
    },
    { title: t.scus.certificate, cell: (unit) => <Day at={unit.certificateExpirationDate} /> },
  ]
  return (
    <section>
      <h2>{t.cashBox.scus}</h2>
      <List
        query={list}
        filters={filters}
        caption={t.cashBox.scus}
        columns={columns}
        keyOf={({ id }) => id}
        openAt={({ id }) => at(id)}
        nothing={t.scus.nothing}
      />
    </section>
  )
}
