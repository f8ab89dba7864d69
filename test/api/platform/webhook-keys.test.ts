// Webhooks with a key pair (v1a): both signatures on each call, through rotation and changes; and a
// receiver that never answers.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  accountHeaders,
  eventsBehind,
  openPlatform,
  type PlatformShop,
  settledHead,
} from '../../support/platform.js'
import { isSignedBy, openReceiver, type Receiver, taken, verified } from '../../support/receiver.js'

let receiver: Receiver
let silent: Receiver
let shop: PlatformShop
beforeAll(async () => {
  receiver = await openReceiver()
  silent = await openReceiver()
  silent.answer = () => undefined
  const places = [receiver.place, silent.place].join(',')
  shop = await openPlatform({ OUTBOUND_ALLOW: places })
  shop.deps.webhookWorker.start()
  await eventsBehind(shop, 0, { count: 1 })
})
afterAll(async () => {
  await shop.deps.webhookWorker.stop()
  await shop.close()
  await Promise.all([receiver.close(), silent.close()])
})
beforeEach(() => {
  receiver.got.length = 0
})

async function call(line: string, body?: unknown): Promise<Record<string, unknown>> {
  const [method = '', path = ''] = line.split(' ')
  const answer = await fetch(`${shop.url}/platform/v1${path}`, {
    ...{ method, body: body === undefined ? null : JSON.stringify(body) },
    headers: { ...accountHeaders(shop.dealer), 'content-type': 'application/json' },
  })
  expect(answer.ok).toBe(true)
  const text = await answer.text()
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}

interface Made {
  webhook: { id: string }
  secret: string
}

async function webhook(members: Record<string, unknown> = {}) {
  await settledHead(shop)
  const made = await call('POST /webhooks', { url: receiver.url, ...members })
  const { webhook: row, secret } = made as unknown as Made
  return { id: row.id, secret }
}

const show = ({ id }: { id: string }) => call(`GET /webhooks/${id}`)
/** One more event, and the call that brings it. */
async function brought() {
  const before = receiver.got.length
  await shop.receipt(0x7777n)
  await expect.poll(() => receiver.got.length, { timeout: 10_000 }).toBeGreaterThan(before)
  const got = receiver.got[before]
  if (got === undefined) throw new Error('nothing came')
  return got
}

describe('a receiver that never answers', () => {
  it('has not taken it after 15 seconds, and gets it again', async () => {
    const made = await webhook({ url: silent.url })
    await shop.receipt(0x7777n)
    const state = async () => (await show(made)) as { lastError: string; failures: number }
    await expect.poll(async () => (await state()).failures, { timeout: 30_000 }).toBe(1)
    const { lastError } = await state()
    expect(lastError).toContain('timeout')
    const [got] = silent.got
    expect(performance.now() - (got?.at ?? 0)).toBeGreaterThan(14_500)
    silent.answer = taken
    await call(`POST /webhooks/${made.id}/enable`)
    await expect.poll(() => silent.got.length, { timeout: 10_000 }).toBe(2)
    expect(silent.got[1]?.id).toBe(got?.id)
    await call(`DELETE /webhooks/${made.id}`)
  })
})

describe('a webhook with a key pair', () => {
  it('signs with the secret and with the key (v1, v1a), each with its former one', async () => {
    const made = await webhook({ asymmetric: true })
    const { publicKey: first } = await show(made)
    expect(first).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    const rotated = await call(`POST /webhooks/${made.id}/rotate-secret`, { overlapHours: 1 })
    const second = String(rotated.publicKey)
    expect(second).not.toBe(first)
    expect((await show(made)).publicKey).toBe(second)
    const both = await brought()
    expect([isSignedBy(String(first), both), isSignedBy(second, both)]).toEqual([true, true])
    // the library of receivers, which knows v1 alone, believes it as before
    expect(verified(String(rotated.secret), both)).toEqual(verified(made.secret, both))
    expect(isSignedBy(second, { ...both, body: both.body.replace('{', '{ ') })).toBe(false)
    expect(JSON.stringify([await show(made), rotated])).not.toContain('whsk_')
    await call(`DELETE /webhooks/${made.id}`)
  })

  it('changed twice at the same moment: whatever was told signs', async () => {
    const made = await webhook({ asymmetric: true })
    const rotate = () => call(`POST /webhooks/${made.id}/rotate-secret`, { overlapHours: 1 })
    const told = await Promise.all([rotate(), rotate()])
    const got = await brought()
    for (const { secret, publicKey } of told) {
      verified(String(secret), got)
      expect(isSignedBy(String(publicKey), got)).toBe(true)
    }
    await call(`DELETE /webhooks/${made.id}`)
  })

  it('gets it and loses it by a change, and its secret stays', async () => {
    const made = await webhook()
    const change = (asymmetric: boolean) => call(`PATCH /webhooks/${made.id}`, { asymmetric })
    expect((await show(made)).publicKey).toBeNull()
    // changed at the same moment: nobody is told a key that is not the one
    const changed = await Promise.all([change(true), change(true), change(true)])
    const keys = changed.map(({ publicKey }) => publicKey)
    expect(new Set([...keys, (await show(made)).publicKey]).size).toBe(1)
    const signed = await brought()
    expect((await change(false)).publicKey).toBeNull()
    const plain = await brought()
    const key = String(keys[0])
    expect([isSignedBy(key, signed), isSignedBy(key, plain)]).toEqual([true, false])
    expect(plain.headers['webhook-signature']).not.toContain('v1a')
    for (const one of [signed, plain]) verified(made.secret, one)
    await call(`DELETE /webhooks/${made.id}`)
  })
})
