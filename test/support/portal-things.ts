// What has a page of its own in the portal: a webhook, a bundle with its job, a backup.
import { randomUUID } from 'node:crypto'
import { accountHeaders } from './platform.js'
import type { PortalStand } from './portal-stand.js'

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
  const backup = randomUUID()
  await deps.store.pool.query(
    `insert into backup (account_id, id, queue_id, period, period_from, period_to, receipts,
       first_number, last_number, object, bytes, sha256, verified, findings, stored_at)
     values ($1, $2, $3, '2026-10', '2026-10-01', '2026-11-01', 2, 1, 2, 'kept.zip', 4711,
       sha256('kept'), 1, 0, now())`,
    [demo.operator.accountId, backup, box.queueId],
  )
  return [`/exports/${id}`, `/jobs/${id}`, `/backups/${backup}`]
}

export async function addWebhook({ shop }: PortalStand): Promise<void> {
  const headers = { ...accountHeaders(shop.demo.dealer), 'content-type': 'application/json' }
  const body = JSON.stringify({ url: 'https://till.example/hook', types: ['problem.opened'] })
  const answer = await fetch(`${shop.url}/platform/v1/webhooks`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`a webhook was answered ${answer.status}`)
}
