// DKIM signatures of e-mails, checked as receivers do it (RFC 6376, relaxed in both parts) by a
// reading of its own.
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/config.js'
import { dkimOf } from '../../src/deps/messages.js'
import { mailOf, senderOf } from '../../src/notify/compose.js'
import { configOf } from '../support/settings.js'

const folder = mkdtempSync(join(tmpdir(), 'dkim-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const relaxed = (header: string): string => {
  const colon = header.indexOf(':')
  const value = header.slice(colon + 1).replace(/\r\n/g, '')
  return `${header.slice(0, colon).trim().toLowerCase()}:${value.replace(/[ \t]+/g, ' ').trim()}`
}

const relaxedBody = (body: string): string => {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return lines.map((line) => `${line}\r\n`).join('')
}

/** What a receiver says of a mail: the signature, and the hash of the body. */
function judged(mail: string): { body: boolean; signature: boolean; tags: Map<string, string> } {
  const [head = '', ...rest] = mail.split('\r\n\r\n')
  const headers = head.split(/\r\n(?![ \t])/)
  const own = headers.find((line) => /^dkim-signature:/i.test(line)) ?? ''
  const tags = new Map(
    relaxed(own)
      .slice('dkim-signature:'.length)
      .split(';')
      .map((tag) => [tag.split('=')[0]?.trim() ?? '', tag.slice(tag.indexOf('=') + 1).trim()]),
  )
  const hash = createHash('sha256').update(relaxedBody(rest.join('\r\n\r\n')), 'latin1')
  const wanted = (tags.get('h') ?? '').split(':').map((name) => name.trim().toLowerCase())
  const signed = wanted.map((name) => headers.find((line) => relaxed(line).startsWith(`${name}:`)))
  const bare = relaxed(own).replace(/(;\s*b=)[^;]*/, '$1')
  const text = [...signed.flatMap((line) => (line === undefined ? [] : [relaxed(line)])), bare]
  const verify = createVerify('RSA-SHA256').update(text.join('\r\n'), 'latin1')
  const given = (tags.get('b') ?? '').replace(/\s/g, '')
  return {
    body: hash.digest('base64') === (tags.get('bh') ?? '').replace(/\s/g, ''),
    signature: verify.verify(pair.publicKey, Buffer.from(given, 'base64')),
    tags,
  }
}

async function mail(subject: string): Promise<string> {
  const dkim = { domain: 'shop.example', selector: '2026', privateKey: pem }
  const letter = {
    ...{ language: 'de', subject, paragraphs: ['Grüße  und  Küsse '], footer: 'Ende' },
    ...{ link: { label: 'x', url: 'https://r.example/a' }, attachment: null },
  }
  const outgoing = { id: 'x', channel: 'email', to: 'a@b.example', letter } as const
  const from = { ...senderOf('Belege <receipts@shop.example>'), dkim }
  return (await mailOf({ ...outgoing, createdAt: new Date() }, from)).toString('latin1')
}

describe('a signed mail', () => {
  it.each(['Beleg', 'Gâteau & Søn: ein sehr langer Betreff '.repeat(6)])(
    'holds for a receiver: %s',
    async (subject) => {
      const { body, signature, tags } = judged(await mail(subject))
      expect([body, signature]).toEqual([true, true])
      expect([tags.get('d'), tags.get('s'), tags.get('a')]).toEqual([
        ...['shop.example', '2026', 'rsa-sha256'],
      ])
      for (const name of ['from', 'to', 'subject', 'date']) expect(tags.get('h')).toContain(name)
    },
  )

  it('does not hold when somebody changes it on its way', async () => {
    const good = await mail('Beleg')
    expect(judged(good.replace('Subject: Beleg', 'Subject: Geld')).signature).toBe(false)
    expect(judged(good.replace('Ende', 'Anfang')).body).toBe(false)
  })
})

describe('the setting', () => {
  it('names domain, selector and a file with an RSA key', () => {
    const file = join(folder, 'dkim.pem')
    writeFileSync(file, pem)
    const { MAIL_DKIM } = configOf({ MAIL_DKIM: `shop.example,2026,${file}` })
    expect(MAIL_DKIM).toEqual({ domain: 'shop.example', selector: '2026', file })
    expect(dkimOf(MAIL_DKIM)).toEqual({ domain: 'shop.example', selector: '2026', privateKey: pem })
  })

  it.each(['shop.example', 'shop.example,2026', 'a b,2026,x.pem', 'shop.example,2026,x,y'])(
    'is refused as %s',
    (text) => {
      expect(() => configOf({ MAIL_DKIM: text })).toThrow(ConfigError)
    },
  )

  it('says what is wrong with its file', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const other = join(folder, 'other.pem')
    writeFileSync(other, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const rest = { domain: 'shop.example', selector: '2026' }
    const said = (file: string): string => {
      try {
        dkimOf({ ...rest, file })
        return ''
      } catch (error) {
        return error instanceof ConfigError ? error.faults.join() : String(error)
      }
    }
    expect(said(other)).toContain('openssl genrsa 2048')
    expect(said(join(folder, 'none.pem'))).toContain('MAIL_DKIM')
  })
})
