import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSpool } from '../../../src/core/journal/spool.js'
import type { Spool } from '../../../src/model/export-source.js'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-test-'))
  vi.stubEnv('TMPDIR', folder)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

async function contentOf(spool: Spool): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of spool.read()) parts.push(piece)
  return Buffer.concat(parts)
}

describe('temporary storage of an export', () => {
  it('gives back what was written, in its order, as often as it is read', async () => {
    const spool = openSpool()
    const parts = Array.from({ length: 40 }, (_, at) => Buffer.alloc(at * 997, at))
    for (const part of parts) await spool.write(part)
    expect((await contentOf(spool)).equals(Buffer.concat(parts))).toBe(true)
    expect((await contentOf(spool)).length).toBe(Buffer.concat(parts).length)
    await spool.close()
  })

  it('comes in small pieces, however much was written at once', async () => {
    const spool = openSpool()
    await spool.write(Buffer.alloc(1_000_000, 7))
    const sizes: number[] = []
    for await (const piece of spool.read()) sizes.push(piece.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000_000)
    await spool.close()
  })

  it('leaves no name in the temporary folder, not even while it is in use', async () => {
    const spool = openSpool()
    await spool.write(Buffer.from('secret'))
    expect(await readdir(folder)).toEqual([])
    await spool.close()
    expect(await readdir(folder)).toEqual([])
  })

  it('that was never used is empty and opens no file', async () => {
    const spool = openSpool()
    expect((await contentOf(spool)).length).toBe(0)
    await spool.close()
    await spool.close()
  })

  it('refuses what goes beyond its limit and keeps what it has', async () => {
    const spool = openSpool(10)
    await spool.write(Buffer.from('12345678'))
    await expect(spool.write(Buffer.from('90a'))).rejects.toMatchObject({ code: 'SPOOL_FULL' })
    expect((await contentOf(spool)).toString()).toBe('12345678')
    await spool.close()
  })

  it('takes nothing any more once it was given back', async () => {
    const spool = openSpool()
    await spool.write(Buffer.from('a'))
    await spool.close()
    await expect(spool.write(Buffer.from('b'))).rejects.toThrow('given back')
  })
})
