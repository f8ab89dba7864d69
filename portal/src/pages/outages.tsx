// Outages of all merchants, usually the newest first.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { Tick, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Day } from '../ui/time.js'

type Outage = Result<'listOutages'>['items'][number]
const LIMIT = 50

export function Page() {
  const t = useText()
  const filters = useFilters()
  const query = {
    limit: LIMIT,
    ...filters.given('after', 'sort'),
    ...(filters.get('open') === 'true' ? { open: true } : {}),
  }
  const list = useQuery({
    queryKey: ['listOutages', query],
    queryFn: () => call('listOutages', { query }),
  })
  const causeOf = (cause: string) =>
    cause === 'device' || cause === 'register' ? t.outages.causes[cause] : cause
  const columns: Column<Outage>[] = [
    {
      title: t.queues.register,
      cell: ({ cashBoxIdentification, queueId }) => (
        <Link to={`/queues/${queueId}/outage`}>{cashBoxIdentification}</Link>
      ),
    },
    {
      title: t.common.merchant,
      cell: ({ operatorId, operatorName }) => (
        <Link to={`/operators/${operatorId}`}>{operatorName}</Link>
      ),
    },
    { title: t.outages.cause, cell: ({ cause }) => causeOf(cause) },
    { title: t.outages.began, sort: 'beganAt', cell: ({ beganAt }) => <Day at={beganAt} /> },
    {
      title: t.outages.ended,
      cell: ({ endedAt }) =>
        endedAt === null ? <span className="state bad">…</span> : <Day at={endedAt} />,
    },
  ]
  return (
    <>
      <h1>{t.outages.title}</h1>
      <div className="filters">
        <Tick filters={filters} name="open" label={t.outages.open} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.outages.title}
        columns={columns}
        usual="-beganAt"
        keyOf={({ id }) => id}
        openAt={({ queueId }) => `/queues/${queueId}/outage`}
        nothing={t.outages.nothing}
      />
    </>
  )
}
