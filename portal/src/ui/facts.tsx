// What an interface tells of one thing, member by member, under the names that programs see.
import { Fragment, type ReactNode } from 'react'
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

/** Of a member without a value: in no language one word fits a day, a name and a list. */
const NOTHING = '–'

function Value({ value }: { value: unknown }): ReactNode {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'object') {
    const text = JSON.stringify(value, null, 2)
    return text === '[]' || text === '{}' ? NOTHING : <pre>{text}</pre>
  }
  const text = String(value)
  return MOMENT.test(text) ? <Day at={text} /> : <span className="piece mono">{text}</span>
}
