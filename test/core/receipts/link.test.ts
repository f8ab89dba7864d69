// Short links: the published vectors of code and signatures, and nothing else.
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  codeOfTag,
  isSignedBy,
  type SignedLink,
  signatureOf,
  targetOf,
} from '../../../src/core/receipts/link.js'

const queueId = 'c719b59a-9ff0-491a-98a1-030776d8c46f'
const queueItemId = 'f838d7c8-3113-4c3a-914a-46d7de555d11'
const c = 'AccZtZqf8EkamKEDB3bYxG_4ONfIMRNMOpFKRtfeVV0R'
const key1 = Buffer.from(Array.from({ length: 32 }, (_, at) => at))
const key2 = Buffer.from(Array.from({ length: 32 }, (_, at) => at + 32))

const bare: SignedLink = { c, f: '', mcc: '' }
const spring: SignedLink = { c, f: '3', mcc: 'spring26' }

describe('a code', () => {
  it('stands for two ids or for a label', () => {
    expect(codeOf({ queueId, queueItemId })).toBe(c)
    expect(targetOf(c)).toEqual({ queueId, queueItemId })
    expect(codeOfTag('abc123456789')).toBe('AmFiYzEyMzQ1Njc4OQ')
    expect(targetOf('AmFiYzEyMzQ1Njc4OQ')).toEqual({ tag: 'abc123456789' })
  })

  it('is read with padding, in the standard alphabet, and with a plus that became a blank', () => {
    const standard = Buffer.from(c, 'base64url').toString('base64')
    expect(standard).toContain('/')
    for (const text of [standard, `${c}==`]) {
      expect(targetOf(text), text).toEqual({ queueId, queueItemId })
    }
    const plus = codeOfTag('a>b~~')
    const other = Buffer.from(plus, 'base64url').toString('base64')
    expect(targetOf(other.replaceAll('+', ' '))).toEqual({ tag: 'a>b~~' })
  })

  it.each([
    ['nothing', ''],
    ['a reserved first byte', Buffer.alloc(33).toString('base64url')],
    ['another first byte', Buffer.alloc(33, 3).toString('base64url')],
    ['too few bytes', Buffer.alloc(32, 1).toString('base64url')],
    [
      'too many bytes',
      Buffer.concat([Buffer.from(c, 'base64url'), Buffer.of(0)]).toString('base64url'),
    ],
    ['a label of nothing', 'Ag'],
    ['a label that is no UTF-8', Buffer.of(2, 0xff, 0xfe).toString('base64url')],
    ['a label with a line end', Buffer.from('\u0002a\nb').toString('base64url')],
    ['spare bits that are set', 'AmFiYzEyMzQ1Njc4OR'],
    ['foreign characters', `${c.slice(0, -1)}!`],
    ['a hundred thousand characters', 'A'.repeat(100_000)],
    ['a hundred thousand equal signs', `${'='.repeat(100_000)}A`],
  ])('%s is none', (_name, text) => {
    expect(targetOf(text)).toBeUndefined()
  })
})

describe('a signature', () => {
  it.each([
    [key1, bare, 'SpEnLWLa0v4aW5vF-GUdNw'],
    [key2, bare, 'JfrZ0jPZQ_4sglQ9UxVg6A'],
    [key1, spring, 'JLqdbAKxe-DNo81kwh4hxQ'],
    [key2, spring, 'GPJV6xOmGJrJLhsgZgIMDQ'],
  ])('is the published one', (key, link, expected) => {
    expect(signatureOf(key, link)).toBe(expected)
    expect(isSignedBy([key], link, expected)).toBe(true)
    expect(isSignedBy([Buffer.alloc(32), key], link, `${expected}==`)).toBe(true)
  })

  it('with any character changed is none', () => {
    const good = signatureOf(key1, bare)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let at = 0; at < good.length; at += 1) {
      for (const other of alphabet.replace(good[at] ?? '', '')) {
        const text = good.slice(0, at) + other + good.slice(at + 1)
        expect(isSignedBy([key1], bare, text), text).toBe(false)
      }
    }
    for (const text of ['', good.slice(1), `${good}A`, `${good}AAAA`, good.toLowerCase()]) {
      expect(isSignedBy([key1], bare, text), text).toBe(false)
    }
    expect(isSignedBy([], bare, good)).toBe(false)
    expect(isSignedBy([key2], bare, good)).toBe(false)
    expect(isSignedBy([key1], spring, good)).toBe(false)
  })
})
