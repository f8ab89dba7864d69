// Which addresses of e-mail are taken: the rule of browsers, all scripts, the lengths of SMTP.
import { describe, expect, it } from 'vitest'
import { isEmail } from '../../src/lib/email.js'

const LABEL = `${'a'.repeat(61)}.`

describe('an address', () => {
  it.each([
    'max@example.com',
    'max.muster+beleg@mail.example.co.at',
    "o'brien!#$%&*/=?^_`{|}~-@example.com",
    'max@localhost',
    'müller@bücher.example',
    '用户@例子.广告',
    'max@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
    `max@${LABEL.repeat(4).slice(0, 247)}.at`.slice(0, 254),
  ])('%s is taken', (text) => {
    expect(isEmail(text)).toBe(true)
  })

  it.each([
    ['65 bytes in front', `${'a'.repeat(65)}@example.com`],
    ['65 bytes in front in another script', `${'ü'.repeat(33)}@example.com`],
    ['a label of 64 characters', `max@${'a'.repeat(64)}.com`],
    ['255 bytes', `max@${LABEL.repeat(4)}abcd.at`],
    ['a label that begins with a hyphen', 'max@-example.com'],
    ['a label that ends with one', 'max@example-.com'],
    ['an underscore in the domain', 'max@exa_mple.com'],
    ['a dot at the end', 'max@example.com.'],
    ['dots together in front', 'max..muster@example.com'],
    ['a dot before @', 'max.@example.com'],
    ['a parenthesis', 'max(x)@example.com'],
    ['two @', 'max@muster@example.com'],
    ['a line end', 'max@example.com\r\nBcc: eva@example.com'],
    ['a soft hyphen', 'ma\u00adx@example.com'],
    ['half a character', 'max\ud800@example.com'],
    ['nothing', ''],
    ['only @', '@'],
  ])('with %s is refused', (_why, text) => {
    expect(isEmail(text)).toBe(false)
  })
})
