// What has a page of its own in the portal: a webhook, a bundle with its job, a backup, a German
// register.
import { randomUUID } from 'node:crypto'
import { examplePeople } from '../../src/api/dealer/operations/invitation-schemas.js'
import { createCashBox, createQueue, createScu } from '../../src/core/rollout/create.js'
import { marketOf } from '../../src/market/index.js'
import { accountHeaders } from './platform.js'
import type { Person } from './portal.js'
import type { PortalStand } from './portal-stand.js'
import { saleText } from './receipts.js'

const made = new WeakMap<PortalStand, Promise<readonly string[]>>()

/** The addresses of the bundle, its job, and the backup; made once for each stand. */
export function workPages(stand: PortalStand): Promise<readonly string[]> {
  const known = made.get(stand) ?? make(stand)
  made.set(stand, known)
  return known
}

/** The tests behind see a merchant without long work. */
export async function forgetWork(stand: PortalStand): Promise<void> {
  made.delete(stand)
  await stand.shop.deps.store.pool.query('delete from job')
}

async function make({ shop }: PortalStand): Promise<readonly string[]> {
  const { deps, demo, box, url } = shop
  const headers = { ...accountHeaders(demo.dealer), 'content-type': 'application/json' }
  const body = JSON.stringify({
    ...{ posOperatorId: demo.operator.accountId, include: ['masterData'] },
    ...{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
  })
  const asked = await fetch(`${url}/platform/v1/inspections`, { method: 'POST', headers, body })
  const { id } = (await asked.json()) as { id: string }
  const invitation = JSON.stringify(examplePeople('open-invitation'))
  const invite = { method: 'POST', headers, body: invitation }
  await fetch(`${url}/api/pos-operators-invitation`, invite)
  // a backup is kept: whoever asks again gets the one that is there
  await deps.store.pool.query(
    `insert into backup (account_id, id, queue_id, period, period_from, period_to, receipts,
       first_number, last_number, object, bytes, sha256, verified, findings, stored_at)
     values ($1, $2, $3, '2026-10', '2026-10-01', '2026-11-01', 2, 1, 2, 'kept.zip', 4711,
       sha256('kept'), 1, 0, now()) on conflict do nothing`,
    [demo.operator.accountId, randomUUID(), box.queueId],
  )
  const { rows } = await deps.store.pool.query<{ id: string }>(
    "select id from backup where object = 'kept.zip'",
  )
  return [`/exports/${id}`, `/jobs/${id}`, `/backups/${rows[0]?.id}`]
}

/** A refusal, of a register: its id in the log. */
export async function lastCall({ shop }: PortalStand): Promise<string> {
  const { cashBoxId, accessToken } = shop.box
  const headers = { cashboxid: cashBoxId, accesstoken: accessToken }
  await fetch(`${shop.url}/json/v1/sign`, { method: 'POST', headers, body: '{"ftReceiptCase":1}' })
  await shop.deps.callLog?.settled()
  const { rows } = await shop.deps.store.pool.query<{ id: string }>(
    'select id from kept_call where cash_box_id = $1 order by id desc limit 1',
    [cashBoxId],
  )
  return rows[0]?.id ?? ''
}

export async function addWebhook({ shop }: PortalStand): Promise<void> {
  const headers = { ...accountHeaders(shop.demo.dealer), 'content-type': 'application/json' }
  const body = JSON.stringify({ url: 'https://till.example/hook', types: ['problem.opened'] })
  const answer = await fetch(`${shop.url}/platform/v1/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`a webhook was answered ${answer.status}`)
}

export interface GermanTill {
  accountId: string
  cashBoxId: string
  queueId: string
  scuId: string
  person: Person
  /** A receipt without lines, by the code of its case. */
  sign(code: bigint): Promise<void>
}

const GERMAN = 0x4445_0000_0000_0000n
const IMPLICIT = 0x1_0000_0000n
const START = 3n

/** A register with a TSE in this server, started, with one sale; and somebody who works there. */
export async function germanTill({ shop, german }: PortalStand): Promise<GermanTill> {
  const { store } = shop.deps
  const rollout = { store, marketOf, now: () => new Date() }
  const own = { accountId: german, market: 'DE' }
  const made = { accountId: german, outletId: null, description: 'Kiosk 1' }
  const box = await createCashBox(rollout, made)
  const { cashBoxId, accessToken } = box
  const unit = { ...own, cashBoxId, package: marketOf('DE').rollout.demo.scuPackage }
  const scuId = await createScu(rollout, { ...unit, description: 'TSE of Kiosk 1' })
  const queue = { ...own, cashBoxId, description: 'Kiosk 1', scuIds: [scuId] }
  const queueId = await createQueue(rollout, queue)
  const sign = async (code: bigint, items: Record<string, string>) => {
    const body = saleText({
      cbReceiptReference: `"${randomUUID()}"`,
      cbReceiptMoment: `"${new Date().toISOString()}"`,
      ftCashBoxID: `"${cashBoxId}"`,
      ftReceiptCase: String(GERMAN | IMPLICIT | code),
      ...items,
    })
    const headers = { cashboxid: cashBoxId, accesstoken: accessToken }
    const answer = await fetch(`${shop.url}/json/v1/sign`, {
      ...{ method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } },
    })
    if (answer.status !== 200) throw new Error(await answer.text())
  }
  const bare = (code: bigint) => sign(code, { cbChargeItems: '[]', cbPayItems: '[]' })
  await bare(START)
  const line = { Quantity: 1, Description: 'Zeitung', Amount: 2.4, VATRate: 7 }
  await sign(1n, {
    cbChargeItems: JSON.stringify([{ ...line, ftChargeItemCase: 'C' }]).replace(
      '"C"',
      String(GERMAN | 2n),
    ),
    cbPayItems: `[{"Quantity":1,"Description":"Bar","Amount":2.4,"ftPayItemCase":${GERMAN | 1n}}]`,
  })
  const person = await shop.person(german, 'Administrator')
  return { accountId: german, cashBoxId, queueId, scuId, person, sign: bare }
}
