// The CashBoxes of all merchants: what was changed and not published, what was published and not
// fetched.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { SearchField, Tick, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'

type Box = Result<'listAllCashBoxes'>['items'][number]
const LIMIT = 50
const LOOKS = { never: 'wait', changed: 'wait', current: 'good' }

export function Page() {
  const t = useText()
  const filters = useFilters()
  const query = {
    ...{ limit: LIMIT, ...filters.given('after', 'search', 'operatorId') },
    ...(filters.get('unpublished') === 'true' ? { unpublished: true } : {}),
  }
  const list = useQuery({
    queryKey: ['listAllCashBoxes', query],
    queryFn: () => call('listAllCashBoxes', { query }),
    placeholderData: (before) => before,
  })
  const at = ({ operatorId, id }: Box) => `/operators/${operatorId}/cashboxes/${id}`
  const columns: Column<Box>[] = [
    {
      title: t.cashBox.title,
      cell: (box) => (
        <>
          <Link to={at(box)}>{box.description === '' ? box.id : box.description}</Link>
          <span className="sub mono">{box.id}</span>
        </>
      ),
    },
    {
      title: t.common.merchant,
      cell: ({ operatorId, operatorName, market, outletNumber }) => (
        <>
          <Link to={`/operators/${operatorId}`}>{operatorName}</Link>
          <span className="sub">
            {market} · {t.common.outlet} {outletNumber}
          </span>
        </>
      ),
    },
    {
      title: t.cashBox.published,
      cell: ({ published, publishedAt }) => (
        <>
          <span className={`state ${LOOKS[published]}`}>{t.cashBoxes.published[published]}</span>
          {publishedAt !== null && (
            <span className="sub">
              <Moment at={publishedAt} />
            </span>
          )}
        </>
      ),
    },
    {
      title: t.cashBoxes.fetched,
      cell: ({ fetched, fetchedAt }) =>
        fetched ? (
          <Moment at={fetchedAt} />
        ) : (
          <span className="lead">{t.cashBoxes.notFetched}</span>
        ),
    },
    { title: t.queues.last, cell: ({ lastReceipt }) => <Moment at={lastReceipt} /> },
  ]
  return (
    <>
      <h1>{t.cashBoxes.title}</h1>
      <p className="lead">{t.cashBoxes.lead}</p>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
        <Tick filters={filters} name="unpublished" label={t.cashBoxes.only} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.cashBoxes.title}
        columns={columns}
        keyOf={({ id }) => id}
        openAt={at}
        nothing={t.cashBoxes.nothing}
      />
    </>
  )
}
