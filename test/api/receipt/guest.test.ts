// What a guest does with the address of a receipt: has it sent, gets a copy with details of the
// own. No relay for strangers, nothing kept, nothing of it in the signed receipt.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pair } from '../../support/pairs.js'
import { readPdf } from '../../support/pictures.js'
import {
  CHROME,
  nowhere,
  openReceiptDesk,
  pathOf,
  type ReceiptDesk,
} from '../../support/receipt-desk.js'

let desk: ReceiptDesk
beforeAll(async () => {
  desk = await openReceiptDesk()
})
afterAll(() => desk.close())

async function pdfTexts(bytes: Buffer): Promise<string> {
  const { pages } = await readPdf(bytes)
  return pages.flatMap(({ lines }) => lines).join('\n')
}

interface Typed {
  from?: string
  accept?: string
  language?: string
}

function post(pair: Pair, word: string, form: Record<string, string>, typed: Typed = {}) {
  const { from = '192.0.2.1', accept = CHROME, language = 'de' } = typed
  return desk.shop.app.inject({
    method: 'POST',
    url: `${pathOf(pair)}/${word}`,
    headers: {
      ...{ accept, 'accept-language': language },
      'content-type': 'application/x-www-form-urlencoded',
    },
    remoteAddress: from,
    payload: new URLSearchParams(form).toString(),
  })
}

async function messages(): Promise<number> {
  const found = await desk.shop.deps.store.pool.query('select 1 from message')
  return found.rowCount ?? 0
}

describe('sending it to oneself', () => {
  it('queues one message, and counts as wanted, not as delivered', async () => {
    const pair = await desk.issued()
    const before = await messages()
    const answer = await post(pair, 'send', { email: ' guest@example.com ' })
    expect(answer.statusCode, answer.body).toBe(202)
    expect(answer.body).toContain('Der Beleg ist unterwegs')
    expect(answer.body).not.toContain('guest@')
    expect(await messages()).toBe(before + 1)
    const { Count, Items } = await desk.deliveries(pair)
    expect(Count).toBe(0)
    expect(Items).toEqual([expect.objectContaining({ Method: 'email', Kind: 'customer' })])
  })

  it.each([
    'nobody',
    'a@b',
    'a@localhost',
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    '<a@example.com>',
    '',
  ])('refuses %j and queues nothing', async (email) => {
    const pair = await desk.issued()
    const before = await messages()
    const answer = await post(pair, 'send', { email }, { from: '198.51.100.1' })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('An diese E-Mail-Adresse kann nicht gesendet werden')
    expect(await messages()).toBe(before)
  })

  it('tells programs in their own form', async () => {
    const answer = await post(await desk.issued(), 'send', { email: 'x' }, { accept: '*/*' })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json().code).toBe('validation_failed')
  })

  it('sends about a receipt three times within an hour, whoever asks', async () => {
    const pair = await desk.issued()
    const statuses: number[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      const email = `guest${turn}@example.com`
      statuses.push((await post(pair, 'send', { email }, { from: `203.0.113.${turn}` })).statusCode)
    }
    expect(statuses).toEqual([202, 202, 202, 429])
  })

  it('sends ten times within an hour for one network, whatever the receipt', async () => {
    const pairs = await Promise.all(Array.from({ length: 4 }, () => desk.issued()))
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn += 1) {
      const pair = pairs[Math.floor(turn / 3)] ?? nowhere()
      const from = `2001:db8:7:1::${turn + 1}`
      statuses.push((await post(pair, 'send', { email: 'g@example.com' }, { from })).statusCode)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429])
    expect((await post(await desk.issued(), 'send', { email: 'g@example.com' })).statusCode).toBe(
      202,
    )
  })
})

const NOTE = { recipient: 'Muster GmbH\r\nHauptstraße 1\r\n1010 Wien', vatId: 'ATU12345678' }

describe('a copy with details of the customer', () => {
  it('is a marked PDF that says what is not signed', async () => {
    const pair = await desk.issued()
    const answer = await post(pair, 'note', NOTE)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="receipt-.*\.pdf"$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    const text = await pdfTexts(answer.rawPayload)
    for (const part of ['Duplikat', 'Muster GmbH', 'Hauptstraße 1', 'ATU12345678', 'Melange']) {
      expect(text).toContain(part)
    }
    expect(text).toContain('Nicht Teil des signierten Belegs')
    expect(text).not.toContain('Unterschrift')
  })

  it('asks for a signature where it is for a meal', async () => {
    const meal = { guests: 'A. Muster\nB. Beispiel', occasion: 'Vertrag', host: 'C. Wirt' }
    const text = await pdfTexts((await post(await desk.issued(), 'note', meal)).rawPayload)
    for (const part of ['B. Beispiel', 'Vertrag', 'C. Wirt', 'Unterschrift']) {
      expect(text).toContain(part)
    }
  })

  it('leaves the receipt as it was, and nothing behind', async () => {
    const pair = await desk.issued()
    const before = await desk.till('GET', `/v2/issue${pathOf(pair)}`)
    await post(pair, 'note', { recipient: 'Trace-of-a-guest' })
    expect((await desk.till('GET', `/v2/issue${pathOf(pair)}`)).body).toBe(before.body)
    for (const format of ['html', 'txt', 'pdf']) {
      const shown = await desk.open(`${pathOf(pair)}?format=${format}`)
      expect(shown.rawPayload.includes('Trace-of-a-guest'), format).toBe(false)
    }
  })

  it.each([
    ['nothing', {}, 400, 'mindestens ein Feld'],
    ['blanks', { recipient: '  ' }, 400, 'mindestens ein Feld'],
    ['too much', { recipient: 'x'.repeat(401) }, 400, 'zu lang'],
  ])('%s is refused', async (_name, form, status, text) => {
    const answer = await post(await desk.issued(), 'note', form as Record<string, string>)
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toContain(text)
  })

  it('keeps control characters and markup of a guest out of the copy', async () => {
    const recipient = '\u202e<b>\u0000x\u001b[2J'
    const text = await pdfTexts((await post(await desk.issued(), 'note', { recipient })).rawPayload)
    expect(text).toContain('<b>')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(text).not.toMatch(/[\u0000\u001b\u202e]/)
  })
})

describe('the addresses', () => {
  it('lead to nothing where there is no receipt, and take no other method', async () => {
    const missing = nowhere()
    expect((await post(missing, 'note', NOTE)).statusCode).toBe(301)
    expect(
      (await post(missing, 'send', { email: 'a@example.com' }, { accept: '*/*' })).statusCode,
    ).toBe(404)
    const pair = await desk.issued()
    const other = await desk.open(`${pathOf(pair)}/send`, { accept: '*/*' })
    expect([other.statusCode, other.headers.allow]).toEqual([405, 'POST'])
    const json = await desk.shop.app.inject({
      method: 'POST',
      url: `${pathOf(pair)}/note`,
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    })
    expect(json.statusCode).toBe(400)
  })
})
