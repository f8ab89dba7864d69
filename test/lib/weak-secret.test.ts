// Secrets that can be guessed are known as such, and chance is not taken for them.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isDefaultPassword, isWeakKey } from '../../src/lib/weak-secret.js'

describe('a master key', () => {
  it.each([
    ['zeros', Buffer.alloc(32)],
    ['one byte', Buffer.alloc(32, 0xab)],
    ['half a key twice', Buffer.concat([1, 1].map(() => Buffer.from('0123456789abcdef')))],
    ['a series', Buffer.from(Array.from({ length: 32 }, (_, at) => at))],
    ['a series that falls', Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - 3 * at))],
    ['a sentence', Buffer.from('the quick brown fox jumps over 1')],
  ])('of %s is weak', (_what, key) => {
    expect(isWeakKey(key)).toBe(true)
  })

  it('of chance is not', () => {
    for (let turn = 0; turn < 10_000; turn += 1) expect(isWeakKey(randomBytes(32))).toBe(false)
  })
})

describe('the password of a database', () => {
  it.each([
    ['postgresql://fiskalwerk:fiskalwerk@database:5432/fiskalwerk', true],
    ['postgresql://shop:SHOP@db/x', true],
    ['postgresql://shop:till@db/till', true],
    ['postgresql://shop:change%6De@db/x', true],
    ['postgresql://postgres:postgres@db/x', true],
    ['postgresql://shop@db/x?password=postgres', true],
    ['postgresql://shop:Zk3vQ9wLx2@db/x?sslmode=require&password=changeme', true],
    ['postgresql://shop@db/x?password=Zk3vQ9wLx2', false],
    ['postgresql:///till?host=db&user=shop&password=SHOP', true],
    ['postgresql://shop@db/x', false],
    ['postgresql://shop:Zk3vQ9wLx2@db/x', false],
  ])('%s: %s', (address, isDefault) => {
    expect(isDefaultPassword(address)).toBe(isDefault)
  })
})
