// German exports as files: the right verifier is chosen, parts of a file are read where they lie.
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyFile } from '../../../src/core/audit/verify/file.js'

const sample = (name: string) =>
  fileURLToPath(new URL(`../../market/de/samples/${name}`, import.meta.url))

it.each([
  ['tse-p256.tar', 'TSE TAR', { messages: 9, proven: 9 }],
  ['tse-p384.tar', 'TSE TAR', { messages: 9, proven: 9 }],
  ['dsfinvk.zip', 'DSFinV-K', { closings: 1, receipts: 1, proven: 1 }],
])('%s is accepted as %s', async (name, kind, summary) => {
  const result = await verifyFile(sample(name))
  expect(result).toMatchObject({ ok: true, findings: [], kind, summary })
})

it('an archive of which only the head is right is refused', async () => {
  const path = join(tmpdir(), `dsfinvk-${process.pid}.zip`)
  writeFileSync(path, readFileSync(sample('dsfinvk.zip')).subarray(0, 3000))
  const { ok, findings } = await verifyFile(path)
  expect(ok).toBe(false)
  expect(findings.map(({ code }) => code)).toEqual(['ZIP_BROKEN'])
})

it.each([
  ['nothing', Buffer.alloc(0)],
  ['bytes of chance', Buffer.from('0123456789'.repeat(300))],
])('%s is no file of a known kind', async (_, bytes) => {
  const path = join(tmpdir(), `unknown-${process.pid}`)
  writeFileSync(path, bytes)
  const { findings } = await verifyFile(path)
  expect(findings.map(({ code }) => code)).toEqual(['FILE_UNKNOWN'])
})
