// The one statement of the sign path: moves the heads of many queues by compare-and-set and appends
// the rows of those that won.
import {
  byteaArray,
  elementOf,
  int4Array,
  int8Array,
  textArray,
  tidArray,
  timestamptzArray,
  uuidArray,
} from '../binary-array.js'
import type { SeenPlace, SignPlaces } from '../client.js'
import { keptTexts } from '../receipt/receipt-texts.js'
import type { ItemRow, JournalledActionRow, ScuMove, SignBatch } from './sign-batch.js'
import { inboxPart } from './sign-inbox.js'
import { endingPart, operationPart } from './sign-operations.js'
import { OUTBOX_LETTER, outboxPart } from './sign-outbox.js'
import { type Part, source, types } from './sign-part.js'
import { marketPart, receiptPart, recordedPart } from './sign-receipts.js'

export interface Statement {
  name: string
  text: string
  values: (Buffer | null)[]
}

/**
 * Where the rows of queues and units lie, as far as this process has seen it. A row that moves
 * often leaves states behind, which PostgreSQL keeps for as long as anybody's transaction is older
 * (a backup, for instance): who comes by the id passes all of them.
 */
type Places = Map<string, SeenPlace>

/** Rows that are remembered; with more of them all are looked up again. */
const MOST_PLACES = 20_000

/** `place`: the ctid of the row. */
export function notePlace(places: Places, id: string, { version, place }: SeenPlace): void {
  const one = places.get(id)
  if (one === undefined) {
    if (places.size >= MOST_PLACES) places.clear()
    places.set(id, { version, place })
    return
  }
  one.version = version
  one.place = place
}

/** Null: it has to be looked up. */
function placeOf(places: Places, id: string, version: bigint): string | null {
  const one = places.get(id)
  return one?.version === version ? one.place : null
}

/**
 * Builds the statement. Its rows are those of the queues that won and of the units that they moved:
 * versions and places that they have now. There are few texts; `texts` keeps them by their names,
 * which say everything in which they differ.
 */
export function signStatement(
  batch: SignBatch,
  texts: Map<string, string>,
  places: SignPlaces,
): Statement {
  const one = isOne(batch)
  const parts = [
    one ? lonelyPart(batch, places) : headPart(batch, places),
    groupPart(batch, places),
    one ? undefined : movePart(batch.scus.length > 0),
    itemPart(batch.items),
    completionPart(batch.completions),
    recordedPart(batch.recorded),
    receiptPart(batch.receipts),
    marketPart(batch.markets),
    actionPart(batch.actions),
    certificatePart(batch.certificates),
    operationPart(batch.operations),
    endingPart(batch.endings),
    outboxPart(batch.outbox),
    inboxPart(batch.events),
    scuPart(batch.scus),
  ].filter((part) => part !== undefined)
  const name = `sign-${parts.map((part) => part.letter).join('')}`
  const text = texts.get(name) ?? textOf(parts, one)
  texts.set(name, text)
  const values = parts.flatMap(({ values, shared = [] }) => [
    ...(one ? values.map(elementOf) : values),
    ...shared,
  ])
  return { name, text, values }
}

/** One queue, and of everything one row at most: a register that signs alone. */
function isOne({ heads, scus, ...rows }: SignBatch): boolean {
  if (heads.length !== 1 || scus.length > 0) return false
  return Object.values(rows).every((list: readonly unknown[]) => list.length <= 1)
}

/** PostgreSQL computes what only reads when somebody asks for it. */
function isAsked(parts: readonly Part[]): string {
  const has = parts.some(({ letter }) => letter === OUTBOX_LETTER)
  return has ? ' where (select count(*) from x) >= 0' : ''
}

function textOf(parts: readonly Part[], one: boolean): string {
  let next = 1
  const ctes = parts.map((part) => {
    const first = next
    next += part.values.length + (part.shared?.length ?? 0)
    return part.text(first, one)
  })
  const [columns, units] = parts.some(({ letter }) => letter === GROUP_LETTER)
    ? [`${MOVED_TO}, false as unit`, ` union all select ${MOVED_TO}, true from sw`]
    : [MOVED_TO, '']
  return `with ${ctes.join(',\n')}\nselect ${columns} from h${isAsked(parts)}${units}`
}

const GROUP_LETTER = 'g'
const MOVED_TO = 'id, version::text, place'

const HEAD_TYPES = types(
  'uuid uuid int8 uuid timestamptz timestamptz int8 int8 int8 text bytea text timestamptz int8 ' +
    'bytea tid',
)

const HEAD_COLUMNS = `account_id, id, version, cash_box_id, start_moment, stop_moment, current_row,
    queued_row, receipt_numerator, receipt_totalizer, receipt_hash, state, last_moment, time_stamp,
    secrets_sealed`
const WHERE_HEAD = `coalesce(n.place,
    (select k.ctid from queue k where k.account_id = n.account_id and k.id = n.id))`
/** In words that no index serves, so that the page is looked at, and cleaned up if it is full. */
const SAME_HEAD = `q.account_id is not distinct from n.account_id
    and q.id is not distinct from n.id and q.version = n.version
    and q.cash_box_id is not distinct from n.cash_box_id`
const MOVED = `version = n.version + 1, start_moment = n.start_moment,
    stop_moment = n.stop_moment, current_row = n.current_row, queued_row = n.queued_row,
    receipt_numerator = n.receipt_numerator, receipt_totalizer = n.receipt_totalizer::numeric,
    receipt_hash = n.receipt_hash, state = n.state, last_moment = n.last_moment,
    time_stamp = n.time_stamp, secrets_sealed = coalesce(n.secrets_sealed, q.secrets_sealed)`

function headPart(batch: SignBatch, places: SignPlaces): Part {
  return {
    letter: 'h',
    text: (first) => `n as materialized (
  select ${HEAD_COLUMNS}, ${WHERE_HEAD} as place
  from ${source(first, HEAD_TYPES, false)} n(${HEAD_COLUMNS}, place)),
lk as materialized (
  select q.* from (select * from n order by id) n cross join lateral (
    select q.account_id, q.id from queue q
    where q.ctid >= n.place and q.ctid <= n.place and ${SAME_HEAD}
    for no key update of q) q)`,
    values: headValues(batch, places),
  }
}

/** A single head needs no order of locks: it is compared, locked and moved at once. */
function lonelyPart(batch: SignBatch, places: SignPlaces): Part {
  return {
    letter: '1',
    text: (first) => `h as (
  update queue q set ${MOVED}
  from ${source(first, HEAD_TYPES, true)} n(${HEAD_COLUMNS}, place)
  where q.ctid >= ${WHERE_HEAD} and q.ctid <= ${WHERE_HEAD} and ${SAME_HEAD}
  returning q.account_id, q.id, q.version, q.ctid as place)`,
    values: headValues(batch, places),
  }
}

function headValues(batch: SignBatch, places: SignPlaces): Buffer[] {
  const moves = [...batch.heads].sort((a, b) => (a.next.id < b.next.id ? -1 : 1))
  const next = moves.map((move) => move.next)
  return [
    uuidArray(next, (head) => head.accountId),
    uuidArray(next, (head) => head.id),
    int8Array(moves, (move) => move.version),
    uuidArray(next, (head) => head.cashBoxId),
    timestamptzArray(next, (head) => head.startMoment),
    timestamptzArray(next, (head) => head.stopMoment),
    int8Array(next, (head) => head.currentRow),
    int8Array(next, (head) => head.queuedRow),
    int8Array(next, (head) => head.receiptNumerator),
    textArray(next.map((head) => head.receiptTotalizer.toString())),
    byteaArray(next, (head) => head.receiptHash),
    textArray(moves, (move) => move.state),
    timestamptzArray(next, (head) => head.lastMoment),
    int8Array(next, (head) => head.timeStamp),
    byteaArray(moves, (move) => move.secretsSealed),
    tidArray(moves, ({ next, version }) => placeOf(places.queues, next.id, version)),
  ]
}

/**
 * A queue moves when its head was as it was loaded, and so was everything of its group. All are
 * counted first: a page that this update looks at could not be cleaned up for the lock.
 */
function movePart(grouped: boolean): Part {
  const guard = grouped ? 'and not exists (select from stale where stale.id = q.id)' : ''
  return {
    letter: '',
    text: () => `h as (
  update queue q set ${MOVED}
  from n join lk using (account_id, id)
  where q.ctid = n.place and q.account_id is not distinct from n.account_id
    and q.id is not distinct from n.id and (select count(*) from lk) > 0 ${guard}
  returning q.account_id, q.id, q.version, q.ctid as place)`,
    values: [],
  }
}

const ITEM_TYPES = types(
  'uuid int8 uuid timestamptz int4 timestamptz timestamptz timestamptz text text text text text ' +
    'text bytea text bytea text int8 uuid',
)
const ITEM_COLUMNS = `row, id, queue_moment, timeout_ms, work_moment, done_moment, receipt_moment,
    terminal_id, pos_system_id, receipt_reference, country, version, request, request_hash,
    response, response_hash, processing_version, time_stamp, operation_id`

function itemPart(rows: readonly ItemRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: 'i',
    text: (first, one) => `i as (
  insert into queue_item (account_id, queue_id, ${ITEM_COLUMNS})
  select h.account_id, u.* from ${source(first, ITEM_TYPES, one)} u(queue_id, ${ITEM_COLUMNS})
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      int8Array(rows, (row) => row.row),
      uuidArray(rows, (row) => row.id),
      timestamptzArray(rows, (row) => row.queueMoment),
      int4Array(rows, (row) => row.timeoutMs),
      timestamptzArray(rows, (row) => row.workMoment),
      timestamptzArray(rows, (row) => row.doneMoment),
      timestamptzArray(rows, (row) => row.receiptMoment),
      textArray(rows, (row) => row.terminalId),
      textArray(rows, (row) => row.posSystemId),
      textArray(rows, (row) => row.receiptReference),
      textArray(rows, (row) => row.country),
      textArray(rows, (row) => row.version),
      keptTexts('request', rows),
      byteaArray(rows, (row) => row.requestHash),
      keptTexts('response', rows),
      byteaArray(rows, (row) => row.responseHash),
      textArray(rows, (row) => row.processingVersion),
      int8Array(rows, (row) => row.timeStamp),
      uuidArray(rows, (row) => row.operationId),
    ],
  }
}

const COMPLETION_TYPES = types('uuid uuid timestamptz timestamptz text bytea text int8')

/**
 * By its id: no other index can find that. By queue and row PostgreSQL may take the index of the
 * ticks of a queue for as long as it has no statistics, and read all items of the queue for each.
 * `offset 0` keeps the join apart, so that the whole key comes from one side.
 */
function completionPart(rows: readonly ItemRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: 'f',
    text: (first, one) => `f as (
  update queue_item q set work_moment = u.work_moment, done_moment = u.done_moment,
    response = u.response, response_hash = u.response_hash,
    processing_version = u.processing_version, time_stamp = u.time_stamp
  from (select h.account_id, u.*
    from ${source(first, COMPLETION_TYPES, one)} u(queue_id, id, work_moment, done_moment,
      response, response_hash, processing_version, time_stamp)
    join h on h.id = u.queue_id offset 0) u
  where q.account_id = u.account_id and q.id = u.id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      uuidArray(rows, (row) => row.id),
      timestamptzArray(rows, (row) => row.workMoment),
      timestamptzArray(rows, (row) => row.doneMoment),
      keptTexts('response', rows),
      byteaArray(rows, (row) => row.responseHash),
      textArray(rows, (row) => row.processingVersion),
      int8Array(rows, (row) => row.timeStamp),
    ],
  }
}

const ACTION_TYPES = types('uuid int8 uuid uuid timestamptz int4 text text text text')

function actionPart(rows: readonly JournalledActionRow[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: 'a',
    text: (first, one) => `a as (
  insert into action_journal (account_id, queue_id, time_stamp, id, queue_item_id, moment,
    priority, type, message, data_base64, data_json)
  select h.account_id, u.* from ${source(first, ACTION_TYPES, one)} u(queue_id, time_stamp, id,
    queue_item_id, moment, priority, type, message, data_base64, data_json)
  join h on h.id = u.queue_id)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      int8Array(rows, (row) => row.timeStamp),
      uuidArray(rows, (row) => row.id),
      uuidArray(rows, (row) => row.queueItemId),
      timestamptzArray(rows, (row) => row.moment),
      int4Array(rows, (row) => row.priority),
      textArray(rows, (row) => row.type),
      textArray(rows, (row) => row.message),
      textArray(rows, (row) => row.dataBase64),
      textArray(rows, (row) => row.dataJson),
    ],
  }
}

/**
 * The issuers travel as one text of hexadecimal DERs, because arrays of arrays must be rectangular.
 * One order for all processes: two of them that store the same new certificates would wait for each
 * other.
 */
function certificatePart(certificates: SignBatch['certificates']): Part | undefined {
  if (certificates.length === 0) return undefined
  const rows = [...certificates].sort((a, b) => Buffer.compare(a.fingerprint, b.fingerprint))
  return {
    letter: 'c',
    text: (first, one) => `c as (
  insert into certificate (account_id, fingerprint, der, chain)
  select h.account_id, u.fingerprint, u.der,
    (select coalesce(array_agg(decode(x, 'hex') order by o), '{}')
     from unnest(string_to_array(nullif(u.chain, ''), ',')) with ordinality t(x, o))
  from ${source(first, ['uuid', 'bytea', 'bytea', 'text'], one)}
    u(queue_id, fingerprint, der, chain)
  join h on h.id = u.queue_id order by u.fingerprint
  on conflict do nothing)`,
    values: [
      uuidArray(rows, (row) => row.queueId),
      byteaArray(rows, (row) => row.fingerprint),
      byteaArray(rows, (row) => row.der),
      textArray(rows.map((row) => row.chain.map((der) => der.toString('hex')).join(','))),
    ],
  }
}

const UNIT_TYPES = types('int4 uuid uuid int8 text text int8 tid')
const UNIT_COLUMNS = 'grp, account_id, id, version, state, fault_script, time_stamp'

/**
 * Locks the second heads, after the queues: everything that locks both does it in this order, and
 * the condition on lk is what makes PostgreSQL keep to it. `g` says which queue is in which group;
 * `lost` are the groups of which anything has moved, `stale` their queues.
 */
function groupPart({ heads, scus }: SignBatch, places: SignPlaces): Part | undefined {
  if (scus.length === 0) return undefined
  const members = heads.filter((head) => head.group !== 0)
  return {
    letter: GROUP_LETTER,
    text: (first) => `su as materialized (
  select ${UNIT_COLUMNS}, coalesce(u.place,
    (select k.ctid from scu k where k.account_id = u.account_id and k.id = u.id)) as place
  from ${source(first, UNIT_TYPES, false)} u(${UNIT_COLUMNS}, place)),
s as materialized (
  select s.* from (select * from su order by id) su cross join lateral (
    select s.account_id, s.id from scu s
    where s.ctid >= su.place and s.ctid <= su.place
      and s.account_id is not distinct from su.account_id
      and s.id is not distinct from su.id and s.version = su.version
      and (select count(*) from lk) > 0
    for no key update of s) s),
g as materialized (
  select * from ${source(first + UNIT_TYPES.length, types('int4 uuid'), false)} g(grp, id)),
lost as materialized (
  select g.grp from g where not exists (select from lk where lk.id = g.id)
  union select su.grp from su where not exists (select from s where s.id = su.id)),
stale as materialized (select g.id from g join lost using (grp))`,
    values: [
      int4Array(scus, (row) => row.group),
      uuidArray(scus, (row) => row.accountId),
      uuidArray(scus, (row) => row.id),
      int8Array(scus, (row) => row.version),
      textArray(scus, (row) => row.state),
      textArray(scus, (row) => row.faultScript),
      int8Array(scus, (row) => row.timeStamp),
      tidArray(scus, ({ id, version }) => placeOf(places.units, id, version)),
      int4Array(members, (head) => head.group),
      uuidArray(members, (head) => head.next.id),
    ],
  }
}

function scuPart(rows: readonly ScuMove[]): Part | undefined {
  if (rows.length === 0) return undefined
  return {
    letter: '',
    text: () => `sw as (
  update scu s set version = s.version + 1, state = su.state, fault_script = su.fault_script,
    time_stamp = su.time_stamp
  from su join s l using (account_id, id)
  where s.ctid = su.place and s.account_id is not distinct from su.account_id
    and s.id is not distinct from su.id
    and not exists (select from lost where lost.grp = su.grp)
  returning s.id, s.version, s.ctid as place)`,
    values: [],
  }
}
