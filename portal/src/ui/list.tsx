// A list of what the server has: loading, failed, nothing yet, nothing found, not allowed, or rows.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { publicAddressOf } from '../api/client.js'
import { curlOf } from '../api/curl.js'
import type { OperationId } from '../api/types.js'
import { OPERATIONS } from '../generated/operations.js'
import { useText } from '../text/index.js'
import { DataTable, type DataTableProps, type Sorting } from './data-table.js'
import { type Filters, Pager } from './filters.js'
import { Empty, ErrorNote, Loading } from './states.js'

interface LoadedProps<T> {
  query: UseQueryResult<T>
  children(data: T): ReactNode
  /** The heading of the page comes with it. */
  isPage?: boolean
}

/** What a page shows when its answer is there; before, that it is coming, or why it is not. */
export function Loaded<T>({ query, children, isPage = false }: LoadedProps<T>) {
  const { data, error } = query
  const again = () => void query.refetch()
  // what is there stays when a further look fails, with all that somebody has typed into it
  return (
    <>
      {error !== null && (
        <ErrorNote error={error} again={again} isPage={isPage && data === undefined} />
      )}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Loading />}
    </>
  )
}

interface Page<T> {
  items: readonly T[]
  next?: string | null
}

interface Props<T> extends Omit<DataTableProps<T>, 'rows' | 'sorting'> {
  /** A page of it, or all of it. */
  query: UseQueryResult<Page<T> | readonly T[]>
  /** Left out: the list has no filters and no further pages. */
  filters?: Filters
  /** How the server sorts when nothing is chosen. */
  usual?: string
  /** When there is nothing at all. */
  nothing: string
  /** What makes the first one: shown as a call. */
  first?: { id: OperationId; body: unknown }
  /** What makes the first one, as a button or a link. */
  begin?: ReactNode
}

const isWhole = <T,>(data: Page<T> | readonly T[]): data is readonly T[] => Array.isArray(data)

export function List<T>(props: Props<T>) {
  const { query, filters, nothing, first, begin, usual, ...table } = props
  const t = useText()
  const sorting: Sorting | undefined =
    usual === undefined || filters === undefined
      ? undefined
      : {
          by: filters.get('sort') === '' ? usual : filters.get('sort'),
          set: (by) => filters.set('sort', by),
        }
  return (
    <Loaded query={query}>
      {(data) => {
        const { items, next = null } = isWhole(data) ? { items: data } : data
        return (
          <>
            {items.length > 0 ? (
              <DataTable {...table} sorting={sorting} rows={items} />
            ) : filters?.isSet ? (
              <Empty title={t.common.nothingFound}>
                <button type="button" onClick={filters.clear}>
                  {t.common.clear}
                </button>
              </Empty>
            ) : (
              <Empty title={nothing}>
                {begin}
                {first !== undefined && <pre>{firstCall(first.id, first.body)}</pre>}
              </Empty>
            )}
            {filters !== undefined && <Pager filters={filters} next={next} />}
          </>
        )
      }}
    </Loaded>
  )
}

function firstCall(id: OperationId, body: unknown): string {
  const { method, path } = OPERATIONS[id]
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, `$${name}`])
  const address = decodeURIComponent(publicAddressOf(id, { path: Object.fromEntries(names) }))
  return curlOf({ method, address, body })
}
