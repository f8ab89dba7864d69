// Statements as spans: by their name, or by what they do to which table. Never with their values.
import { AsyncResource } from 'node:async_hooks'
import type pg from 'pg'
import type { Spans } from '../lib/spans.js'

type Query = (...values: unknown[]) => unknown

/** A connection that comes free is handed on by another call: whoever waited goes on in his own. */
export function traceStatements(pool: pg.Pool, spans: Spans): void {
  const connect = pool.connect.bind(pool) as Query
  Object.assign(pool, {
    connect: (...values: unknown[]) => connect(...values.map(bound)),
  })
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query
    Object.assign(client, {
      query: (...values: unknown[]) => traced(spans, query, values),
    })
  })
}

function bound(value: unknown): unknown {
  return typeof value === 'function' ? AsyncResource.bind(value as Query) : value
}

/** Both forms of pg: with a function at the end, and with a promise. */
function traced(spans: Spans, query: Query, values: unknown[]): unknown {
  const [statement] = values
  const summary = summaryOf(statement)
  const span = spans.begin({
    ...{ name: `statement ${summary}`, kind: 'client' as const },
    values: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  })
  const done = values.at(-1)
  if (typeof done === 'function') {
    const told = (error: unknown, ...rest: unknown[]): unknown => {
      span.end(error ?? undefined)
      return (done as Query)(error, ...rest)
    }
    return query(...values.slice(0, -1), told)
  }
  const answer = query(...values)
  if (answer instanceof Promise) {
    answer.then(
      () => span.end(),
      (error: unknown) => span.end(error),
    )
  } else span.end()
  return answer
}

const TABLE = /\b(?:from|into|update|table)\s+(?:only\s+)?(?:"?\w+"?\.)?"?([a-z_]+)/i

function summaryOf(statement: unknown): string {
  const { name, text = String(statement) } = Object(statement) as { name?: string; text?: string }
  if (name !== undefined && !/^\d/.test(name)) return name
  const [verb = ''] = /[a-z]+/i.exec(text) ?? []
  const [, table] = TABLE.exec(text) ?? []
  return table === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${table}`
}
