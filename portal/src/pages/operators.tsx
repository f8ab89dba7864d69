// The merchants of a dealer; of a merchant, itself and who works for it.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useSession } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useSpeech, useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { SearchField, Tick, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'
import { OfMerchant } from './merchant.js'

type Operator = Result<'listOperators'>['items'][number]
const LIMIT = 50

export function Page() {
  const { account } = useSession()
  return account?.roles.includes('PosDealer') ? <OfDealer /> : <OfMerchant />
}

function OfDealer() {
  const t = useText()
  const filters = useFilters()
  const query = {
    ...{ limit: LIMIT, ...filters.given('after', 'search') },
    ...(filters.get('problems') === 'true' ? { problems: true } : {}),
  }
  const list = useQuery({
    queryKey: ['listOperators', query],
    queryFn: () => call('listOperators', { query }),
    placeholderData: (before) => before,
  })
  return (
    <>
      <div className="head">
        <h1>{t.merchants.title}</h1>
        <Link className="button" to="/import/invitations">
          {t.invite.import}
        </Link>
        <Link className="button primary" to="/onboard">
          {t.merchants.invite}
        </Link>
      </div>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
        <Tick filters={filters} name="problems" label={t.merchants.withProblems} />
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.merchants.title}
        columns={useColumns()}
        keyOf={({ id }) => id}
        openAt={({ id }) => `/operators/${id}`}
        nothing={t.merchants.nothing}
        begin={t.merchants.nothingText}
        first={{ id: 'invitePosOperator', body: FIRST }}
      />
    </>
  )
}

const FIRST = {
  company: { name: 'Blumen Lenz', email: 'office@lenz.example' },
  primaryContact: { firstName: 'Ida', lastName: 'Lenz', email: 'ida@lenz.example' },
  accessRights: 'Full',
}

function useColumns(): Column<Operator>[] {
  const { t, language } = useSpeech()
  const text = (count: number) => count.toLocaleString(language)
  return [
    {
      title: t.common.name,
      cell: ({ id, name }) => <Link to={`/operators/${id}`}>{name}</Link>,
    },
    { title: t.common.market, cell: ({ market }) => market },
    {
      title: t.merchants.right,
      cell: ({ right }) => t.merchant.rights[right] ?? right,
    },
    { title: t.merchants.outlets, cell: ({ outlets }) => text(outlets), isNumber: true },
    { title: t.merchants.registers, cell: ({ queues }) => text(queues), isNumber: true },
    { title: t.queues.last, cell: ({ lastReceipt }) => <Moment at={lastReceipt} /> },
    {
      title: t.problems.title,
      cell: ({ id, problems, severity }) =>
        problems === 0 ? null : (
          <Link to={`/?operatorId=${id}`} className={`state ${severity === 3 ? 'bad' : 'wait'}`}>
            {text(problems)}
          </Link>
        ),
      isNumber: true,
    },
  ]
}
