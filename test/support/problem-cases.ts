// What makes each kind of problem so, in a real database, and what ends it.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ProblemKind } from '../../src/model/problem.js'
import { accountHeaders, type PlatformShop } from './platform.js'

export interface ProblemCase {
  subject: string
  severity: number
  end(): Promise<unknown>
}

export interface ProblemStand {
  shop: PlatformShop
  sql(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>
  /** Gets what is to be put back when the problem is over. */
  after: (() => Promise<unknown>)[]
}

const INSERT_PROOF = `insert into backup (account_id, id, queue_id, period, period_from,
    period_to, receipts, bytes, verified, findings, stored_at)
  values ($1, $2, $3, $4, ($4 || '-01')::date, ($4 || '-01')::date + interval '1 month', 1, 1, 1,
    $5, now())`

const ago = (hours: number): number => Date.now() - hours * 3_600_000

/** What stands in a state and PostgreSQL's binary JSON does not know keeps nobody from looking. */
const ODD = '\u0000 \ud800 \\u0000 \u{1f600}'

/** What the state of a register says, until it says nothing any more. */
async function stateCase(
  { shop, sql }: Pick<ProblemStand, 'shop' | 'sql'>,
  {
    market,
    severity = 2,
    ...state
  }: { market: string; severity?: number; [name: string]: unknown },
): Promise<ProblemCase> {
  const { queueId } = shop.box
  const [was] = await sql('select market, state from queue where id = $1', queueId)
  const change = 'update queue set market = $2, state = $3 where id = $1'
  await sql(change, queueId, market, JSON.stringify({ odd: ODD, ...state }))
  const end = () => sql(change, queueId, was?.market, was?.state)
  return { subject: `queue/${queueId}`, severity, end }
}

export const PROBLEM_CASES: Record<ProblemKind, (stand: ProblemStand) => Promise<ProblemCase>> = {
  outage: async ({ shop, sql }) => {
    const { queueId } = shop.box
    const id = randomUUID()
    await sql(
      `insert into outage (account_id, id, queue_id, cause, began_at) values ($1, $2, $3,
        'device', now() - interval '1 hour')`,
      ...[shop.operatorId, id, queueId],
    )
    const end = () => sql('update outage set ended_at = now() where id = $1', id)
    return { subject: `queue/${queueId}`, severity: 2, end }
  },
  report: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(
      `insert into submission (account_id, id, market, kind, subject, occasion, moment, due,
         state, is_ready, created_at, changed_at)
       values ($1, $2, 'AT', 'register_end', 'queue/1', '', now(), now() + interval '8 days',
         'ready', true, now(), now())`,
      ...[shop.operatorId, id],
    )
    const end = () => sql("update submission set state = 'manual' where id = $1", id)
    return { subject: `submission/${id}`, severity: 1, end }
  },
  no_receipts: async ({ shop, sql }) => {
    const { queueId } = shop.box
    const [was] = await sql('select start_moment, last_moment from queue where id = $1', queueId)
    await sql(
      `update queue set start_moment = now() - interval '10 days',
         last_moment = now() - interval '49 hours' where id = $1`,
      queueId,
    )
    const end = () =>
      sql(
        'update queue set start_moment = $2, last_moment = $3 where id = $1',
        ...[queueId, was?.start_moment, was?.last_moment],
      )
    return { subject: `queue/${queueId}`, severity: 2, end }
  },
  configuration: async ({ shop, sql }) => {
    const { cashBoxId } = shop.box
    const day = `(extract(epoch from now() - interval '25 hours') * 10000000)::int8
      + 621355968000000000`
    const [was] = await sql(
      'select published_at, time_stamp from cash_box where id = $1',
      cashBoxId,
    )
    await sql(
      `update cash_box set published_at = ${day} - 1, time_stamp = ${day} where id = $1`,
      cashBoxId,
    )
    const end = () =>
      sql(
        'update cash_box set published_at = $2, time_stamp = $3 where id = $1',
        ...[cashBoxId, was?.published_at, was?.time_stamp],
      )
    return { subject: `cashbox/${cashBoxId}`, severity: 1, end }
  },
  invitation: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(
      `insert into connection (account_id, id, to_account_id, rights, state, created_at)
       values ($1, $2, $3, 'Full', 'pending', now() - interval '15 days')`,
      ...[shop.dealer.accountId, id, randomUUID()],
    )
    const end = () => sql("update connection set state = 'active' where id = $1", id)
    return { subject: `connection/${id}`, severity: 1, end }
  },
  order: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(
      `insert into sales_order (account_id, id, number, state, production_state, plan_number,
         operator_id, consumed, created_at, changed_at)
       values ($1, $2, 'SO-1', 1, 110, 'p', $3, '[]', now(), now())`,
      ...[shop.dealer.accountId, id, shop.operatorId],
    )
    const end = () => sql('update sales_order set state = 2 where id = $1', id)
    return { subject: `order/${id}`, severity: 2, end }
  },
  webhook: async ({ shop, sql }) => {
    const answer = await fetch(`${shop.url}/platform/v1/webhooks`, {
      method: 'POST',
      headers: { ...accountHeaders(shop.dealer), 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/' }),
    })
    const { webhook } = (await answer.json()) as { webhook: { id: string } }
    const { id } = webhook
    await sql("update webhook set state = 'disabled' where id = $1", id)
    const end = () => sql("update webhook set state = 'active' where id = $1", id)
    return { subject: `webhook/${id}`, severity: 2, end }
  },
  message: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(
      `insert into message (account_id, id, kind, channel, language, subject, address_masked,
         state, created_at, changed_at)
       values ($1, $2, 'receipt', 'email', 'de', 'x', 'x', 'failed', now(), now())`,
      ...[shop.operatorId, id],
    )
    const end = () => sql("update message set state = 'sent' where id = $1", id)
    return { subject: `message/${id}`, severity: 1, end }
  },
  closing: ({ shop, sql }) =>
    stateCase({ shop, sql }, { market: 'DE', firstSinceClosing: ago(30) }),
  settlement: ({ shop, sql }) => {
    // settled for the month before the last one, whatever day it is
    const now = new Date()
    const settled = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 20)
    return stateCase({ shop, sql }, { market: 'AT', severity: 1, lastSettlementMoment: settled })
  },
  archive: ({ shop, sql }) => {
    const archiveFrom = { moment: new Date(ago(340 * 24)).toISOString() }
    return stateCase({ shop, sql }, { market: 'FR', severity: 1, archiveFrom })
  },
  transaction: ({ shop, sql }) =>
    stateCase({ shop, sql }, { market: 'DE', openTransactions: [{ startMoment: ago(25) }] }),
  tar: ({ shop, sql }) => stateCase({ shop, sql }, { market: 'DE', logMissingSince: ago(1) }),
  memory: async ({ shop, sql }) => {
    const [scuId = ''] = shop.box.scuIds
    const found = await stateCase({ shop, sql }, { market: 'DE', memoryUsed: 0.81, scuId })
    return { ...found, subject: `scu/${scuId}` }
  },
  signatures: async ({ shop, sql }) => {
    const [scuId = ''] = shop.box.scuIds
    const change = 'update unit_fact set signatures_used = $2 where scu_id = $1'
    await sql(change, scuId, 0.96)
    return { subject: `scu/${scuId}`, severity: 3, end: () => sql(change, scuId, null) }
  },
  clock: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(
      `insert into queue (account_id, id, cash_box_id, market, description, identification,
         configuration, state, time_stamp, created_at, start_moment, last_moment, queued_row)
       values ($1, $2, $3, 'AT', '', 'clock', '{}', '{}', 1, now(), now(), now(), 100)`,
      ...[shop.operatorId, id, shop.box.cashBoxId],
    )
    // one further than those that are looked at is off as well
    const receipts = `insert into queue_item (account_id, queue_id, row, id, queue_moment,
        timeout_ms, receipt_moment, country, version, request, request_hash, processing_version,
        time_stamp)
      select $1, $2, g, gen_random_uuid(), now(), 0, now() - case when g <= 20
        then interval '11 minutes' else interval '9 minutes' end, 'AT', '', '{}', sha256(''), '', g
      from generate_series($3::int, $4::int) g`
    await sql(receipts, shop.operatorId, id, 1, 100)
    const end = async () => {
      await sql(receipts, shop.operatorId, id, 101, 101)
      return sql('update queue set queued_row = 101, last_moment = now() where id = $1', id)
    }
    return { subject: `queue/${id}`, severity: 2, end }
  },
  port: async ({ shop, sql }) => {
    const [scuId = ''] = shop.box.scuIds
    const { cashBoxId, queueId } = shop.box
    const [was] = await sql('select url from queue where id = $1', queueId)
    const [unit] = await sql('select urls from scu where id = $1', scuId)
    await sql('update queue set url = $2 where id = $1', queueId, '["http://localhost:1500/a"]')
    const change = 'update scu set urls = $2 where id = $1'
    await sql(change, scuId, '["grpc://localhost:1500"]')
    const end = async () => {
      await sql(change, scuId, '["grpc://localhost:1501"]')
      expect(await found()).toEqual([])
      await sql(change, scuId, unit?.urls)
      return sql('update queue set url = $2 where id = $1', queueId, was?.url)
    }
    const found = async () => {
      await shop.deps.watch.look()
      return sql("select from problem where kind = 'port' and cleared_at is null")
    }
    return { subject: `cashbox/${cashBoxId}`, severity: 1, end }
  },
  master_data: async ({ shop, sql }) => {
    const [scuId = ''] = shop.box.scuIds
    const change = 'update unit_fact set serial = $2 where scu_id = $1'
    const [was] = await sql('select serial from unit_fact where scu_id = $1', scuId)
    await sql("update scu set market = 'DE' where id = $1", scuId)
    await sql(change, scuId, '12AB')
    const end = async () => {
      await sql(change, scuId, 'ab'.repeat(32))
      await shop.deps.watch.look()
      await sql("update scu set market = 'AT' where id = $1", scuId)
      return sql(change, scuId, was?.serial)
    }
    return { subject: `scu/${scuId}`, severity: 1, end }
  },
  unit: async ({ shop, sql }) => {
    const [scuId = ''] = shop.box.scuIds
    await sql(
      `insert into unit_probe (account_id, scu_id, state, since, bad, last_error, next_at)
       values ($1, $2, 'out', now(), 3, 'no answer', now() + interval '1 hour')`,
      ...[shop.operatorId, scuId],
    )
    const end = () => sql('delete from unit_probe where scu_id = $1', scuId)
    return { subject: `scu/${scuId}`, severity: 2, end }
  },
  flapping: async ({ shop, sql }) => {
    const { queueId } = shop.box
    for (let count = 0; count < 6; count += 1) {
      await sql(
        `insert into outage (account_id, id, queue_id, cause, began_at, ended_at)
         values ($1, $2, $3, 'device', now(), now())`,
        ...[shop.operatorId, randomUUID(), queueId],
      )
    }
    // five are not many
    const end = () =>
      sql(
        `delete from outage where id =
           (select id from outage where queue_id = $1 and began_at = ended_at limit 1)`,
        queueId,
      )
    return { subject: `queue/${queueId}`, severity: 2, end }
  },
  certificate: async ({ shop, sql }) => {
    const [scuId = ''] = shop.box.scuIds
    const change = 'update unit_fact set certificate_ends = $2 where scu_id = $1'
    const [was] = await sql('select certificate_ends from unit_fact where scu_id = $1', scuId)
    await sql(change, scuId, new Date(Date.now() + 29 * 86_400_000))
    const end = () => sql(change, scuId, was?.certificate_ends)
    return { subject: `scu/${scuId}`, severity: 2, end }
  },
  not_fetched: async ({ shop, sql, after }) => {
    const { cashBoxId } = shop.box
    const ago = (hours: number) => `(extract(epoch from now() - interval '${hours} hours')
      * 10000000)::int8 + 621355968000000000`
    const [was] = await sql(
      'select published_at, time_stamp from cash_box where id = $1',
      cashBoxId,
    )
    await sql(
      `update cash_box set published_at = ${ago(25)}, time_stamp = ${ago(26)} where id = $1`,
      cashBoxId,
    )
    await sql(
      `insert into publication (account_id, id, document_sealed, fetched_at, fetched_stamp)
       values ($1, $2, '', now() - interval '30 hours', ${ago(30)})
       on conflict (account_id, id) do update
         set fetched_at = excluded.fetched_at, fetched_stamp = excluded.fetched_stamp`,
      ...[shop.operatorId, cashBoxId],
    )
    const end = async () => {
      await sql(`update publication set fetched_stamp = ${ago(0)} where id = $1`, cashBoxId)
      const found = await sql(
        "select from problem where kind = 'configuration' and cleared_at is null",
      )
      expect(found).toEqual([])
      const back = 'update cash_box set published_at = $2, time_stamp = $3 where id = $1'
      after.push(() => sql(back, cashBoxId, was?.published_at, was?.time_stamp))
    }
    return { subject: `cashbox/${cashBoxId}`, severity: 2, end }
  },
  job: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(
      `insert into job (account_id, id, kind, asked_by, state, args, created_at, finished_at)
       values ($1, $2, 'inspection', $1, 'failed', '{}', now(), now())`,
      ...[shop.operatorId, id],
    )
    const end = () => sql('delete from job where id = $1', id)
    return { subject: `job/${id}`, severity: 2, end }
  },
  backup: async ({ shop, sql }) => {
    const [id, proof] = [randomUUID(), randomUUID()]
    const { queueId } = shop.box
    await sql(
      `insert into job (account_id, id, kind, asked_by, state, args, created_at, finished_at)
       values ($1, $2, 'backup', $1, 'failed', json_build_object('queueId', $3::text),
         now() - interval '2 days', now())`,
      ...[shop.operatorId, id, queueId],
    )
    const end = () => sql(INSERT_PROOF, shop.operatorId, proof, queueId, '2020-01', 0)
    return { subject: `queue/${queueId}`, severity: 2, end }
  },
  chain: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(INSERT_PROOF, shop.operatorId, id, shop.box.queueId, '2020-02', 3)
    const end = async () => {
      await sql('alter table backup disable trigger append_only')
      await sql('grant delete on backup to current_user')
      await sql('delete from backup where id = $1', id)
      await sql('revoke delete on backup from current_user')
      return sql('alter table backup enable always trigger append_only')
    }
    return { subject: `backup/${id}`, severity: 3, end }
  },
  stock: async ({ shop, sql }) => {
    const id = randomUUID()
    await sql(
      `insert into entitlement_lot (account_id, id, name, market, total, remaining, valid_from,
         created_at)
       values ($1, $2, 'Things', 'AT', 100, 9, '2020-01-01', now())`,
      ...[shop.dealer.accountId, id],
    )
    const end = () => sql('update entitlement_lot set remaining = 10 where id = $1', id)
    return { subject: `entitlement/${id}`, severity: 1, end }
  },
}
