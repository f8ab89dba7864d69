// Who has changed what, the newest first.
import { useQuery } from '@tanstack/react-query'
import { call, linkOf } from '../api/client.js'
import type { Result } from '../api/types.js'
import { useText, useTitles } from '../text/index.js'
import type { Column } from '../ui/data-table.js'
import { Day, useFilters } from '../ui/filters.js'
import { List } from '../ui/list.js'
import { Moment } from '../ui/time.js'

type Line = Result<'listAudit'>['items'][number]
const LIMIT = 50

export function Page() {
  const t = useText()
  const filters = useFilters()
  const asked = ['operation', 'from', 'to', 'after', 'sort']
    .map((name) => [name, filters.get(name)] as const)
    .filter(([, value]) => value !== '')
  const query = { limit: LIMIT, ...Object.fromEntries(asked) }
  const list = useQuery({
    queryKey: ['listAudit', query],
    queryFn: () => call('listAudit', { query }),
  })
  const period = filters.given('operation', 'from', 'to')
  const columns: Column<Line>[] = [
    { title: t.history.at, sort: 'at', cell: ({ at }) => <Moment at={at} /> },
    { title: t.history.what, cell: (line) => <What line={line} /> },
    {
      title: t.history.who,
      cell: ({ accountName, personName, apiKeyName }) => (
        <>
          {personName ?? apiKeyName ?? accountName}
          {(personName ?? apiKeyName) !== null && <span className="sub">{accountName}</span>}
        </>
      ),
    },
    { title: t.history.change, cell: (line) => <Change line={line} /> },
  ]
  return (
    <>
      <h1>{t.history.title}</h1>
      <p className="lead">{t.history.lead}</p>
      <div className="filters">
        <Day filters={filters} name="from" label={t.history.from} />
        <Day filters={filters} name="to" label={t.history.to} />
        <a href={linkOf('auditTable', { query: period })}>{t.history.table}</a>
      </div>
      <List
        query={list}
        filters={filters}
        caption={t.history.title}
        columns={columns}
        usual="-at"
        keyOf={({ id }) => id}
        nothing={t.history.nothing}
      />
    </>
  )
}

function What({ line: { operation, subjects } }: { line: Line }) {
  const titleOf = useTitles()
  return (
    <>
      {titleOf(operation)}
      <span className="sub mono">
        <span className="piece">{operation}</span>{' '}
        {entriesOf(subjects).map(([name, value]) => (
          <span key={name} className="piece">
            {name}: {textOf(value)}
          </span>
        ))}
      </span>
    </>
  )
}

function Change({ line: { before, after } }: { line: Line }) {
  const t = useText()
  if (before === null && after === null) return null
  return (
    <details>
      <summary>{t.history.show}</summary>
      {before !== null && (
        <>
          <b>{t.history.before}</b>
          <pre>{JSON.stringify(before, null, 2)}</pre>
        </>
      )}
      {after !== null && (
        <>
          <b>{t.history.after}</b>
          <pre>{JSON.stringify(after, null, 2)}</pre>
        </>
      )}
    </details>
  )
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
