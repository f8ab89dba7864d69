// The registers of all merchants, with their last receipt, state and outage.
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.js'
import type { Input } from '../api/types.js'
import { useText } from '../text/index.js'
import { Choice, Pager, SearchField, Tick, useFilters } from '../ui/filters.js'
import { Empty, ErrorNote, Loading } from '../ui/states.js'
import { QueueTable } from './queue-table.js'

type Query = NonNullable<Input<'listAllQueues'>['query']>
const LIMIT = 50
const SILENT_HOURS = 48
const STATES = ['unused', 'active', 'stopped'] as const
const MARKETS = ['AT', 'DE', 'FR'] as const

export function Page() {
  const t = useText()
  const filters = useFilters()
  const text = (name: string) => (filters.get(name) === '' ? {} : { [name]: filters.get(name) })
  const query: Query = {
    limit: LIMIT,
    ...text('after'),
    ...text('search'),
    ...text('operatorId'),
    ...text('market'),
    ...text('state'),
    ...(filters.get('outage') === 'true' ? { outage: true } : {}),
    ...(filters.get('silent') === 'true' ? { silentHours: SILENT_HOURS } : {}),
  }
  const list = useQuery({
    queryKey: ['listAllQueues', query],
    queryFn: () => call('listAllQueues', { query }),
    placeholderData: (before) => before,
  })
  return (
    <>
      <h1>{t.queues.title}</h1>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
        <Choice
          filters={filters}
          name="state"
          label={t.common.state}
          options={STATES.map((one) => [one, t.queues.states[one]])}
        />
        <Choice
          filters={filters}
          name="market"
          label={t.common.market}
          options={MARKETS.map((one) => [one, one])}
        />
        <Tick filters={filters} name="outage" label={t.queues.withOutage} />
        <Tick filters={filters} name="silent" label={t.queues.silent} />
        {filters.isSet && (
          <button type="button" className="plain" onClick={filters.clear}>
            {t.common.clear}
          </button>
        )}
      </div>
      {list.isPending && <Loading />}
      {list.error !== null && <ErrorNote error={list.error} again={() => void list.refetch()} />}
      {list.data?.items.length === 0 && (
        <Empty title={filters.isSet ? t.common.nothingFound : t.queues.nothing} />
      )}
      {list.data !== undefined && list.data.items.length > 0 && (
        <QueueTable rows={list.data.items} />
      )}
      <Pager filters={filters} next={list.data?.next} />
    </>
  )
}
