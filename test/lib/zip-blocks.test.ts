import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fromBufferPromise,
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import {
  type BlockEntry,
  BlockPacker,
  inLargePieces,
  zipInBlocks,
} from '../../src/lib/zip-blocks.js'

const MOMENT = new Date('2026-03-14T09:26:52Z')
const FORM = { moment: MOMENT, level: 3 }

interface Read {
  name: string
  moment: Date
  content: Buffer
  method: number
}

async function membersOf(zip: ZipFile): Promise<Read[]> {
  const members: Read[] = []
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    const { fileName: name, compressionMethod: method } = entry
    members.push({ name, moment: entry.getLastModDate(), content, method })
  }
  return members
}

async function bytesOf(entries: BlockEntry[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of zipInBlocks(entries, FORM)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const readOf = async (bytes: Buffer): Promise<Read[]> =>
  membersOf(await fromBufferPromise(bytes, { lazyEntries: true }))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-zip-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an archive in blocks', () => {
  it('gives every file back, whatever pieces it came in, and is the same twice', async () => {
    const piece = fc.uint8Array({ maxLength: 200 })
    const entry = fc.record({
      pieces: fc.array(piece, { maxLength: 5 }),
      ...{ isPacked: fc.boolean(), isLarge: fc.boolean() },
    })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 5 }), async (list) => {
        const entries = list.map(({ pieces, ...how }, at) => ({
          ...how,
          name: `folder/ä ${at}.csv`,
          content: () => pieces,
        }))
        const bytes = await bytesOf(entries)
        expect(await bytesOf(entries)).toEqual(bytes)
        const members = await readOf(bytes)
        expect(members).toEqual(
          list.map(({ pieces, isPacked }, at) => ({
            ...{ name: `folder/ä ${at}.csv`, moment: MOMENT, method: isPacked ? 0 : 8 },
            content: Buffer.concat(pieces),
          })),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('takes files that were packed before as if it packed them', async () => {
    const pieces = [Buffer.alloc(70_000, 'ab'), Buffer.alloc(0), Buffer.from('c')]
    const plain = await bytesOf([{ name: 'one', content: () => pieces }])
    const packer = new BlockPacker(FORM.level)
    const blocks = [...pieces.map((piece) => packer.pack(piece)), packer.end]
    const ready = { crc: packer.crc, bytes: 70_001 }
    expect(await bytesOf([{ name: 'one', content: () => blocks, ready }])).toEqual(plain)
  })

  it('is accepted by unzip and by Python, with its times and names', async () => {
    const text = (name: string, many: number) => Buffer.from(`${name} `.repeat(many))
    const names = ['a.txt', 'queues/ä ß/dep7.json', 'empty', 'packed.zip', 'large.json']
    const entries = names.map((name, at) => ({
      ...{ name, isPacked: name.endsWith('.zip'), isLarge: name.startsWith('large') },
      content: () => (name === 'empty' ? [] : [text(name, 1 + at * 50_000), text(name, 7)]),
    }))
    const path = join(folder, 'bundle.zip')
    writeFileSync(path, await bytesOf(entries))
    // in the locale C unzip does not know names like these
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    execFileSync('unzip', ['-tq', path], { env })
    execFileSync('unzip', ['-q', path, '-d', join(folder, 'out')], { env })
    for (const { name, content } of entries) {
      const found = readFileSync(join(folder, 'out', name))
      expect([name, found.equals(Buffer.concat(content()))]).toEqual([name, true])
    }
    const python = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())'
    expect(execFileSync('python3', ['-c', python, path]).toString().trim()).toBe('None')
  })

  it('has files and places beyond four gibibytes', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024)
    const many = 66
    const entries: BlockEntry[] = [
      { name: 'stored', isPacked: true, content: () => Array(many).fill(zeros) },
      { name: 'behind', content: () => [Buffer.from('small')] },
    ]
    const { reader, size } = await keptParts(zipInBlocks(entries, FORM), zeros)
    expect(size).toBeGreaterThan(2 ** 32)
    const zip = await fromRandomAccessReaderPromise(reader, size, { lazyEntries: true })
    const found: [string, number][] = []
    for await (const entry of zip.eachEntry()) {
      found.push([entry.fileName, entry.uncompressedSize])
      if (entry.fileName !== 'behind') continue
      const content = await buffer(await zip.openReadStreamPromise(entry))
      expect(content.toString()).toBe('small')
    }
    expect(found).toEqual([
      ['stored', many * zeros.length],
      ['behind', 5],
    ])
  }, 60_000)
})

/** The archive without holding its zeros. */
async function keptParts(pieces: AsyncIterable<Uint8Array>, zeros: Buffer) {
  const parts: { at: number; bytes: Uint8Array }[] = []
  let size = 0
  for await (const bytes of pieces) {
    parts.push({ at: size, bytes })
    size += bytes.length
  }
  class Parts extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      const within = parts.filter(({ at, bytes }) => at < end && at + bytes.length > start)
      const given = within.map(({ at, bytes }) =>
        bytes.subarray(Math.max(0, start - at), Math.min(bytes.length, end - at)),
      )
      return Readable.from([Buffer.concat(given)])
    }
  }
  expect(parts.filter(({ bytes }) => bytes === zeros).length).toBe(66)
  return { reader: new Parts(), size }
}

it('has the same archive of a file in small pieces as of one in large pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 6 }),
      async (sizes) => {
        const whole = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0))
        for (let at = 0; at < whole.length; at += 1) whole[at] = (at * at) >> 7
        const starts = sizes.map((_, nth) => sizes.slice(0, nth).reduce((a, b) => a + b, 0))
        const pieces = starts.map((start, nth) => whole.subarray(start, start + (sizes[nth] ?? 0)))
        const entry = (content: Uint8Array[]) => ({
          name: 'a',
          content: () => inLargePieces(content),
        })
        const packed = await bytesOf([entry(pieces)])
        expect(packed.equals(await bytesOf([entry([whole])]))).toBe(true)
        expect((await readOf(packed))[0]?.content.equals(whole)).toBe(true)
      },
    ),
    { numRuns: 20 },
  )
})
