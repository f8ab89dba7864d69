// What an interface tells of one thing, member by member, under the names that programs see.
import { Fragment, type ReactNode } from 'react'
import { useText } from '../text/index.js'
import { Day } from './time.js'

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** `leave`: members that the page shows elsewhere. */
export function Facts({ of, leave = [] }: { of: object; leave?: readonly string[] }) {
  const known = Object.entries(of).filter(([name]) => !leave.includes(name))
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="mono">{name}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Value({ value }: { value: unknown }): ReactNode {
  const t = useText()
  if (value === null || value === undefined || value === '') return t.common.none
  if (typeof value === 'object') {
    const text = JSON.stringify(value, null, 2)
    return text === '[]' || text === '{}' ? t.common.none : <pre>{text}</pre>
  }
  const text = String(value)
  return MOMENT.test(text) ? <Day at={text} /> : <span className="piece mono">{text}</span>
}
