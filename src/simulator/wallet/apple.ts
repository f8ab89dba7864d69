// What a phone does with a pass of Apple Wallet before it shows it: every file is in the manifest,
// the manifest is signed by the certificate of the pass type, and that by who may issue such ones.
import { createHash, createVerify, X509Certificate } from 'node:crypto'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

export interface OpenedPass {
  /** pass.json */
  document: Record<string, unknown>
  /** Names of all files. */
  files: string[]
}

/** Throws an error that says what is wrong. `trusted`: the intermediate certificate, in PEM. */
export async function openPass(bytes: Buffer, trusted: string): Promise<OpenedPass> {
  const files = await unpacked(bytes)
  const manifest = fileOf(files, 'manifest.json')
  const signature = fileOf(files, 'signature')
  checkManifest(files, JSON.parse(manifest.toString()) as Record<string, string>)
  const signer = await signerOf(signature, manifest)
  const issuer = new X509Certificate(trusted)
  must(signer.checkIssued(issuer) && signer.verify(issuer.publicKey), 'the signer is unknown')
  const document = JSON.parse(fileOf(files, 'pass.json').toString()) as Record<string, unknown>
  const subject = new Set(signer.subject.split('\n'))
  must(subject.has(`UID=${document.passTypeIdentifier}`), 'the pass type is not the signer’s')
  must(subject.has(`OU=${document.teamIdentifier}`), 'the team is not the signer’s')
  const needed = ['formatVersion', 'serialNumber', 'organizationName', 'description']
  for (const name of needed) must(document[name] !== undefined, `${name} is missing`)
  must(files.has('icon.png'), 'icon.png is missing')
  return { document, files: [...files.keys()] }
}

function must(good: boolean, otherwise: string): void {
  if (!good) throw new Error(`the pass cannot be shown: ${otherwise}`)
}

function fileOf(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
  const found = files.get(name)
  if (found === undefined) throw new Error(`the pass cannot be shown: ${name} is missing`)
  return found
}

/** Each file but the manifest and its signature, with its SHA-1, and no other. */
function checkManifest(files: ReadonlyMap<string, Buffer>, manifest: Record<string, string>): void {
  const own = new Set(['manifest.json', 'signature'])
  const packed = [...files].filter(([name]) => !own.has(name))
  must(packed.length === Object.keys(manifest).length, 'the manifest names other files')
  for (const [name, content] of packed) {
    const hash = createHash('sha1').update(content).digest('hex')
    must(manifest[name] === hash, `${name} is not the one of the manifest`)
  }
}

const DIGEST_OID = '1.2.840.113549.1.9.4'
const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
}

/** The certificate that has signed (RFC 5652, 5.4: the attributes, with the digest in them). */
async function signerOf(signature: Buffer, manifest: Buffer): Promise<X509Certificate> {
  const { AsnConvert, OctetString } = await import('@peculiar/asn1-schema')
  const { ContentInfo, SignedData } = await import('@peculiar/asn1-cms')
  const { content } = AsnConvert.parse(signature, ContentInfo)
  const signed = AsnConvert.parse(content, SignedData)
  const [info] = signed.signerInfos
  const hash = HASHES[info?.digestAlgorithm.algorithm ?? '']
  if (info?.signedAttrs === undefined || hash === undefined) {
    throw new Error('the pass cannot be shown: its signature has no signer')
  }
  const digest = info.signedAttrs.find(({ attrType }) => attrType === DIGEST_OID)?.attrValues[0]
  const told = digest === undefined ? '' : hex(AsnConvert.parse(digest, OctetString).buffer)
  must(told === createHash(hash).update(manifest).digest('hex'), 'the manifest was changed')
  const attributes = setOf(info.signedAttrs.map((one) => Buffer.from(AsnConvert.serialize(one))))
  for (const { certificate } of signed.certificates ?? []) {
    if (certificate === undefined) continue
    const found = new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))
    const given = Buffer.from(info.signature.buffer)
    if (createVerify(hash).update(attributes).verify(found.publicKey, given)) return found
  }
  throw new Error('the pass cannot be shown: nobody has signed it')
}

/** Signed is the SET, stored is [0]: the same but for its first byte. */
function setOf(parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([SET_TAG, ...size]), content])
}

const SET_TAG = 0x31
const hex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString('hex')

function unpacked(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((done, failed) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null || zip === undefined) failed(error)
      else readAll(zip).then(done, failed)
    })
  })
}

function readAll(zip: ZipFile): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  return new Promise((done, failed) => {
    zip.on('end', () => done(files))
    zip.on('error', failed)
    zip.on('entry', (entry: Entry) => {
      contentOf(zip, entry).then((content) => {
        files.set(entry.fileName, content)
        zip.readEntry()
      }, failed)
    })
    zip.readEntry()
  })
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  return new Promise((done, failed) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null || stream === undefined) return failed(error)
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => done(Buffer.concat(pieces)))
      stream.on('error', failed)
    })
  })
}
