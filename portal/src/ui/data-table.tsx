// A table of what the server has sorted and cut into pages.
import type { MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '../text/index.js'

export interface Column<T> {
  title: string
  cell(row: T): ReactNode
  isNumber?: boolean
  /** The member that its list can be sorted by. */
  sort?: string
}

export interface Sorting {
  /** `-due`: the greatest first. */
  by: string
  set(by: string): void
}

/** Rows that are chosen, by their keys. */
export interface Selection {
  chosen: ReadonlySet<string>
  set(chosen: ReadonlySet<string>): void
}

export interface DataTableProps<T> {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T): string
  sorting?: Sorting | undefined
  /** Left out: rows cannot be chosen. */
  selection?: Selection | undefined
  /** Where a row leads. */
  openAt?(row: T): string | undefined
}

export function DataTable<T>(props: DataTableProps<T>) {
  const { caption, columns, rows, keyOf, openAt, sorting, selection } = props
  const navigate = useNavigate()
  /** A click beside the link of a row opens it as well; one that marks text does not. */
  const open = (event: MouseEvent, to: string) => {
    const isOther =
      event.target instanceof Element && event.target.closest('a, button, label, dialog') !== null
    if (isOther || getSelection()?.isCollapsed === false) return
    void navigate(to)
  }
  return (
    <div className="table cards">
      <table>
        <caption className="skip">{caption}</caption>
        <thead>
          <tr>
            {selection !== undefined && <All keys={rows.map(keyOf)} selection={selection} />}
            {columns.map((column) => (
              <Head key={column.title} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const to = openAt?.(row)
            return (
              <tr
                key={keyOf(row)}
                tabIndex={-1}
                data-open={to === undefined ? undefined : ''}
                onClick={to === undefined ? undefined : (event) => open(event, to)}
              >
                {selection !== undefined && <One of={keyOf(row)} selection={selection} />}
                {columns.map((column) => (
                  <td
                    key={column.title}
                    data-label={column.title}
                    className={column.isNumber ? 'number' : undefined}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function All({ keys, selection }: { keys: readonly string[]; selection: Selection }) {
  const t = useText()
  const isAll = keys.every((key) => selection.chosen.has(key))
  return (
    <th scope="col" className="choice">
      <label>
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => selection.set(new Set(isAll ? [] : keys))}
        />
        <span className="skip">{t.common.all}</span>
      </label>
    </th>
  )
}

function One({ of, selection: { chosen, set } }: { of: string; selection: Selection }) {
  const t = useText()
  const change = () => {
    const after = new Set(chosen)
    if (!after.delete(of)) after.add(of)
    set(after)
  }
  return (
    <td className="choice">
      <label>
        <input
          type="checkbox"
          aria-label={t.keys.select}
          aria-keyshortcuts="x"
          checked={chosen.has(of)}
          onChange={change}
        />
      </label>
    </td>
  )
}

interface HeadProps {
  column: Pick<Column<never>, 'title' | 'isNumber' | 'sort'>
  sorting: Sorting | undefined
}

function Head({ column: { title, isNumber, sort }, sorting }: HeadProps) {
  const className = isNumber ? 'number' : undefined
  if (sort === undefined || sorting === undefined) {
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    )
  }
  const isUp = sorting.by === sort
  const is = isUp ? 'ascending' : sorting.by === `-${sort}` ? 'descending' : 'none'
  return (
    <th scope="col" className={className} aria-sort={is}>
      <button type="button" className="plain" onClick={() => sorting.set(isUp ? `-${sort}` : sort)}>
        {title} <span aria-hidden="true">{MARKS[is]}</span>
      </button>
    </th>
  )
}

const MARKS = { ascending: '▲', descending: '▼', none: '' }
