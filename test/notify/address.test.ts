// Addresses of messages: what is taken, in which form, and how it may be shown.
import { describe, expect, it } from 'vitest'
import { addressOf, maskedAddress } from '../../src/notify/address.js'
import { NAUGHTY_STRINGS } from '../support/naughty-strings.js'

describe('an e-mail address', () => {
  it.each([
    'max@example.com',
    'max.muster+beleg@mail.example.co.at',
    "o'brien!#$%&*/=?^_`{|}~-@example.com",
    'max@localhost',
    'müller@bücher.example',
    '用户@例子.广告',
    `${'a'.repeat(64)}@example.com`,
  ])('%s is taken as it is', (text) => {
    expect(addressOf('email', text)).toBe(text)
    expect(addressOf('email', ` ${text}\n`)).toBe(text)
  })

  it.each([
    ['no @', 'max.example.com'],
    ['two of them', 'max@muster@example.com'],
    ['nothing in front', '@example.com'],
    ['nothing behind', 'max@'],
    ['a dot at the edge', '.max@example.com'],
    ['two dots', 'max@example..com'],
    ['255 characters', `${'a'.repeat(243)}@example.com`],
    ['a space', 'max muster@example.com'],
    ['a comma', 'max@example.com,eva@example.com'],
    ['a name in front', 'Max <max@example.com>'],
    ['a quoted part', '"max muster"@example.com'],
    ['an address literal', 'max@[127.0.0.1]'],
    ['a line end', 'max@example.com\r\nBcc: eva@example.com'],
    ['a line end within', 'max\r\n@example.com'],
    ['a bare line feed', 'max\n@example.com'],
    ['a NUL', 'max\u0000@example.com'],
    ['a line separator', 'max\u2028@example.com'],
    ['a zero-width space', 'max\u200b@example.com'],
    ['a turned direction', 'max\u202e@example.com'],
    ['half a character', 'max\ud800@example.com'],
    ['a colon', 'mailto:max@example.com'],
    ['an impossible domain', 'max@exa%mple.com'],
  ])('with %s is none', (_, text) => {
    expect(addressOf('email', text)).toBeUndefined()
  })

  it('out of naughty text never holds what ends a header or an address', () => {
    for (const text of NAUGHTY_STRINGS) {
      for (const given of [text, `${text}@example.com`, `max@${text}`]) {
        const email = addressOf('email', given)
        if (email === undefined) continue
        expect(email).not.toMatch(/[\p{C}\p{Z}<>(),;:"\\[\]]/u)
        expect(email.split('@')).toHaveLength(2)
      }
    }
  })
})

describe('a telephone number', () => {
  it.each([
    ['+436641234567', '+436641234567'],
    ['00436641234567', '+436641234567'],
    [' +43 664 123 45 67 ', '+436641234567'],
    ['00 49\u00a0170 1234567', '+491701234567'],
    ['+12345678', '+12345678'],
    ['+123456789012345', '+123456789012345'],
  ])('%j becomes %s', (text, number) => {
    expect(addressOf('sms', text)).toBe(number)
    expect(addressOf('whatsapp', text)).toBe(number)
  })

  it.each([
    '06641234567',
    '436641234567',
    '+1234567',
    '+1234567890123456',
    '+0043664123456',
    '+43 (0)664 1234567',
    '+43-664-1234567',
    '+43664123456７',
    'max@example.com',
    '',
    '+436641234567\r\nX: 1',
  ])('%j is none', (text) => {
    expect(addressOf('sms', text)).toBeUndefined()
  })
})

describe('a shown address', () => {
  it.each([
    ['max.mustermann@mail.example.com', 'm…@m….com'],
    ['a@b', 'a…@b…'],
    ['😀max@example.com', '😀…@e….com'],
    ['+436641234567', '+43…67'],
  ])('%s becomes %s', (address, shown) => {
    expect(maskedAddress(address)).toBe(shown)
  })
})
