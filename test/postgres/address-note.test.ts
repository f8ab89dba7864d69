// The note of where a server listens, when a second server starts in the same folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgetAddress, noteAddress, notedAddress } from '../../src/postgres/address-note.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'note-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('a second server leaves the note of the first one alone while that one answers', async () => {
  const first = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => first.once('listening', resolve))
  const { port } = first.address() as { port: number }
  const address = `http://127.0.0.1:${port}`
  await noteAddress(folder, address)
  await noteAddress(folder, 'http://127.0.0.1:1')
  expect(notedAddress(folder)).toBe(address)
  forgetAddress(folder, 'http://127.0.0.1:1')
  expect(notedAddress(folder)).toBe(address)
  await new Promise((resolve) => first.close(resolve))
  await noteAddress(folder, 'http://127.0.0.1:1')
  expect(notedAddress(folder)).toBe('http://127.0.0.1:1')
})
