// What security devices did for other servers: their log, answers for calls that come again, and
// exports while they are fetched.
import type { ScuHead } from '../../device/device.js'
import { ticksOf } from '../../lib/ticks.js'
import { reaching, type Store } from '../client.js'
import type { UnitKey } from './scus.js'

/** Of one call. */
export interface ServedRow {
  /** Signature counter of its first message. */
  number: number
  /** '': it may be done twice. */
  callKey: string
  /** JSON text; '': there was none. */
  answer: string
  /** '': the device keeps its log itself. */
  content: string
}

const COLUMNS = 'account_id, scu_id, number, time_stamp, call_key, answer, content'

/** State of the unit and row of the call in one commit; false: the unit has moved meanwhile. */
export async function moveServedUnit(
  store: Store,
  { scu, row, now }: { scu: Readonly<ScuHead>; row: ServedRow | undefined; now: Date },
): Promise<boolean> {
  const { accountId, id, version, state, faultScript } = scu
  const ticks = ticksOf(now.getTime())
  const logged =
    row === undefined
      ? ''
      : `, l as (insert into served_log (${COLUMNS})
          select $1, $2, $7::bigint, $6, $8::text, $9::text, $10::text from moved)`
  const done = await store.pool.query({
    text: `with moved as (update scu set version = version + 1, state = $4, fault_script = $5,
        time_stamp = $6 where account_id = $1 and id = $2 and version = $3 returning id)${logged}
      select id from moved`,
    values: [accountId, id, version, state, faultScript, ticks, ...valuesOf(row)],
  })
  return done.rowCount === 1
}

/** Of a device that keeps its log itself: it has signed, whatever its unit says meanwhile. */
export async function keepServedRow(
  store: Store,
  { accountId, id, now }: UnitKey & { now: Date },
  row: ServedRow,
): Promise<void> {
  await store.pool.query({
    text: `insert into served_log (${COLUMNS}) values ($1, $2, $4, $3, $5, $6, $7)
      on conflict do nothing`,
    values: [accountId, id, ticksOf(now.getTime()), ...valuesOf(row)],
  })
}

function valuesOf(row: ServedRow | undefined): (number | string)[] {
  return row === undefined ? [] : [row.number, row.callKey, row.answer, row.content]
}

/** The answer of the call with this key; undefined: it was not answered here. */
export async function servedAnswer(
  store: Store,
  { accountId, id }: UnitKey,
  callKey: string,
): Promise<string | undefined> {
  const found = await reaching(() =>
    store.pool.query<{ answer: string }>({
      text: `select answer from served_log
        where account_id = $1 and scu_id = $2 and call_key = $3 and call_key <> ''
          and answer <> '' order by number limit 1`,
      values: [accountId, id, callKey],
    }),
  )
  return found.rows[0]?.answer
}

export interface ServedLogRow {
  number: number
  content: string
  timeStamp: bigint
}

const PAGE_ROWS = 500

/** Rows with messages in the order of their counters, in pages; the first may begin before. */
export async function* servedLog(
  store: Store,
  { accountId, id }: UnitKey,
  { from, to }: { from: number; to: number },
): AsyncGenerator<ServedLogRow[], void, undefined> {
  let after = from - 1
  for (;;) {
    const { rows } = await reaching(() =>
      store.pool.query<{ number: string | bigint; content: string; time_stamp: bigint }>({
        text: `select number, content, time_stamp from served_log
          where account_id = $1 and scu_id = $2 and number > $3 and number <= $4
            and content <> '' order by number limit ${PAGE_ROWS}`,
        values: [accountId, id, after, to],
      }),
    )
    if (rows.length === 0) return
    yield rows.map(({ number, content, time_stamp: timeStamp }) => {
      after = Number(number)
      return { number: after, content, timeStamp }
    })
  }
}
