// Files on disk: what kind they are, what is kept of their findings, and what is given beside them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type VerifyInput,
  verifyFile as verifyAny,
} from '../../../../src/core/audit/verify/file.js'
import { optionsFrom } from '../../../../src/core/audit/verify/given.js'
import type { Dep7Summary } from '../../../../src/verify/at/dep7.js'
import {
  containerOf,
  depOf,
  exampleSigner,
  examples,
  groupOf,
  Register,
} from '../../../support/dep7-maker.js'

async function verifyFile(path: string, options: VerifyInput = {}) {
  const result = await verifyAny(path, options)
  return { ...result, summary: result.summary as (Dep7Summary & { durationMs: number }) | null }
}

const folder = mkdtempSync(join(tmpdir(), 'verify-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(text: string | Uint8Array): string {
  const path = join(folder, 'file')
  writeFileSync(path, text)
  return path
}

const options = { key: examples.key }

describe('verifyFile', () => {
  it('says ok and sums up a right file', async () => {
    const result = await verifyFile(written(depOf({ receipts: examples.receipts })), options)
    expect(result).toMatchObject({
      ok: true,
      findings: [],
      kind: 'DEP7',
      summary: { groups: 1, receipts: 8, signed: 7, failed: 1, lastCounter: examples.lastCounter },
    })
    expect(result.summary?.certificates).toMatchObject([{ serial: examples.serial, receipts: 7 }])
    expect(result.summary?.durationMs).toBeGreaterThanOrEqual(0)
    expect(() => JSON.stringify(result)).not.toThrow()
  })

  it('is not ok when anything is found', async () => {
    const text = depOf({ receipts: examples.receipts.slice(1) })
    const result = await verifyFile(written(text), options)
    expect(result.ok).toBe(false)
    expect(result.findings).toMatchObject([{ code: 'START_MISSING', receipt: 'ft1#2' }])
  })

  it('knows the counter only with the key', async () => {
    const path = written(depOf({ receipts: examples.receipts }))
    expect((await verifyFile(path)).summary?.lastCounter).toBeNull()
  })

  it('keeps so many findings as wanted and counts the rest', async () => {
    const receipts = Array.from({ length: 50 }, (_, at) => `${'x'.repeat(at % 2)}${at}`)
    const text = depOf(...receipts.map((receipt) => ({ certificate: 'x', receipts: [receipt] })))
    const result = await verifyFile(written(text), { keep: 10 })
    expect(result.findings).toHaveLength(11)
    expect(result.findings[10]).toMatchObject({ code: 'MORE_FINDINGS', receipt: '' })
    expect(result.ok).toBe(false)
  })

  it('reads a file again when a certificate stands behind its receipts', async () => {
    const { Signaturzertifikat, ...rest } = groupOf({ receipts: examples.receipts })
    const text = JSON.stringify({ 'Belege-Gruppe': [{ ...rest, Signaturzertifikat }] })
    const result = await verifyFile(written(text), options)
    expect(result).toMatchObject({ ok: true, summary: { signed: 7 } })
  })

  it.each(['', 'PK\u0003\u0004', '<xml/>', '[1]'])(
    'does not take %j for an export',
    async (text) => {
      const result = await verifyFile(written(text))
      expect(result).toMatchObject({ ok: false, kind: null, findings: [{ code: 'FILE_UNKNOWN' }] })
    },
  )

  it('a file that is not there is refused, and so is a folder', async () => {
    for (const path of [join(folder, 'nowhere'), folder]) {
      await expect(verifyFile(path)).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
    }
  })
})

describe('what is given beside the file', () => {
  it('a crypto container brings key and certificates', async () => {
    const register = new Register()
    const receipts = [register.next(), register.next({ amounts: [100, 0, 0, 0, 0] })]
    const path = written(depOf({ certificate: '', receipts }))
    const given = optionsFrom(containerOf(register, [exampleSigner]))
    expect(await verifyFile(path, given)).toMatchObject({
      ok: true,
      summary: { lastCounter: '1,00' },
    })
  })

  it('base64, PEM and several PEM blocks are certificates', () => {
    const pem = `-----BEGIN CERTIFICATE-----\n${examples.certificate}\n-----END CERTIFICATE-----`
    expect(optionsFrom(`${examples.certificate}\n`).certificates).toEqual([examples.certificate])
    expect(optionsFrom(`${pem}\n${pem}\n`).certificates).toEqual([pem, pem])
  })

  it.each(['{', '{}', '{"certificateOrPublicKeyMap":{"a":{}}}'])('%s is refused', (text) => {
    expect(() => optionsFrom(text)).toThrow('certificate is not valid')
  })
})
