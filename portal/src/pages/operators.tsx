// The merchants of a dealer; of a merchant, itself and who works for it.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useSession } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { SearchField, useFilters } from '../ui/filters.js'
import { Empty, ErrorNote, Loading } from '../ui/states.js'
import { OfMerchant } from './merchant.js'

type Operator = Result<'listPosOperators'>[number]

export function Page() {
  const { account } = useSession()
  return account?.roles.includes('PosDealer') ? <OfDealer /> : <OfMerchant />
}

function OfDealer() {
  const t = useText()
  const filters = useFilters()
  const list = useQuery({
    queryKey: ['listPosOperators'],
    queryFn: () => call('listPosOperators', {}),
  })
  const wanted = filters.get('search').toLowerCase()
  const rows = (list.data ?? []).filter((one) =>
    `${one.name} ${one.city} ${one.eMailAddress} ${one.id}`.toLowerCase().includes(wanted),
  )
  const columns: Column<Operator>[] = [
    {
      title: t.common.name,
      cell: ({ id, name, eMailAddress }) => (
        <>
          <Link to={`/operators/${id}`}>{name}</Link>
          <span className="sub">{eMailAddress}</span>
        </>
      ),
    },
    {
      title: t.merchants.place,
      cell: ({ line1, postalCode, city }) => `${line1}, ${postalCode} ${city}`,
    },
    { title: t.merchants.country, cell: ({ country }) => country },
  ]
  return (
    <>
      <div className="head">
        <h1>{t.merchants.title}</h1>
        <Link className="button primary" to="/onboard">
          {t.merchants.invite}
        </Link>
      </div>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
      </div>
      {list.isPending && <Loading />}
      {list.error !== null && <ErrorNote error={list.error} again={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title={t.merchants.nothing}>
          {t.merchants.nothingText}
          <pre>{`curl -sS "$FISKALWERK_URL/api/posoperators" -H "accountId: $ACCOUNT_ID" -H "accessToken: $ACCOUNT_TOKEN"`}</pre>
        </Empty>
      )}
      {list.data !== undefined && list.data.length > 0 && rows.length === 0 && (
        <Empty title={t.common.nothingFound}>
          <button type="button" onClick={filters.clear}>
            {t.common.clear}
          </button>
        </Empty>
      )}
      {rows.length > 0 && (
        <DataTable
          caption={t.merchants.title}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          openAt={({ id }) => `/operators/${id}`}
        />
      )}
    </>
  )
}
