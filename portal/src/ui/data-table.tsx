// A table of what the server has sorted and cut into pages.
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

export interface Column<T> {
  title: string
  cell(row: T): ReactNode
  isNumber?: boolean
}

interface Props<T> {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T): string
  /** Where a row leads. */
  openAt?(row: T): string | undefined
}

export function DataTable<T>({ caption, columns, rows, keyOf, openAt }: Props<T>) {
  const navigate = useNavigate()
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
                data-open={to === undefined ? undefined : ''}
                onDoubleClick={to === undefined ? undefined : () => void navigate(to)}
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
