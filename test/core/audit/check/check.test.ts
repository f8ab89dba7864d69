import { createHash, generateKeyPairSync } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkData } from '../../../../src/core/audit/check/check.js'
import type { Violation } from '../../../../src/core/audit/check/rules.js'
import { setFault } from '../../../../src/core/faults.js'
import { createTestDatabase, type TestDatabase } from '../../../support/db.js'
import { forgeLast, unlock } from '../../../support/forger.js'
import { connected } from '../../../support/ledger.js'
import {
  answer,
  createTill,
  job,
  openStand,
  SALE,
  START,
  type Stand,
  type Till,
  testKey,
  ZERO,
} from '../../../support/stand.js'

const masterKey = testKey()
let clean: TestDatabase
/** A till of seven plain receipts, and one with an outage in the middle. */
let till: Till
let outage: Till

beforeAll(async () => {
  clean = await createTestDatabase()
  const stand = openStand(clean.config, { masterKey })
  till = await createTill(stand)
  for (let at = 1; at < 7; at += 1) {
    await answer(stand.signing.sign(job(till, { cents: 100 * at, reference: `r${at}` })))
  }
  outage = await createTill(stand, { queue: { configuration: { 'scu-max-retries': 0 } } })
  await makeOutage(stand)
  await createTill(stand, { started: false })
  const disabled = await createTill(stand, { started: false, shares: till })
  await answer(stand.signing.sign(job(disabled)))
  await answer(stand.signing.sign(job(disabled, { receiptCase: START, cents: null })))
  await stand.close()
}, 60_000)

afterAll(() => clean.drop())

const TRAINING = 0x2_0000n
const VOID = 0x4_0000n

async function makeOutage(stand: Stand): Promise<void> {
  const sign = (wanted: Parameters<typeof job>[1]) => stand.signing.sign(job(outage, wanted))
  await answer(sign({ cents: 1250 }))
  await answer(sign({ cents: 5000, receiptCase: SALE | TRAINING }))
  await answer(sign({ cents: -250, receiptCase: SALE | VOID }))
  await setFault(stand.deps, { scuId: outage.scuIds[0] ?? '', steps: [{ do: 'error', calls: 2 }] })
  await answer(sign({ cents: 300 }))
  await answer(sign({ cents: 400 }))
  expect((await sign({ cents: 1, receiptCase: ZERO })).kind).toBe('refused')
  await answer(sign({ cents: null, receiptCase: ZERO }))
  await answer(sign({ cents: null, receiptCase: ZERO }))
  await answer(sign({ cents: 500 }))
}

interface Copy {
  /** Every right, and no lock on the ledger. */
  client: pg.Client
  stand: Stand
}

/** What the checker finds after `spoil` had its way with a copy of the clean data. */
async function found(
  spoil: (copy: Copy) => Promise<unknown>,
  key = masterKey,
): Promise<Violation[]> {
  const copy = await createTestDatabase({ of: clean })
  const client = await connected(copy.superuser)
  const stand = openStand(copy.config, { masterKey: key })
  try {
    await unlock(client)
    await spoil({ client, stand })
    const violations: Violation[] = []
    const summary = await checkData(stand.deps, (violation) => violations.push(violation))
    expect(summary.violations).toBe(violations.length)
    return violations
  } finally {
    await client.end()
    await stand.close()
    await copy.drop()
  }
}

const codes = (violations: Violation[]) => violations.map((one) => one.code)

/** One statement on the till's queue, `$1`. */
const sql =
  (text: string, queue: () => Till = () => till) =>
  ({ client }: Copy) =>
    client.query(text, [queue().queueId])

/** The last receipt signed anew, everything around it made to fit. */
const forge =
  (forgery: Omit<Parameters<typeof forgeLast>[1], 'till' | 'sealer'>) =>
  ({ client, stand }: Copy) =>
    forgeLast(client, { till, sealer: stand.store.sealer, ...forgery })

describe('clean data', () => {
  it('gives no finding, and everything was looked at', async () => {
    expect(await found(async () => undefined)).toEqual([])
    const stand = openStand(clean.config, { masterKey })
    const summary = await checkData(stand.deps, () => undefined)
    // 7 + (start, 7 answered, 1 refused, 1 more zero) + 0 + 2
    expect(summary).toEqual({ queues: 4, items: 7 + 10 + 0 + 2, receipts: 18, violations: 0 })
    await stand.close()
  })

  it('signed anew with the same fields still gives no finding', async () => {
    expect(await found(forge({}))).toEqual([])
  })
})

describe('each corruption gives exactly its finding', () => {
  it('receipt removed', async () => {
    const removed = sql(`with gone as (
        delete from recorded_receipt where queue_id = $1 and receipt_number = 4 returning *)
      insert into market_journal select account_id, queue_id, time_stamp + 1, market_id, kind,
        number, scu_id, queue_item_id, certificate_fingerprint, content from gone`)
    const violations = await found(removed)
    const text = expect.stringContaining('found none')
    const { queueId } = till
    expect(violations).toEqual([{ queueId, code: 'RECEIPT_MISSING', receipt: '4', text }])
  })

  it('two swapped', async () => {
    const swapped = sql(`update receipt_journal r set queue_item_id = o.queue_item_id
      from receipt_journal o where r.queue_id = $1 and o.queue_id = $1
        and r.receipt_number in (3, 4) and o.receipt_number = 7 - r.receipt_number`)
    const violations = await found(swapped)
    expect(violations.map(({ code, receipt }) => `${code} ${receipt}`)).toEqual([
      // the records lie in the same rows, and are compared with the items that these name now
      ...['RECEIPT_NUMBER 3', 'CASH_NUMBER 4', 'ANSWER_CODE 4', 'RECEIPT_NUMBER 4'],
      ...['CASH_NUMBER 3', 'ANSWER_CODE 3', 'CASH_NUMBER 5'],
    ])
  })

  it('two signatures swapped', async () => {
    const swapped = sql(`update recorded_receipt m set content = o.content
      from recorded_receipt o where m.queue_id = $1 and o.queue_id = $1
        and m.number in (3, 4) and o.number = 7 - m.number`)
    expect(codes(await found(swapped))).toEqual([
      'ANSWER_CODE',
      'ANSWER_CODE',
      'RECEIPT_SWAPPED',
      'RECEIPT_SWAPPED',
    ])
  })

  it('amount one cent up in the request', async () => {
    const changed = sql(`update queue_item set request = replace(request, '3.00', '3.01')
      where queue_id = $1 and row = 4`)
    expect(codes(await found(changed))).toEqual(['REQUEST_HASH'])
  })

  it('amount one cent up on the receipt, signed again', async () => {
    const violations = await found(
      forge({
        change: (fields) => {
          fields[5] = '6,01'
        },
      }),
    )
    expect(codes(violations)).toEqual(['COUNTER_WRONG'])
  })

  it('receipt doubled', async () => {
    const doubled = sql(`insert into receipt_journal
      select r.account_id, r.queue_id, q.time_stamp, gen_random_uuid(), r.receipt_moment,
        r.receipt_number, r.receipt_total, r.queue_item_id, r.receipt_hash
      from receipt_journal r join queue q on q.id = r.queue_id
      where r.queue_id = $1 and r.receipt_number = 7`)
    expect(codes(await found(doubled))).toEqual(['RECEIPT_DOUBLED'])
  })

  it('receipt doubled far away', async () => {
    const doubled = sql(`insert into receipt_journal
      select account_id, queue_id, 1, gen_random_uuid(), receipt_moment, receipt_number,
        receipt_total, queue_item_id, receipt_hash
      from receipt_journal where queue_id = $1 and receipt_number = 7`)
    expect(codes(await found(doubled))).toContain('RECEIPT_DOUBLED')
  })

  it('number skipped', async () => {
    const skipped = sql(`update receipt_journal set receipt_number = 8
      where queue_id = $1 and receipt_number = 7`)
    expect(codes(await found(skipped))).toEqual(['RECEIPT_NUMBER'])
  })

  it('signed with another key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(codes(await found(forge({ key: privateKey })))).toEqual(['SIGNATURE_INVALID'])
  })

  it('wrong certificate serial', async () => {
    const violations = await found(
      forge({
        change: (fields) => {
          fields[11] = '1234567890abcdef'
        },
      }),
    )
    expect(codes(violations)).toEqual(['SERIAL_UNKNOWN'])
  })

  it('chain byte flipped', async () => {
    const violations = await found(forge({ change: (fields) => flip(fields, 12) }))
    expect(codes(violations)).toEqual(['CHAIN_BROKEN'])
  })

  it('encrypted counter byte flipped', async () => {
    const violations = await found(forge({ change: (fields) => flip(fields, 10) }))
    expect(codes(violations)).toEqual(['COUNTER_WRONG'])
  })

  it('stored answer byte changed', async () => {
    const spoilt = sql(`update queue_item set response = response || ' '
      where queue_id = $1 and row = 3`)
    expect(codes(await found(spoilt))).toEqual(['ANSWER_HASH'])
  })
})

/** Flips the lowest bit of the first byte of a base64 field. */
function flip(fields: string[], at: number): void {
  const bytes = Buffer.from(fields[at] ?? '', 'base64')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  fields[at] = bytes.toString('base64')
}

const ANSWER_HASHED =
  "response_hash = sha256(convert_to(replace(response, 'S A N', 'S B N'), 'UTF8'))"

describe('further corruptions', () => {
  const table: [name: string, text: string, expected: string[]][] = [
    [
      'a row of the queue is gone',
      'delete from queue_item where queue_id = $1 and row = 4',
      ['ROW_GAP', 'RECEIPT_WITHOUT_ITEM', 'MARKET_WITHOUT_ITEM', 'CASH_NUMBER'].concat([
        'HEAD_ROWS',
        'HEAD_ROWS',
        'REFERENCE_LOST',
      ]),
    ],
    [
      'a row is numbered higher',
      'update queue_item set row = row + 1 where queue_id = $1 and row = 7',
      ['ROW_GAP', 'ANSWER_OTHER'],
    ],
    [
      'an answer was changed with its hash',
      `update queue_item set response = replace(response, 'S A N', 'S B N'), ${ANSWER_HASHED}
       where queue_id = $1 and row = 3`,
      ['RECEIPT_HASH'],
    ],
    [
      'a hash of the chain was changed',
      `update receipt_journal set receipt_hash = sha256('x') where queue_id = $1
       and receipt_number = 3`,
      ['RECEIPT_HASH'],
    ],
    [
      'a moment of the receipt journal was changed',
      `update receipt_journal set receipt_moment = receipt_moment + interval '1 s'
       where queue_id = $1 and receipt_number = 3`,
      ['RECEIPT_MOMENT'],
    ],
    [
      'a total was changed',
      'update receipt_journal set receipt_total = 1 where queue_id = $1 and receipt_number = 3',
      ['RECEIPT_TOTAL'],
    ],
    [
      'an answer is gone',
      'update queue_item set response = null, response_hash = null where queue_id = $1 and row = 7',
      ['ANSWER_FORM', 'RECEIPT_OF_ERROR', 'HEAD_NUMBER', 'HEAD_TOTAL', 'HEAD_HASH'].concat([
        'STATE_NUMBER',
        'STATE_CHAIN',
      ]),
    ],
    [
      'the totalizer is wrong',
      'update queue set receipt_totalizer = 1 where id = $1',
      ['HEAD_TOTAL'],
    ],
    [
      'the head forgot a receipt',
      'update queue set receipt_numerator = 6 where id = $1',
      ['HEAD_NUMBER'],
    ],
    [
      'the head forgot a row',
      'update queue set queued_row = 8, current_row = 8 where id = $1',
      ['HEAD_ROWS', 'HEAD_ROWS'],
    ],
    [
      'the head has another hash',
      `update queue set receipt_hash = sha256('') where id = $1`,
      ['HEAD_HASH'],
    ],
    [
      'the head is older than its rows',
      'update queue set time_stamp = 5 where id = $1',
      ['HEAD_TIME'],
    ],
    [
      'the counter of the head is one cent off',
      `update queue set state = replace(state, '"21.00"', '"21.01"') where id = $1`,
      ['STATE_COUNTER'],
    ],
    [
      'the cash number of the head was used before',
      `update queue set state = replace(state, '"cashNumerator":7', '"cashNumerator":6')
       where id = $1`,
      ['STATE_NUMBER'],
    ],
    ['the state cannot be read', `update queue set state = '{}' where id = $1`, ['QUEUE_CLOSED']],
    [
      'a signature is gone',
      `with gone as (delete from recorded_receipt where queue_id = $1 and number = 4 returning *)
       insert into receipt_journal select account_id, queue_id, time_stamp, id, receipt_moment,
         receipt_number, receipt_total, queue_item_id, receipt_hash from gone`,
      ['CASH_NUMBER', 'CHAIN_BROKEN'],
    ],
    [
      'a signature refers to a unit of another account',
      `update recorded_receipt set scu_id = (select id from scu where account_id <>
         (select account_id from queue where id = $1) limit 1) where queue_id = $1 and number = 4`,
      ['REFERENCE_LOST'],
    ],
    [
      'the cash box belongs to another account',
      `update queue set cash_box_id = (select id from cash_box where account_id <>
         (select account_id from queue where id = $1) limit 1) where id = $1`,
      ['REFERENCE_LOST'],
    ],
    ['the directory lost the queue', 'delete from directory where id = $1', ['REFERENCE_LOST']],
  ]

  it.each(table)('%s', async (_name, text, expected) => {
    const violations = await found(sql(text))
    expect(codes(violations)).toEqual(expected)
  })

  it('a queue that went away under its rows is told of every journal', async () => {
    const violations = await found(sql('delete from queue where id = $1'))
    expect(new Set(codes(violations))).toEqual(new Set(['REFERENCE_LOST']))
    const told = new Set(violations.map((one) => one.text.split(' ')[0]))
    for (const journal of ['queue_item', 'receipt_journal', 'action_journal']) {
      expect(told).toContain(`${journal}.queue_id`)
    }
  })

  it('a moment that falls', async () => {
    const change = async ({ client }: Copy) => {
      const { rows } = await client.query(
        'select response from queue_item where queue_id = $1 and row = 7',
        [till.queueId],
      )
      const response = String(rows[0].response).replace(
        /"ftReceiptMoment":"\d{4}/,
        '"ftReceiptMoment":"2001',
      )
      const hash = createHash('sha256').update(response).digest()
      await client.query(
        'update queue_item set response = $2, response_hash = $3 where queue_id = $1 and row = 7',
        [till.queueId, response, hash],
      )
    }
    expect(codes(await found(change))).toEqual(['MOMENT_FALLS', 'RECEIPT_MOMENT'])
  })

  it('secrets sealed with another master key', async () => {
    const violations = await found(async () => undefined, testKey())
    expect(new Set(codes(violations))).toEqual(new Set(['QUEUE_CLOSED']))
  })

  it('an outage that nobody recorded', async () => {
    const erased = sql(
      `delete from action_journal where queue_id = $1 and type = 'SigningUnitsFailed'`,
      () => outage,
    )
    expect(codes(await found(erased))).toEqual(['OUTAGE_RECORD'])
  })

  it('an outage that the head believes to go on', async () => {
    const changed = sql(
      `update queue set state = replace(state, '"sscdFailCount":0', '"sscdFailCount":1')
       where id = $1`,
      () => outage,
    )
    expect(codes(await found(changed))).toEqual(['STATE_OUTAGE'])
  })
})
