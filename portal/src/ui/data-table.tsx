// A table of what the server has sorted and cut into pages.
import type { MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'

export interface Column<T> {
  title: string
  cell(row: T): ReactNode
  isNumber?: boolean
}

export interface DataTableProps<T> {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T): string
  /** Where a row leads. */
  openAt?(row: T): string | undefined
}

export function DataTable<T>({ caption, columns, rows, keyOf, openAt }: DataTableProps<T>) {
  const navigate = useNavigate()
  /** A click beside the link of a row opens it as well; one that marks text does not. */
  const open = (event: MouseEvent, to: string) => {
    const isOther = event.target instanceof Element && event.target.closest('a, button') !== null
    if (isOther || getSelection()?.isCollapsed === false) return
    void navigate(to)
  }
  return (
    <div className="table cards">
      <table>
        <caption className="skip">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? 'number' : undefined}>
                {title}
              </th>
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
