// The fingerprint of a call: what may differ in a repetition, and what may not.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalPath, fingerprint } from '../../../src/core/operation/fingerprint.js'
import { workedSince } from '../../support/cpu-time.js'

const hex = (method: string, path: string, body: string | Buffer) =>
  fingerprint(method, path, Buffer.from(body)).toString('hex')
/** The hash of a canonical text that was written by hand. */
const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const bodyHash = (canonical: string) => hashOf(`POST /sign\n${canonical}`)
const sign = (body: string | Buffer) => hex('POST', '/sign', body)

describe('the published vector', () => {
  const PUBLISHED = '9baad84370ce609622f5400156098b9406b5a3ddd49cdb757dd51f94b995609f'

  it('is met', () => {
    expect(sign('{"a":1,"b":[1.5,"x"]}')).toBe(PUBLISHED)
  })

  it.each([
    '{"b":[1.5,"x"],"a":1}',
    ' {\n\t"a" : 1.0 ,\r\n "b" : [ 1.50 , "\\u0078" ] } ',
    '{"a":1e0,"b":[15e-1,"x"]}',
    '{"a":100E-2,"b":[0.15E+1,"x"]}',
    '\ufeff{"a":1,"b":[1.5,"x"]}',
  ])('is met by another spelling: %j', (body) => {
    expect(sign(body)).toBe(PUBLISHED)
  })

  it.each([
    ...['/v2/sign', '/v2.1/sign', '//sign/', '/V2//SIGN', '/v2/%73ign', '/sign?a=b'],
    '/0E0AF2CB-1a2b-4c3d-8e9f-001122334455/v2/sign',
  ])('is met under %s', (path) => {
    expect(hex('post', path, '{"a":1,"b":[1.5,"x"]}')).toBe(PUBLISHED)
  })
})

describe('the path', () => {
  it.each([
    ['/v2', ''],
    ['/', '/'],
    ['/v2x/sign', '/v2x/sign'],
    ['/v2.2/sign', '/v2.2/sign'],
    ['/0e0af2cb-1a2b-4c3d-8e9f-001122334455/sign', '/0e0af2cb-1a2b-4c3d-8e9f-001122334455/sign'],
    ['/issue/0E0AF2CB-1a2b-4c3d-8e9f-001122334455', '/issue/0e0af2cb-1a2b-4c3d-8e9f-001122334455'],
    ['/v2/%zz', '/%zz'],
  ])('%s counts as %s', (path, canonical) => {
    expect(canonicalPath(path)).toBe(canonical)
  })

  it('and the method tell calls apart', () => {
    const all = [hex('POST', '/sign', '{}'), hex('PUT', '/sign', '{}'), hex('POST', '/pay', '{}')]
    expect(new Set(all).size).toBe(3)
  })
})

describe('numbers', () => {
  it.each([
    ['-0', '0'],
    ['-0.000', '0'],
    ['0e99999999999999999999', '0'],
    ['10.0', '10'],
    ['1e2', '100'],
    ['1.25e1', '12.5'],
    ['1.25e-3', '0.00125'],
    ['-0.10', '-0.1'],
    ['100', '100'],
    ['1200e-1', '120'],
    ['0.001e3', '1'],
    ['4707387510509010945', '4707387510509010945'],
    ['9007199254740993.0', '9007199254740993'],
  ])('%s counts as %s', (given, canonical) => {
    expect(sign(`[${given}]`)).toBe(bodyHash(`[${canonical}]`))
  })

  it('that differ in the last digit of a 64-bit word differ', () => {
    expect(sign('4707422694881099777')).not.toBe(sign('4707422694881099776'))
  })

  it('with a huge exponent cost nothing, and are equal when they are equal', () => {
    const started = process.cpuUsage()
    expect(sign('1e999999999')).toBe(sign('10e999999998'))
    expect(sign('1e999999999')).not.toBe(sign('1e999999998'))
    expect(sign('1e-999999999')).not.toBe(sign('1e999999999'))
    const long = '9'.repeat(100_000)
    expect(sign(`1e${long}`)).not.toBe(sign(`1e-${long}`))
    expect(sign(long)).toBe(bodyHash(long))
    expect(workedSince(started)).toBeLessThan(2)
  })
})

describe('members and strings', () => {
  it('members are ordered by code point, not by code unit', () => {
    // U+FF5E stands before U+1F600, whose first half is 0xD83D
    expect(sign('{"\u{1f600}":1,"\uff5e":2,"a":3,"aa":4,"":5}')).toBe(
      bodyHash('{"":5,"a":3,"aa":4,"\uff5e":2,"\u{1f600}":1}'),
    )
  })

  it('a doubled member keeps both values in their order', () => {
    expect(sign('{"b":0,"a":1,"a":2}')).toBe(bodyHash('{"a":1,"a":2,"b":0}'))
    expect(sign('{"a":1,"a":2}')).not.toBe(sign('{"a":2,"a":1}'))
  })

  it('strings are escaped as little as possible', () => {
    expect(sign('"\\u00fc\\/\\u0041\\u0001\\t\\""')).toBe(bodyHash('"ü/A\\u0001\\t\\""'))
  })

  it('true, false, null and texts of numbers stay what they are', () => {
    expect(sign('[true,false,null,"1.0",{}, []]')).toBe(bodyHash('[true,false,null,"1.0",{},[]]'))
  })
})

describe('what is no JSON', () => {
  it.each(['', 'x', '{"a":1', '{"a":01}', '[1,]', '['.repeat(65) + ']'.repeat(65)])(
    'counts byte by byte: %j',
    (body) => {
      expect(sign(body)).toBe(bodyHash(body))
    },
  )

  it('also when it is no text', () => {
    const bytes = Buffer.from([0x22, 0xff, 0xfe, 0x22])
    expect(sign(bytes)).toBe(hashOf(Buffer.concat([Buffer.from('POST /sign\n'), bytes])))
  })
})
