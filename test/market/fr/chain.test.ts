// The own chain of the French reference, byte for byte: payloads, chain values and signatures.
import { createHash, verify } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { chainValue as chained, HEADER } from '../../../src/market/fr/documents.js'
import { signingInput } from '../../../src/market/kit/jws.js'
import { payloadText, type Sent, TestQueue } from './queue.js'

const CSN = '"csn":"08DAB1126038C627","rc":'
const VOID = 4
const TRAINING = 2
type Vector = [sent: Sent, time: string, rid: string, middle: string | undefined, chain: string]

const sale = (kind: number, more: Partial<Sent> = {}): Sent => ({ kind, ...more })
const G1 = 'jsfMP03TQpPAekEGPUrqh0MZoMDnRXGI9IDb41u1/4M='
const T1 = 'vQ6VWnLzZESLFEg9/vDxhXwPEJV3dcB+L0v421Ih14s='
const T2 = 'vTHLAu5XyWtq53+/uSThGZ2TtUHJFL4+rXThjZRoNy4='
const full = (prefix: string, values: Record<string, string> = {}) =>
  ['total', 'ci-n', 'ci-r1', 'ci-r2', 'ci-rs', 'ci-z', 'ci-u', 'pi-c', 'pi-n', 'pi-i', 'pi-u']
    .map((name) => `"${prefix}${name}":${values[name] ?? '0.0'},`)
    .join('')
const day = {
  total: '97.5',
  'ci-n': '7.5',
  'ci-r1': '78.7',
  'ci-r2': '11.3',
  'pi-c': '78.7',
  'pi-n': '18.8',
}
const perpetual =
  '"p-total":97.5,"p-ci-n":7.5,"p-ci-r1":78.7,"p-ci-r2":11.3,' +
  '"p-ci-rs":0.0,"p-ci-z":0.0,"p-ci-u":0.0,'

const vectors: Vector[] = [
  [
    sale(0x10),
    '07:58:00.5Z',
    'ft0#G1',
    `${full('d-')}${full('m-')}${full('y-')}${full('s-')}${CSN}5067112530745229328}`,
    G1,
  ],
  [
    sale(0x01, { charges: [[3, 13.1]], pays: [[1, 13.1]] }),
    '09:15:30.123Z',
    'ft1#T1',
    `"total":13.1,"ci-n":13.1,"pi-c":13.1,${CSN}5067112530745229313}`,
    '',
  ],
  [
    sale(0x01, {
      charges: [
        [2, 11.3],
        [3, 7.5],
      ],
      pays: [[4, 18.8]],
    }),
    '09:16:00Z',
    'ft2#T2',
    undefined,
    '',
  ],
  [
    sale(0x03, { charges: [[1, 78.7]], pays: [[1, 78.7]] }),
    '10:00:00Z',
    'ft3#I1',
    `"total":78.7,"ci-r1":78.7,"pi-c":78.7,${CSN}5067112530745229315}`,
    'j/X3copshT9V8iIkQFyqIRKbVckoPRu4RNkYexI1uOQ=',
  ],
  [
    sale(0x08, { charges: [[1, 160.24]], pays: [[0x11, 160.24]] }),
    '11:00:00Z',
    'ft4#B1',
    `"total":160.24,"ci-r1":160.24,"pi-i":160.24,${CSN}5067112530745229320}`,
    'aAenL/vYL8/zpZ9P6Kl+OiJJBR356VDRHeAjugE4j68=',
  ],
  [
    sale(0x02, {
      pays: [
        [1, 81.56],
        [0x11, -81.56],
      ],
    }),
    '11:05:00Z',
    'ft5#P1',
    `"total":0.0,"pi-c":81.56,"pi-i":-81.56,${CSN}5067112530745229314}`,
    'HPTE9J/ZROkhuyhH2qACwoO5AA8bUgK93LR0A63UIgM=',
  ],
  [
    sale(0x01, { flags: VOID, charges: [[3, -13.1]], pays: [[1, -13.1]] }),
    '11:10:00Z',
    'ft6#T3',
    undefined,
    '',
  ],
  [
    sale(0x16, { previous: 'ticket 2020-4456' }),
    '11:20:00Z',
    'ft7#C1',
    `"crr":"ticket 2020-4456",${CSN}5067112530745229334}`,
    'QPwHFH+AwBxFOZJFMg/fatfIVxhnBeaQyHYX2P7WtHs=',
  ],
  [
    sale(0x01, { flags: TRAINING, charges: [[3, 5]], pays: [[1, 5]] }),
    '11:30:00Z',
    'ft8#X1',
    `"total":5.0,"ci-n":5.0,"pi-c":5.0,${CSN}5067112530745360385}`,
    '/jMP/8JORN/bdHtpVDZmWMAWzM4sVovgi+cqRBBOP5M=',
  ],
  [
    sale(0x12),
    '11:40:00Z',
    'ft9#L1',
    `"total":0.0,${CSN}5067112530745229330}`,
    'EvGovBi4SyWbFy5DfVC8Z7FKbwANmg2Wby7giiUCzik=',
  ],
  [
    sale(0x05),
    '20:00:00Z',
    'ftA#G2',
    `${full('d-', day)}${full('m-', day)}${full('y-')}${full('s-', day)}${perpetual}` +
      `${CSN}5067112530745229317,"hash":"${G1}"}`,
    '83aQNRO7oPwOPVYz7e/z/zGNasVY7cs5Mq0WEeHaTu8=',
  ],
]

const chainValue = (jws: string) =>
  createHash('sha256')
    .update(jws.slice(0, jws.lastIndexOf('.')))
    .digest('base64')

describe('the chain of the reference', () => {
  const queue = new TestQueue()
  beforeAll(async () => {
    for (const [sent, time] of vectors) {
      queue.moment = new Date(`2026-03-02T${time}`)
      await queue.accept(sent)
    }
  })

  it.each(vectors.map((vector, at) => [vector[2], at] as const))('%s', (rid, at) => {
    const [, time, , middle, chain] = vectors[at] ?? []
    const jws = queue.rows[at]?.content ?? ''
    const item = (at + 1).toString().padStart(2, '0')
    const head =
      '{"qid":"b00f3da1-5a6e-4a2d-8fdf-6c3d8900d2c1","cbid":"RueHelder_1(2)",' +
      `"siret":"12345678900011","rid":"${rid}","dt":"2026-03-02T${time}",` +
      `"qiid":"00000000-0000-4000-8000-0000000000${item}",`
    expect(payloadText(jws).startsWith(head)).toBe(true)
    if (middle !== undefined) expect(payloadText(jws).slice(head.length)).toBe(middle)
    if (chain !== '') expect(chainValue(jws)).toBe(chain)
  })

  it('goes on from the document before of the same letter, and each signature verifies', () => {
    const last = new Map<string, string>()
    for (const { kind, content } of queue.rows) {
      const { hash } = JSON.parse(payloadText(content)) as { hash?: string }
      expect(hash).toBe(last.get(kind))
      last.set(kind, chainValue(content))
      const [header = '', payload = '', signature = ''] = content.split('.')
      const key = { key: queue.publicKey, dsaEncoding: 'ieee-p1363' } as const
      const bytes = Buffer.from(`${header}.${payload}`)
      expect(verify('sha256', bytes, key, Buffer.from(signature, 'base64url'))).toBe(true)
    }
    expect(last.size).toBe(8)
  })

  it('an archive is the one of the reference but for the perpetual total', async () => {
    const ids = [1, 2, 3].map((n) => `00000000-0000-4000-9000-00000000000${n}`)
    const [lastActionId = '', lastMarketId = '', lastReceiptId = ''] = ids
    queue.journal = { lastActionId, lastMarketId, lastReceiptId }
    queue.moment = new Date('2026-03-02T20:05:00Z')
    const { journal } = await queue.accept({ kind: 0x15 })
    const [header, payload] = (journal[0]?.content ?? '').split('.')
    const text = Buffer.from(payload ?? '', 'base64url').toString()
    expect(text).toContain(perpetual)
    const without = Buffer.from(text.replace(perpetual, '')).toString('base64url')
    const hash = createHash('sha256').update(`${header}.${without}`).digest('base64')
    expect(hash).toBe('1rpw6DJQrVoOUL1aT+0dK/yNopnRAYWOgADoQL41bsc=')
  })

  it('chain values of T1 and T2 are those of the reference at its exact moments', async () => {
    const next = (payload: string) => chained(signingInput(HEADER, payload))
    const text = payloadText(queue.rows[1]?.content ?? '')
    expect(next(text.replace('30.123Z', '30.1234567Z'))).toBe(T1)
    const second = payloadText(queue.rows[2]?.content ?? '')
    const hash = JSON.parse(second).hash as string
    expect(next(second.replace(hash, T1))).toBe(T2)
  })
})
