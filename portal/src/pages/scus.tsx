// The signing units of all merchants: whose certificate ends, and which do not answer.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { Choice, SearchField, Tick, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Day, Moment } from '../ui/time.js'

type Scu = Result<'listAllScus'>['items'][number]
const LIMIT = 50
const ENDING_MS = 90 * 86_400_000
const STATES = ['unused', 'active', 'terminated'] as const

export function Page() {
  const t = useText()
  const filters = useFilters()
  const ends = new Date(Date.now() + ENDING_MS).toISOString().slice(0, 10)
  const state = STATES.find((one) => one === filters.get('state'))
  const query = {
    ...{ limit: LIMIT, ...filters.given('after', 'search', 'operatorId') },
    ...(state === undefined ? {} : { state }),
    ...(filters.get('outage') === 'true' ? { outage: true } : {}),
    ...(filters.get('ending') === 'true' ? { certificateEndsBefore: ends } : {}),
  }
  const list = useQuery({
    queryKey: ['listAllScus', query],
    queryFn: () => call('listAllScus', { query }),
    placeholderData: (before) => before,
  })
  return (
    <>
      <h1>{t.scus.title}</h1>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
        <Choice
          filters={filters}
          name="state"
          label={t.common.state}
          options={STATES.map((one) => [one, t.scus.states[one]])}
        />
        <Tick filters={filters} name="outage" label={t.queues.withOutage} />
        <Tick filters={filters} name="ending" label={t.scus.ending} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.scus.title}
        columns={useScuColumns()}
        keyOf={({ id }) => id}
        nothing={t.scus.nothing}
      />
    </>
  )
}

function useScuColumns(): Column<Scu>[] {
  const t = useText()
  return [
    {
      title: t.scus.title,
      cell: ({ id, description, packageName, cashBoxIds: [box], operatorId }) => (
        <>
          <Link to={`/operators/${operatorId}/scus/${id}`}>{description || id}</Link>
          <span className="sub mono">{packageName}</span>
          {box !== undefined && (
            <span className="sub">
              <Link to={`/operators/${operatorId}/cashboxes/${box}`}>CashBox</Link>
            </span>
          )}
        </>
      ),
    },
    {
      title: t.common.merchant,
      cell: ({ operatorId, operatorName, market }) => (
        <>
          <Link to={`/operators/${operatorId}`}>{operatorName}</Link>
          <span className="sub">{market}</span>
        </>
      ),
    },
    {
      title: t.common.state,
      cell: ({ state, outage }) => (
        <>
          <span className={`state ${outage !== null ? 'bad' : state === 'active' ? 'good' : ''}`}>
            {t.scus.states[state]}
          </span>
          {outage !== null && (
            <span className="sub state bad">
              {t.queues.outage}: <Moment at={outage.since} />
            </span>
          )}
        </>
      ),
    },
    {
      title: t.scus.serial,
      cell: ({ serialNumber }) => <span className="mono sub">{serialNumber}</span>,
    },
    {
      title: t.scus.certificate,
      cell: ({ certificateEnds }) =>
        certificateEnds === null ? null : (
          <span className={soon(certificateEnds) ? 'state wait' : undefined}>
            <Day at={certificateEnds} />
          </span>
        ),
    },
    { title: t.scus.queues, cell: ({ queues }) => queues, isNumber: true },
  ]
}

const soon = (end: string): boolean => Date.parse(end) - Date.now() < ENDING_MS
