// An intruder with every right on the database: changes what cannot be changed, and where told
// makes everything around it fit again.
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type pg from 'pg'
import type { Sealer } from '../../src/lib/seal.js'
import { receiptHashOf } from './ledger.js'
import type { Till } from './stand.js'

const LEDGER = [
  ...['queue_item', 'receipt_journal', 'recorded_receipt', 'action_journal', 'market_journal'],
  'certificate',
]

/** Takes the locks off the ledger. Only a superuser can. */
export async function unlock(superuser: pg.Client): Promise<void> {
  for (const table of LEDGER) await superuser.query(`alter table ${table} disable trigger all`)
}

interface Last {
  content: string
  item_id: string
  request_hash: Buffer
  response: string
  receipt_id: string
  receipt_moment: Date
  receipt_number: string
  before: Buffer
  state: string
}

const LAST = `
  select m.content, i.id as item_id, i.request_hash, i.response, r.id as receipt_id,
    r.receipt_moment, r.receipt_number, q.state,
    (select receipt_hash from receipt_journal b where b.queue_id = q.id
       and b.receipt_number = r.receipt_number - 1) as before
  from queue q join market_row m on m.queue_id = q.id
    join queue_item i on i.queue_id = q.id and i.id = m.queue_item_id
    join receipt_journal r on r.queue_id = q.id and r.queue_item_id = i.id
  where q.id = $1 order by m.number desc limit 1`

export interface Forgery {
  /** Changes the fields of the machine-readable code, `fields[1]` is the algorithm. */
  change?: (fields: string[]) => void
  /** Signs with this key instead of the unit's own. */
  key?: KeyObject
}

/** Signs the last receipt of a till anew, and writes answer, hashes and head so that all fits. */
export async function forgeLast(
  client: pg.Client,
  { till, sealer, ...forgery }: Forgery & { till: Till; sealer: Sealer },
): Promise<void> {
  const last: Last = (await client.query(LAST, [till.queueId])).rows[0]
  const [header = '', payload = '', signature = ''] = last.content.split('.')
  const code = Buffer.from(payload, 'base64url').toString()
  const fields = code.split('_')
  forgery.change?.(fields)
  const input = `${header}.${Buffer.from(fields.join('_')).toString('base64url')}`
  const key = forgery.key ?? (await unitKey(client, till, sealer))
  const made = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  const jws = `${input}.${made.toString('base64url')}`
  const old = `${code}_${Buffer.from(signature, 'base64url').toString('base64')}`
  const response = last.response.replace(old, `${fields.join('_')}_${made.toString('base64')}`)
  if (response === last.response) throw new Error('the answer does not show the code')
  await write(client, { till, last, jws, response })
}

async function unitKey(client: pg.Client, till: Till, sealer: Sealer): Promise<KeyObject> {
  const [scuId = ''] = till.scuIds
  const { rows } = await client.query('select secrets_sealed from scu where id = $1', [scuId])
  const secrets = JSON.parse(sealer.open(rows[0].secrets_sealed, `scu:${scuId}`))
  const der = Buffer.from(secrets.privateKeyPkcs8Base64, 'base64')
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

interface Made {
  till: Till
  last: Last
  jws: string
  response: string
}

async function write(client: pg.Client, { till, last, jws, response }: Made): Promise<void> {
  const sha256 = (text: string) => createHash('sha256').update(text).digest()
  const responseHash = sha256(response)
  const receiptHash = receiptHashOf({
    previous: last.before,
    id: last.receipt_id,
    moment: last.receipt_moment,
    number: Number(last.receipt_number),
    requestHash: last.request_hash,
    responseHash,
  })
  const lastSignatureHash = sha256(jws).subarray(0, 8).toString('base64')
  const state = JSON.stringify({ ...JSON.parse(last.state), lastSignatureHash })
  const update = (sql: string, ...values: unknown[]) => client.query(sql, values)
  await update('update recorded_receipt set content = $2 where content = $1', last.content, jws)
  await update(
    'update queue_item set response = $2, response_hash = $3 where id = $1',
    last.item_id,
    response,
    responseHash,
  )
  await update(
    'update receipt_journal set receipt_hash = $2 where id = $1',
    last.receipt_id,
    receiptHash,
  )
  await update(
    'update queue set receipt_hash = $2, state = $3 where id = $1',
    till.queueId,
    receiptHash,
    state,
  )
}
