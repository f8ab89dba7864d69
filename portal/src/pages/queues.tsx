// The registers of all merchants, with their last receipt, state and outage.
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.js'
import type { Input } from '../api/types.js'
import { useText } from '../text/index.js'
import { Choice, Clear, SearchField, Tick, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { queueAt, useQueueColumns } from './queue-table.js'

type Query = NonNullable<Input<'listAllQueues'>['query']>
const LIMIT = 50
const SILENT_HOURS = 48
const STATES = ['unused', 'active', 'stopped'] as const
const MARKETS = ['AT', 'DE', 'FR'] as const

export function Page() {
  const t = useText()
  const filters = useFilters()
  const query: Query = {
    limit: LIMIT,
    ...filters.given('after', 'search', 'operatorId', 'market', 'state'),
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
        <Clear filters={filters} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.queues.title}
        columns={useQueueColumns()}
        keyOf={({ id }) => id}
        openAt={queueAt}
        nothing={t.queues.nothing}
      />
    </>
  )
}
