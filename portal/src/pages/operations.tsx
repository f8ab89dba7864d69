// Everything that the interfaces can do, by group.
import { Link } from 'react-router'
import { OPERATIONS } from '../generated/operations.js'
import { useText, useTitles } from '../text/index.js'
import { type Column, DataTable } from '../ui/data-table.js'
import { SearchField, useFilters } from '../ui/filters.js'
import { Empty } from '../ui/states.js'

interface Row {
  id: string
  group: string
  method: string
  path: string
  title: string
  tag: string
  right?: string
}

const ROWS: readonly Row[] = Object.entries(OPERATIONS)
  .map(([id, row]) => ({ id, ...row }))
  .filter(({ group }) => group !== 'session')

export function Page() {
  const t = useText()
  const titleOf = useTitles()
  const filters = useFilters()
  const rights: Partial<Record<string, string>> = t.onboard.rights
  const wanted = filters.get('search').toLowerCase()
  const rows = ROWS.filter(({ id, title, path, tag }) =>
    `${id} ${title} ${titleOf(id)} ${path} ${tag}`.toLowerCase().includes(wanted),
  )
  const columns: Column<Row>[] = [
    {
      title: t.common.name,
      cell: ({ id, right }) => (
        <>
          <Link to={`/run/${id}`}>{titleOf(id)}</Link>
          {right !== undefined && right !== 'None' && (
            <span className="sub">{t.operations.missing(rights[right] ?? right)}</span>
          )}
        </>
      ),
    },
    { title: t.problems.kind, cell: ({ tag }) => <span className="whole">{tag}</span> },
    {
      title: t.common.api,
      cell: ({ method, path }) => (
        <span className="mono">
          {method} {path}
        </span>
      ),
    },
  ]
  return (
    <>
      <h1>{t.operations.title}</h1>
      <p className="lead">{t.operations.text}</p>
      <div className="filters">
        <SearchField filters={filters} label={t.common.search} />
      </div>
      {rows.length === 0 ? (
        <Empty title={t.common.nothingFound} />
      ) : (
        <DataTable
          caption={t.operations.title}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          openAt={({ id }) => `/run/${id}`}
        />
      )}
    </>
  )
}
