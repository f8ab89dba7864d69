// What archives promise: every byte is there, nothing is overwritten, and faults have names.
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Archive, ArchiveError, type GivenFile } from '../../../src/device/archive/archive.js'
import { folderArchive } from '../../../src/device/archive/folder.js'
import { PART_BYTES, type S3Place, s3Archive } from '../../../src/device/archive/s3.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { KEY, openS3Store, type S3Store, signatureOf } from '../../support/s3-store.js'

const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-archive-'))
let s3: S3Store
beforeAll(async () => {
  s3 = await openS3Store('months')
})
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

let files = 0
function fileOf(bytes: Buffer): GivenFile {
  files += 1
  const path = join(folder, `given-${files}`)
  writeFileSync(path, bytes)
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const placed = (more: Partial<S3Place> = {}): S3Place => ({
  ...{ origin: s3.url, bucket: 'months', prefix: 'a b/', region: 'eu-central-1' },
  ...{ keyId: KEY.id, secret: KEY.secret, ...more },
})
const store = (more: Partial<S3Place> = {}) =>
  s3Archive(placed(more), { fetch: createOutbound({ allow: [] }), now: () => new Date() })

async function readAll(archive: Archive, name: string): Promise<Buffer | undefined> {
  const pieces = await archive.read(name)
  if (pieces === undefined) return undefined
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

const faultOf = async (work: Promise<unknown>) => {
  const [ended] = await Promise.allSettled([work])
  const error: unknown = ended.status === 'rejected' ? ended.reason : undefined
  return error instanceof ArchiveError ? `${error.reason}: ${error.message}` : error
}

describe.each(['folder', 's3'] as const)('an archive: %s', (kind) => {
  const open = () => (kind === 'folder' ? folderArchive(join(folder, 'kept')) : store())

  it.each([
    ['small', 1],
    ['one part', PART_BYTES],
    ['two parts and a bit', 2 * PART_BYTES + 7],
  ])('gives back what it was given: %s', async (name, size) => {
    const bytes = randomBytes(size)
    const archive = open()
    await archive.put(`AT/x/${name} (1)+.zip`, fileOf(bytes))
    const found = await readAll(archive, `AT/x/${name} (1)+.zip`)
    expect(found?.equals(bytes)).toBe(true)
    expect(await readAll(archive, 'AT/x/nothing.zip')).toBeUndefined()
    await archive.check()
  })

  it.each([10, PART_BYTES + 1])(
    'never overwrites, and says yes to the same again: %i',
    async (size) => {
      const archive = open()
      const first = randomBytes(size)
      const name = `AT/once-${size}.zip`
      await archive.put(name, fileOf(first))
      await archive.put(name, fileOf(randomBytes(size)))
      expect((await readAll(archive, name))?.equals(first)).toBe(true)
      expect(s3.uploads.size).toBe(0)
    },
  )
})

describe('a folder', () => {
  it('leaves no half file, and nobody may change what is kept', async () => {
    const root = join(folder, 'whole')
    const archive = folderArchive(root)
    await archive.put('AT/one.zip', fileOf(Buffer.from('one')))
    const missing = { path: join(folder, 'nothing'), bytes: 1, sha256: '' }
    expect(await faultOf(archive.put('AT/two.zip', missing))).toContain('ENOENT')
    expect(readdirSync(join(root, 'AT'))).toEqual(['one.zip'])
    expect(statSync(join(root, 'AT/one.zip')).mode & 0o222).toBe(0)
    expect(readFileSync(join(root, 'AT/one.zip'), 'utf8')).toBe('one')
  })

  it('that is a file says so', async () => {
    const path = join(folder, 'a-file')
    writeFileSync(path, '')
    chmodSync(path, 0o400)
    const archive = folderArchive(path)
    expect(await faultOf(archive.check())).toMatch(/^refused: the folder says E/)
    expect(await faultOf(archive.put('x.zip', fileOf(Buffer.from('1'))))).toMatch(/^refused/)
  })
})

describe('S3', () => {
  // AWS, "Signature Calculations for the Authorization Header", GET Object
  it('the store of these tests signs as the published example', () => {
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    }
    const authorization =
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=' +
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
    const asked = { method: 'GET', path: '/test.txt', query: '' }
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
    expect(signatureOf({ ...asked, headers: { ...headers, authorization } }, secret)).toBe(
      authorization.slice(-64),
    )
  })

  it('keeps under a lock, small and large', async () => {
    const archive = store({ lock: { mode: 'COMPLIANCE', years: 7 } })
    for (const [name, size] of [
      ['locked', 3],
      ['locked-large', PART_BYTES + 3],
    ] as const) {
      await archive.put(name, fileOf(randomBytes(size)))
      const kept = s3.objects.get(`a b/${name}`)
      expect(kept?.lock?.mode).toBe('COMPLIANCE')
      const years = new Date(kept?.lock?.until ?? 0).getUTCFullYear() - new Date().getUTCFullYear()
      expect(years).toBe(7)
    }
  })

  it.each([
    ['a wrong secret', { secret: 'x' }, 'refused: the store answers 403 SignatureDoesNotMatch'],
    ['an unknown key', { keyId: 'x' }, 'refused: the store answers 403 InvalidAccessKeyId'],
    ['no such bucket', { bucket: 'x' }, 'refused: the store answers 404 NoSuchBucket'],
    [
      'nobody there',
      { origin: 'http://127.0.0.1:9' },
      'away: the store does not answer (ECONNREFUSED)',
    ],
  ])('%s is named, without the key', async (_, more, told) => {
    const archive = store(more)
    expect(await faultOf(archive.check())).toBe(told)
    expect(await faultOf(archive.put('x', fileOf(Buffer.from('1'))))).toBe(told)
    expect(archive.place).not.toContain(KEY.secret)
  })

  it.each([1, PART_BYTES + 1])(
    'a store that is busy or breaks off leaves nothing: %i',
    async (size) => {
      const name = `broken-${size}`
      const file = fileOf(randomBytes(size))
      for (const break_ of ['busy', 'cut'] as const) {
        s3.misbehave = (request, response) => {
          if (request.method !== 'PUT') return false
          if (break_ === 'busy') response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
          else request.socket.destroy()
          return true
        }
        const told =
          break_ === 'busy' ? 'away: the store answers 503 SlowDown' : 'away: the store does not'
        expect(await faultOf(store().put(name, file))).toContain(told)
        s3.misbehave = undefined
        expect([s3.objects.has(`a b/${name}`), s3.uploads.size]).toEqual([false, 0])
      }
      await store().put(name, file)
      expect(s3.objects.get(`a b/${name}`)?.bytes.length).toBe(size)
    },
  )

  it('an error behind a 200 is an error', async () => {
    s3.misbehave = (request, response) => {
      if (request.method !== 'POST' || !request.url?.includes('uploadId')) return false
      response.writeHead(200).end('<Error><Code>InternalError</Code></Error>')
      return true
    }
    const file = fileOf(randomBytes(PART_BYTES + 1))
    expect(await faultOf(store().put('late', file))).toBe(
      'refused: the store answers 200 InternalError',
    )
    s3.misbehave = undefined
    expect(s3.uploads.size).toBe(0)
  })
})
