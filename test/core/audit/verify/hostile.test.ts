// Good exports with bytes flipped, cut, doubled or moved: never a crash, never "all sound" when
// what was signed has changed; and files that are no export at all.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { verifyFile } from '../../../../src/core/audit/verify/file.js'
import { depOf, exampleSigner } from '../../../support/dep7-maker.js'
import { scene } from '../../../support/dep7-scene.js'
import { unzipped, zipped } from '../../../support/dsfinvk-zip.js'
import { parts } from '../../../support/parts.js'
import { tarOf, unpacked } from '../../../support/tse-device.js'

const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sample = (name: string) =>
  readFileSync(new URL(`../../../market/de/samples/${name}`, import.meta.url))

let written = 0

async function verdict(bytes: Uint8Array, more: object = {}) {
  written += 1
  const path = join(folder, `file-${written}`)
  writeFileSync(path, bytes)
  return verifyFile(path, more)
}

const { register, receipts } = scene()
const dep = Buffer.from(depOf({ receipts }))
const tar = sample('tse-p256.tar')
const zip = sample('dsfinvk.zip')
const given = { key: register.keyText, certificates: [exampleSigner.certificate] }

/** What somebody does to bytes: the place as a part of the whole. */
const damage = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'remove', 'double', 'move'),
  at: parts,
  to: parts,
  length: fc.integer({ min: 1, max: 700 }),
  bit: fc.integer({ min: 0, max: 7 }),
})
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never

function damaged(bytes: Buffer, { kind, at, to, length, bit }: Damage): Buffer {
  const [from, target] = [Math.floor(at * bytes.length), Math.floor(to * bytes.length)]
  const part = bytes.subarray(from, from + length)
  const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
  if (kind === 'cut') return bytes.subarray(0, from)
  if (kind === 'remove') return rest
  if (kind === 'double') return Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(from)])
  if (kind === 'move') return Buffer.concat([rest.subarray(0, target), part, rest.subarray(target)])
  const copy = Buffer.from(bytes)
  copy[from] = (copy[from] ?? 0) ^ (1 << bit)
  return copy
}

/** All that a device signed, in its order. */
async function signedOf(bytes: Buffer): Promise<string> {
  const members = await unpacked(bytes)
  return members
    .filter(({ name }) => name.endsWith('.log'))
    .map(({ content }) => content.toString('hex'))
    .join('\n')
}

/** Signatures by their bytes: four bits of the last letter of Base64 say nothing. */
const valuesOf = (table: Buffer): string =>
  table
    .toString('latin1')
    .replace(/"([\w+/]{86})=="/g, (_, text: string) => Buffer.from(text, 'base64').toString('hex'))

const RUNS = { numRuns: 100 }

describe('damaged exports', { timeout: 120_000 }, () => {
  it('a DEP7 with other receipts is never all sound', async () => {
    const compact = (text: string) => text.match(/[\w-]+\.[\w-]+\.[\w-]+/g)?.join('\n') ?? ''
    await fc.assert(
      fc.asyncProperty(damage, async (one) => {
        const bytes = damaged(dep, one)
        const { ok } = await verdict(bytes, given)
        if (compact(bytes.toString('utf8')) !== receipts.join('\n')) expect(ok).toBe(false)
      }),
      RUNS,
    )
  })

  it('a TAR with other messages is never all sound', async () => {
    const signed = await signedOf(tar)
    await fc.assert(
      fc.asyncProperty(damage, async (one) => {
        const bytes = damaged(tar, one)
        const { ok } = await verdict(bytes)
        if (!ok) return
        expect(await signedOf(bytes)).toBe(signed)
      }),
      RUNS,
    )
  })

  it('a member of a TAR with another byte in what was signed is never all sound', async () => {
    const members = await unpacked(tar)
    const logs = members.filter(({ name }) => name.endsWith('.log'))
    const place = fc.tuple(fc.nat(logs.length - 1), parts)
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 0, max: 7 }), async ([which, at], bit) => {
        const changed = members.map((member) => {
          if (member !== logs[which]) return member
          const content = Buffer.from(member.content)
          const place = Math.floor(at * content.length)
          content[place] = (content[place] ?? 0) ^ (1 << bit)
          return { ...member, content }
        })
        const { ok, device } = await verdict(await tarOf(changed))
        expect([ok, device.ok]).toEqual([false, false])
      }),
      { numRuns: 40 },
    )
  })

  it('a DSFinV-K with other signed values is never all sound', async () => {
    const files = await unzipped(zip)
    const table = files.get('transactions_tse.csv') ?? Buffer.alloc(0)
    const start = table.indexOf('\r\n') + 2
    // the time of the start is signed by another message, which only the log has
    const [free, until] = ['"2026-01-01T09:01:00', '"2026-01-01T09:01:12'].map((time) =>
      table.indexOf(time),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(table.length - start - 3), fc.nat(6), async (at, bit) => {
        fc.pre(start + at < (free ?? 0) || start + at >= (until ?? 0))
        const bytes = Buffer.from(table)
        bytes[start + at] = (bytes[start + at] ?? 0) ^ (1 << bit)
        fc.pre(valuesOf(bytes) !== valuesOf(table))
        const changed = new Map(files).set('transactions_tse.csv', bytes)
        const { ok } = await verdict(await zipped(changed))
        expect(ok, bytes.subarray(start).toString()).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  it('a damaged DSFinV-K never crashes a verifier', async () => {
    await fc.assert(
      fc.asyncProperty(damage, async (one) => {
        const { ok, findings } = await verdict(damaged(zip, one))
        expect(ok).toBe(findings.length === 0)
      }),
      { numRuns: 60 },
    )
  })
})

describe('packed exports', { timeout: 120_000 }, () => {
  it.each([
    ['DEP7', dep],
    ['TSE TAR', tar],
    ['DSFinV-K', zip],
  ])('a %s is read out of gzip', async (kind, bytes) => {
    const found = await verdict(gzipSync(bytes))
    expect(found).toMatchObject({ ok: true, kind })
  })

  it('a gzip that is cut, or changed, is refused and never crashes', async () => {
    const packed = gzipSync(tar)
    for (const end of [1, 2, 5, 11, 100, packed.length >> 1, packed.length - 1]) {
      expect(await verdict(packed.subarray(0, end))).toMatchObject({ ok: false })
    }
    await fc.assert(
      fc.asyncProperty(damage, async (one) => {
        await verdict(damaged(packed, one))
      }),
      { numRuns: 60 },
    )
  })

  it('a gzip bomb is named', async () => {
    const { findings } = await verdict(gzipSync(Buffer.alloc(16 << 20)))
    expect(findings.map(({ code }) => code)).toContain('GZIP_BROKEN')
  })
})

describe('foreign files', { timeout: 120_000 }, () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('hello')],
    ['a JSON document', Buffer.from('{"a":[1,2]}')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['a packed text', gzipSync(Buffer.from('hello'))],
  ])('%s is no known export', async (_, bytes) => {
    const { ok, kind, findings } = await verdict(bytes)
    expect({ ok, kind }).toEqual({ ok: false, kind: null })
    expect(findings[0]?.code).toBe('FILE_UNKNOWN')
    expect(findings[0]?.text).toContain('no known export')
    const german = await verdict(bytes, { language: 'de' })
    expect(german.findings[0]?.text).toContain('kein bekannter Export')
  })

  it('a TAR and a ZIP of other things are no known export', async () => {
    const text = { name: 'readme.txt', content: Buffer.from('x') }
    for (const bytes of [await tarOf([text]), await zipped(new Map([[text.name, text.content]]))]) {
      expect((await verdict(bytes)).kind).toBeNull()
    }
  })

  it('bytes of chance are no known export', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        expect((await verdict(bytes)).ok).toBe(false)
      }),
      RUNS,
    )
  })

  it('options that the kind of file does not have are refused', async () => {
    for (const more of [{ after: 'AAAAAAAAAAA=' }, { tar: join(folder, 'file-1') }]) {
      await expect(verdict(tar, more)).rejects.toMatchObject({ code: 'FIELD_INVALID' })
    }
    await expect(verdict(dep, { partial: true })).rejects.toMatchObject({ field: 'partial' })
  })
})

describe('two parts', () => {
  it('an irregular content leaves the log of the device sound', async () => {
    const members = (await unpacked(tar)).filter(({ name }) => name !== 'info.csv')
    const { ok, device, content } = await verdict(await tarOf(members))
    expect({ ok, device, content }).toEqual({
      ok: false,
      device: { ok: true },
      content: { ok: false },
    })
  })

  it('findings beyond those that are kept count as well', async () => {
    const members = (await unpacked(tar)).filter(({ name }) => !name.endsWith('_X509.cer'))
    const { device, findings } = await verdict(await tarOf(members), { keep: 0 })
    expect(device.ok).toBe(false)
    expect(findings).toMatchObject([{ code: 'MORE_FINDINGS' }])
  })
})
