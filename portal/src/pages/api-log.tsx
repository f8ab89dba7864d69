// The last calls of the sandbox, the newest first, and refusals that are alike.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../api/client.js'
import { useSession } from '../api/session.js'
import type { Result } from '../api/types.js'
import { useText } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { Choice, type Filters, Tick, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Empty } from '../ui/states.js'
import { Moment } from '../ui/time.js'

type Line = Result<'listCalls'>['items'][number]
type Group = Result<'listCallErrors'>[number]
const LIMIT = 50
/** Calls are no events, so nobody tells the page of them. */
const LOOK_MS = 2_000

export function Page() {
  const t = useText()
  const { environment } = useSession()
  return (
    <>
      <h1>{t.apiLog.title}</h1>
      <p className="lead">
        {t.apiLog.lead} <Link to="/company">{t.apiLog.keys}</Link>
      </p>
      {environment === 'sandbox' ? <Calls /> : <Empty title={t.apiLog.production} />}
    </>
  )
}

/** The portal looks at much by itself: its calls are shown to whoever asks for them. */
function wayOf(filters: Filters): { via?: 'program' | 'portal' } {
  const way = filters.get('via')
  if (way === 'all') return {}
  return { via: way === 'portal' ? 'portal' : 'program' }
}

function Calls() {
  const t = useText()
  const filters = useFilters()
  const query = {
    limit: LIMIT,
    ...filters.given('cashBoxId', 'code', 'after'),
    ...wayOf(filters),
    ...(filters.get('failed') === 'true' ? { failed: true } : {}),
  }
  const isFollowing = filters.get('follow') === 'true'
  const list = useQuery({
    queryKey: ['listCalls', query],
    queryFn: () => call('listCalls', { query }),
    refetchInterval: isFollowing ? LOOK_MS : false,
  })
  const columns: Column<Line>[] = [
    { title: t.apiLog.call, cell: (line) => <What line={line} /> },
    {
      title: t.apiLog.status,
      cell: ({ status, code }) => (
        <>
          <Status status={status} />
          {code !== null && <span className="sub mono">{code}</span>}
        </>
      ),
    },
    { title: t.apiLog.ms, cell: ({ ms }) => String(Math.round(ms)), isNumber: true },
    { title: t.apiLog.by, cell: (line) => <Who line={line} filters={filters} /> },
    { title: t.apiLog.at, cell: ({ at }) => <Moment at={at} /> },
  ]
  return (
    <>
      <Errors filters={filters} />
      <div className="filters">
        <Choice
          filters={filters}
          name="via"
          label={t.apiLog.from}
          options={[
            ['portal', t.apiLog.ways.portal],
            ['all', t.common.all],
          ]}
          none={t.apiLog.ways.program}
        />
        <Tick filters={filters} name="failed" label={t.apiLog.failed} />
        <Tick filters={filters} name="follow" label={t.apiLog.follow} />
        {filters.isSet && (
          <button type="button" onClick={filters.clear}>
            {t.common.clear}
          </button>
        )}
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.apiLog.title}
        columns={columns}
        keyOf={({ id }) => id}
        openAt={({ id }) => `/api-log/${id}`}
        nothing={t.apiLog.nothing}
      />
    </>
  )
}

function What({ line: { id, method, path, api } }: { line: Line }) {
  return (
    <>
      <Link to={`/api-log/${id}`} className="mono">
        {method} {path}
      </Link>
      <span className="sub mono">{api}</span>
    </>
  )
}

export function Status({ status }: { status: number }) {
  return <span className={`state ${status < 400 ? 'good' : 'bad'}`}>{status}</span>
}

function Who({ line: { cashBoxId, via }, filters }: { line: Line; filters: Filters }) {
  const t = useText()
  return (
    <>
      {cashBoxId === null ? (
        t.apiLog.account
      ) : (
        <button type="button" className="plain" onClick={() => filters.set('cashBoxId', cashBoxId)}>
          <span>
            CashBox <span className="piece">{cashBoxId}</span>
          </span>
        </button>
      )}
      <span className="sub">{t.apiLog.ways[via]}</span>
    </>
  )
}

function Errors({ filters }: { filters: Filters }) {
  const t = useText()
  const query = { ...filters.given('cashBoxId'), ...wayOf(filters) }
  const list = useQuery({
    queryKey: ['listCallErrors', query],
    queryFn: () => call('listCallErrors', { query }),
  })
  if (list.data?.length === 0) return null
  const columns: Column<Group>[] = [
    {
      title: t.apiLog.code,
      cell: ({ code, status, message }) => (
        <>
          {code === null ? (
            status
          ) : (
            <button type="button" className="plain" onClick={() => filters.set('code', code)}>
              {code}
            </button>
          )}
          <span className="sub">{message}</span>
        </>
      ),
    },
    {
      title: t.apiLog.call,
      cell: ({ method, route }) => (
        <span className="mono">
          {method} {route}
        </span>
      ),
    },
    { title: t.apiLog.count, cell: ({ count }) => String(count), isNumber: true },
    {
      title: t.apiLog.newest,
      cell: ({ lastAt, lastId }) => (
        <Link to={`/api-log/${lastId}`}>
          <Moment at={lastAt} />
        </Link>
      ),
    },
  ]
  return (
    <details open>
      <summary>{t.apiLog.errors}</summary>
      <List
        query={list}
        caption={t.apiLog.errors}
        columns={columns}
        keyOf={({ lastId }) => lastId}
        nothing={t.apiLog.nothing}
      />
    </details>
  )
}
