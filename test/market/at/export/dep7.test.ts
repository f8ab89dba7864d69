import { createHash, verify, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dep7 } from '../../../../src/market/at/export/dep7.js'
import type { StoredMarketRow } from '../../../../src/model/journal.js'
import { cryptoContainer, writeCryptoContainer } from '../../../support/crypto-container.js'
import { certificateEntry, exportSource, textOf } from '../../../support/export-source.js'
import vectors from '../vectors/rksv-examples.json' with { type: 'json' }

const HEADER = 'eyJhbGciOiJFUzI1NiJ9'
const FAILED = 'U2ljaGVyaGVpdHNlaW5yaWNodHVuZyBhdXNnZWZhbGxlbg'
const exampleDer = Buffer.from(vectors.input.certificateBase64, 'base64')
const example = certificateEntry(exampleDer)
const exampleTexts = vectors.examples.map(
  (one) => `${HEADER}.${one.payloadBase64url}.${one.signatureBase64url}`,
)
// grouping looks at fingerprints only, so these need not be real certificates
const certA = certificateEntry(Buffer.from('certificate A'))
const certB = certificateEntry(Buffer.from('certificate B'), [
  Buffer.from('issuing CA'),
  Buffer.from('root CA'),
])

function row(number: number, content: string, fingerprint: Buffer | null): StoredMarketRow {
  return {
    timeStamp: 638716572000000000n + BigInt(number),
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    kind: 'RKSV',
    number,
    scuId: null,
    queueItemId: '00000000-0000-7000-8000-000000000000',
    certificateFingerprint: fingerprint,
    content,
  }
}

const signed = (number: number, by: { fingerprint: Buffer }) =>
  row(number, `${HEADER}.signed${number}.AAAA`, by.fingerprint)
const failed = (number: number, after: { fingerprint: Buffer } | null) =>
  row(number, `${HEADER}.failed${number}.${FAILED}`, after?.fingerprint ?? null)

/** Certificate text and payload parts of each group, for short expectations. */
async function groupsOf(rows: StoredMarketRow[], certificateBefore?: Buffer) {
  const input = { rows, certificates: [certA, certB], pageSize: 2 }
  const before = certificateBefore === undefined ? {} : { certificateBefore }
  const text = await textOf(dep7.run(exportSource({ ...input, ...before })))
  const file = JSON.parse(text) as {
    'Belege-Gruppe': { Signaturzertifikat: string; 'Belege-kompakt': string[] }[]
  }
  return file['Belege-Gruppe'].map((group) => [
    Buffer.from(group.Signaturzertifikat, 'base64').toString(),
    ...group['Belege-kompakt'].map((jws) => jws.split('.')[1]),
  ])
}

describe('DEP7 of the published examples', () => {
  const rows = exampleTexts.map((text, at) => row(at + 1, text, example.fingerprint))

  it('is one group with exactly the eight receipts, byte for byte', async () => {
    const text = await textOf(
      dep7.run(exportSource({ rows, certificates: [example], pageSize: 3 })),
    )
    const expected = {
      'Belege-Gruppe': [
        {
          Signaturzertifikat: vectors.input.certificateBase64,
          Zertifizierungsstellen: [],
          'Belege-kompakt': exampleTexts,
        },
      ],
    }
    expect(text).toBe(JSON.stringify(expected, null, 2))
    // what a public client of C# looks for
    expect(text).toContain('"Belege-kompakt": [')
    expect(dep7.contentType).toBe('application/json; charset=utf-8')
  })

  it('chains every receipt to the exact text before it', async () => {
    const text = await textOf(dep7.run(exportSource({ rows, certificates: [example] })))
    const receipts = JSON.parse(text)['Belege-Gruppe'][0]['Belege-kompakt'] as string[]
    let before = vectors.input.kassenId
    for (const jws of receipts) {
      const payload = Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()
      const chain = createHash('sha256').update(before).digest().subarray(0, 8).toString('base64')
      expect(payload.split('_')[12]).toBe(chain)
      before = jws
    }
  })

  it('comes with a container whose certificates verify every signed receipt', async () => {
    const aesKey = Buffer.from(vectors.input.aesKeyBase64, 'base64')
    const directory = await mkdtemp(join(tmpdir(), 'dep7-'))
    const path = join(directory, 'container.json')
    await writeCryptoContainer(path, { aesKey, certificates: [exampleDer] })
    const container = JSON.parse(await readFile(path, 'utf8'))
    await rm(directory, { recursive: true })

    expect(container.base64AESKey).toBe(vectors.input.aesKeyBase64)
    for (const text of exampleTexts.filter((one) => !one.endsWith(FAILED))) {
      const [header, payload = '', signature = ''] = text.split('.')
      const serial = Buffer.from(payload, 'base64url').toString().split('_')[11] ?? ''
      const entry = container.certificateOrPublicKeyMap[serial]
      expect(entry.id).toBe(serial)
      expect(entry.signatureDeviceType).toBe('CERTIFICATE')
      const der = Buffer.from(entry.signatureCertificateOrPublicKey, 'base64')
      const key = new X509Certificate(der).publicKey
      const input = Buffer.from(`${header}.${payload}`)
      const bytes = Buffer.from(signature, 'base64url')
      expect(verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true)
    }
  })
})

describe('DEP7 groups', () => {
  it('are none when the queue has no signed receipt', async () => {
    expect(await textOf(dep7.run(exportSource({})))).toBe(
      JSON.stringify({ 'Belege-Gruppe': [] }, null, 2),
    )
  })

  it('begin anew with every change of the certificate, in the order of the receipts', async () => {
    const rows = [signed(1, certA), signed(2, certA), signed(3, certB), signed(4, certA)]
    expect(await groupsOf(rows)).toEqual([
      ['certificate A', 'signed1', 'signed2'],
      ['certificate B', 'signed3'],
      ['certificate A', 'signed4'],
    ])
  })

  it('keep failed receipts in the running group, whatever is signed after them', async () => {
    const rows = [signed(1, certA), failed(2, certA), failed(3, certA), signed(4, certB)]
    expect(await groupsOf(rows)).toEqual([
      ['certificate A', 'signed1', 'failed2', 'failed3'],
      ['certificate B', 'signed4'],
    ])
    expect(await groupsOf([signed(1, certA), failed(2, certA), signed(3, certA)])).toEqual([
      ['certificate A', 'signed1', 'failed2', 'signed3'],
    ])
  })

  it('keep a failed receipt even when its row names another certificate', async () => {
    expect(await groupsOf([signed(1, certA), failed(2, certB), signed(3, certA)])).toEqual([
      ['certificate A', 'signed1', 'failed2', 'signed3'],
    ])
  })

  it('take the certificate of the last success for failed receipts at the start', async () => {
    const slice = [failed(5, certA), failed(6, certA), signed(7, certA), signed(8, certB)]
    expect(await groupsOf(slice)).toEqual([
      ['certificate A', 'failed5', 'failed6', 'signed7'],
      ['certificate B', 'signed8'],
    ])
    expect(await groupsOf([failed(5, certA), signed(6, certB)])).toEqual([
      ['certificate A', 'failed5'],
      ['certificate B', 'signed6'],
    ])
  })

  it('ask for the certificate before the slice when the failed rows name none', async () => {
    const slice = [failed(5, null), signed(6, certB)]
    expect(await groupsOf(slice, certA.fingerprint)).toEqual([
      ['certificate A', 'failed5'],
      ['certificate B', 'signed6'],
    ])
    expect(await groupsOf([failed(5, null)], certA.fingerprint)).toEqual([
      ['certificate A', 'failed5'],
    ])
  })

  it('name no certificate, as text and not as null, when there never was one', async () => {
    expect(await groupsOf([failed(1, null), signed(2, certA)])).toEqual([
      ['', 'failed1'],
      ['certificate A', 'signed2'],
    ])
  })

  it('list the issuing authorities of their certificate, nearest first', async () => {
    const rows = [signed(1, certB)]
    const text = await textOf(dep7.run(exportSource({ rows, certificates: [certB] })))
    expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2))
    expect(JSON.parse(text)['Belege-Gruppe'][0].Zertifizierungsstellen).toEqual([
      Buffer.from('issuing CA').toString('base64'),
      Buffer.from('root CA').toString('base64'),
    ])
  })
})

describe('DEP7 of a damaged journal', () => {
  const run = (rows: StoredMarketRow[]) =>
    textOf(dep7.run(exportSource({ rows, certificates: [certA] })))

  it('stops at a row that is no compact JWS instead of writing broken JSON', async () => {
    for (const content of ['a.b', 'a.b.c.d', 'a.b."', 'a.b.c\n', 'a..c', 'ä.b.c', '']) {
      await expect(run([row(1, content, certA.fingerprint)])).rejects.toThrow('no compact JWS')
    }
  })

  it('stops where cash numbers do not grow', async () => {
    await expect(run([signed(2, certA), signed(2, certA)])).rejects.toThrow('row 2 follows 2')
    await expect(run([signed(2, certA), signed(1, certA)])).rejects.toThrow('row 1 follows 2')
  })

  it('stops when a certificate is not stored', async () => {
    await expect(run([signed(1, certB)])).rejects.toThrow('is not stored')
  })
})

it('DEP7 reads one page after the other, never ahead of who takes the pieces', async () => {
  const rows = Array.from({ length: 50 }, (_, at) => signed(at + 1, certA))
  const source = exportSource({ rows, certificates: [certA], pageSize: 10 })
  const pieces = dep7.run(source)[Symbol.asyncIterator]()
  await pieces.next()
  expect(source.pagesRead).toBe(0)
  await pieces.next()
  expect(source.pagesRead).toBe(1)
  await pieces.next()
  expect(source.pagesRead).toBe(2)
})

it('a container lists each certificate under its serial without leading zeros', () => {
  const container = JSON.parse(
    cryptoContainer({ aesKey: Buffer.alloc(32), certificates: [exampleDer] }),
  )
  expect(Object.keys(container.certificateOrPublicKeyMap)).toEqual([vectors.input.serialHex])
})
