// A shop whose receipts go out as messages: its server, real ways out, and looks at what is stored.
import { expect } from 'vitest'
import { type QueuedSend, queueSend } from '../../src/core/message/send.js'
import { published } from '../../src/core/receipts/read.js'
import type { SendWish } from '../../src/core/receipts/send-wish.js'
import type { createLog } from '../../src/log.js'
import { type Desk, openDesk } from './issue-desk.js'
import type { TestSettings } from './settings.js'
import { openShop, type Shop } from './shop.js'
import { type SignedPair, signedPair } from './signed-pair.js'

export type Wanted = Partial<Omit<SendWish, 'receipt'>>

export interface StoredMessage {
  id: string
  state: string
  attempts: number
  runner: number | null
  fenced_at: Date | null
  last_error: string | null
  provider_id: string | null
  address_sealed: Buffer | null
  data_sealed: Buffer | null
  address_masked: string
}

export interface PostOffice {
  shop: Shop
  desk: Desk
  /** A receipt that was signed and published. */
  issued(): Promise<SignedPair>
  wishFor(pair: Address, wanted?: Wanted): Promise<SendWish>
  send(pair: Address, wanted?: Wanted): Promise<QueuedSend>
  /** A new receipt on its way; the id of its message. */
  sendOne(wanted?: Wanted): Promise<string>
  row(id: string): Promise<StoredMessage | undefined>
  /** Waits until the message is in this state. */
  until(id: string, state: string, patienceMs?: number): Promise<StoredMessage>
  /** Messages that count as delivery of their receipts. */
  deliveries(): Promise<number>
  close(): Promise<void>
}

interface Address {
  queueId: string
  queueItemId: string
}

export async function openPostOffice(
  settings: TestSettings,
  log?: ReturnType<typeof createLog>,
): Promise<PostOffice> {
  const all = { PUBLIC_URL: 'https://r.example', DATABASE_POOL: '6', messagesPerHour: 100_000 }
  const shop = await openShop({ ...all, ...settings }, log, { countries: ['AT'] })
  const desk = await openDesk(shop)
  return new Office(shop, desk)
}

class Office implements PostOffice {
  readonly shop: Shop
  readonly desk: Desk

  constructor(shop: Shop, desk: Desk) {
    this.shop = shop
    this.desk = desk
  }

  async issued(): Promise<SignedPair> {
    const pair = await signedPair(this.shop)
    expect((await this.desk.post('/issue', pair.body)).status).toBe(201)
    return pair
  }

  async wishFor(pair: Address, wanted: Wanted = {}): Promise<SendWish> {
    return {
      receipt: await published(this.shop.deps.store, pair),
      ...{ scheme: 'email', address: 'max@customer.example', attach: undefined, send: true },
      link: `https://r.example/${pair.queueId}/${pair.queueItemId}`,
      languages: undefined,
      actor: { kind: 'pos', appId: undefined, userAgent: 'Till', address: '192.0.2.1' },
      ...wanted,
    }
  }

  async send(pair: Address, wanted?: Wanted): Promise<QueuedSend> {
    return queueSend(this.shop.deps.send, await this.wishFor(pair, wanted))
  }

  async sendOne(wanted?: Wanted): Promise<string> {
    return (await this.send(await this.issued(), wanted)).messageId
  }

  async row(id: string): Promise<StoredMessage | undefined> {
    const { pool } = this.shop.deps.store
    return (await pool.query<StoredMessage>('select * from message where id = $1', [id])).rows[0]
  }

  async until(id: string, state: string, patienceMs = 20_000): Promise<StoredMessage> {
    await expect
      .poll(async () => (await this.row(id))?.state, { timeout: patienceMs, interval: 25 })
      .toBe(state)
    const row = await this.row(id)
    if (row === undefined) throw new Error(`there is no message ${id}`)
    return row
  }

  async deliveries(): Promise<number> {
    const { pool } = this.shop.deps.store
    const sql = `select count(*)::int as count from delivery
      where method in ('email', 'sms', 'whatsapp')`
    return (await pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0
  }

  async close(): Promise<void> {
    await this.shop.deps.jobs.stop()
    await this.desk.close()
    await this.shop.close()
  }
}
