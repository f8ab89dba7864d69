// A device that writes log messages of the German guideline for tests, right or wrong as asked, and
// shares no code with the server.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { extract, pack } from 'tar-stream'

export interface TarMember {
  name: string
  content: Buffer
  type?: 'file' | 'symlink' | 'directory'
}

export function tlv(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}

/** INTEGER of a count, in its shortest form. */
export function int(tag: number, value: number | bigint): Buffer {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
  return (bytes[0] ?? 0) >= 0x80 ? tlv(tag, Buffer.alloc(1), bytes) : tlv(tag, bytes)
}

const OIDS: Record<string, string> = {
  sha256: '04007f00070101040103',
  sha384: '04007f00070101040104',
  'sha3-256': '04007f00070101040109',
  schnorr: '04007f00070101040402',
}

export interface Plan {
  curve?: string
  hash?: string
  oid?: string
  now?: number
  /** Kind of the key that certifies the device; `self`: its own, as an authority. */
  authority?: 'ec' | 'rsa' | 'self'
  /** CN of its certificate in place of its serial number. */
  subject?: string
}

/** What a test may change in one message. */
export interface Change {
  version?: number
  /** The element logTime, and its part of the file name. */
  time?: { element: Buffer; label: string; prefix: string }
  client?: string
  /** In place of the elements of certifiedData. */
  data?: Buffer
  counter?: number
  oid?: string
  name?: (name: string) => string
}

export class TestDevice {
  readonly serialHex: string
  readonly members: TarMember[] = []
  counter = 0
  transactions = 0
  now: number
  private readonly key: KeyObject
  private readonly root: KeyObject
  private readonly hash: string
  private readonly oid: string
  private readonly spki: Buffer
  private readonly rootSpki: Buffer
  private readonly isSelfSigned: boolean
  private readonly subject: string | undefined

  constructor(plan: Plan = {}) {
    this.subject = plan.subject
    const namedCurve = plan.curve ?? 'prime256v1'
    const pair = generateKeyPairSync('ec', { namedCurve })
    const root =
      plan.authority === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    this.isSelfSigned = plan.authority === 'self'
    this.key = pair.privateKey
    this.root = root.privateKey
    this.hash = plan.hash ?? 'sha256'
    this.oid = plan.oid ?? OIDS[this.hash] ?? ''
    this.now = plan.now ?? 1_767_258_000
    this.spki = pair.publicKey.export({ type: 'spki', format: 'der' })
    this.rootSpki = root.publicKey.export({ type: 'spki', format: 'der' })
    this.serialHex = serialOf(this.spki)
  }

  get pointBase64(): string {
    return this.spki.subarray(this.spki.indexOf(Buffer.from([0x00, 0x04])) + 1).toString('base64')
  }

  get spkiBase64(): string {
    return this.spki.toString('base64')
  }

  system(operation: string, data: Buffer = Buffer.alloc(0), change: Change = {}): TarMember {
    const body = Buffer.concat([tlv(0x80, operation), tlv(0x81, data)])
    return this.message('02', body, { tail: `Log-Sys_${operation}`, change })
  }

  register(client = 'KASSE-0001'): TarMember {
    return this.system('registerClient', tlv(0x81, client))
  }

  audit(): TarMember {
    return this.message('03', Buffer.alloc(0), { tail: 'Log-Aud', change: {} })
  }

  start(change: Change = {}): number {
    this.transactions += 1
    this.step('Start', this.transactions, { change })
    return this.transactions
  }

  step(
    step: 'Start' | 'Update' | 'Finish',
    number: number,
    given: { type?: string; text?: string | Buffer; change?: Change; inPieces?: boolean } = {},
  ): TarMember {
    const { type = '', text = '', change = {}, inPieces = false } = given
    const pieces = Buffer.concat([Buffer.from('a280', 'hex'), tlv(0x04, text), Buffer.alloc(2)])
    const client = change.client ?? 'KASSE-0001'
    const data = Buffer.concat([
      tlv(0x80, `${step}Transaction`),
      tlv(0x81, client),
      inPieces ? pieces : tlv(0x82, text),
      tlv(0x83, type),
      int(0x85, number),
    ])
    const tail = `Log-Tra_No-${number}_${step}_Client-${client}`
    return this.message('01', data, { tail, change })
  }

  /** A whole sale. */
  sale(text = 'Beleg^11.90_0.00_0.00_0.00_0.00^11.90:Bar'): number {
    const number = this.start()
    this.step('Finish', number, { type: 'Kassenbeleg-V1', text })
    return number
  }

  /** info.csv, messages, certificates. */
  archive(messages: TarMember[] = this.members): TarMember[] {
    return [
      {
        name: 'info.csv',
        content: Buffer.from('"description:","test","manufacturer:","test","version:","1"\n'),
      },
      ...messages,
      ...this.certificates(),
    ]
  }

  certificates(): TarMember[] {
    if (this.isSelfSigned) {
      const [subject, by] = [this.serialHex, { key: this.key, issuer: this.serialHex }]
      const content = certificate(subject, this.spki, by)
      return [{ name: `${this.serialHex.toUpperCase()}_X509.cer`, content }]
    }
    const rootHex = serialOf(this.rootSpki)
    return [
      {
        name: `${this.serialHex.toUpperCase()}_X509.cer`,
        content: certificate(this.subject ?? this.serialHex, this.spki, {
          key: this.root,
          issuer: 'Test root',
        }),
      },
      {
        name: `${rootHex.toUpperCase()}_X509.cer`,
        content: certificate('Test root', this.rootSpki, { key: this.root, issuer: 'Test root' }),
      },
    ]
  }

  private message(
    kind: string,
    body: Buffer,
    { tail, change }: { tail: string; change: Change },
  ): TarMember {
    this.counter = change.counter ?? this.counter + 1
    const unix = { element: int(0x02, this.now), label: String(this.now), prefix: 'Unixt' }
    const time = change.time ?? unix
    const signed = Buffer.concat([
      int(0x02, change.version ?? 2),
      tlv(0x06, Buffer.from(`04007f0007030701${kind}`, 'hex')),
      change.data ?? body,
      tlv(0x04, Buffer.from(this.serialHex, 'hex')),
      tlv(0x30, tlv(0x06, Buffer.from(change.oid ?? this.oid, 'hex'))),
      ...(kind === '03' ? [tlv(0x04, 'audit')] : []),
      int(0x02, this.counter),
      time.element,
    ])
    const key = { key: this.key, dsaEncoding: 'ieee-p1363' as const }
    const content = tlv(0x30, signed, tlv(0x04, sign(this.hash, signed, key)))
    const name = `${time.prefix}_${time.label}_Sig-${this.counter}_${tail}.log`
    const member = { name: change.name?.(name) ?? name, content }
    this.members.push(member)
    return member
  }
}

/** A device that was set up and sold twice. */
export function soldTwice(plan: Plan = {}): TestDevice {
  const device = new TestDevice(plan)
  device.system('initialize', tlv(0x81, 'test'))
  device.system('updateTime', Buffer.concat([int(0x81, 1), int(0x82, 2)]))
  device.register()
  device.sale()
  device.now += 60
  device.sale()
  return device
}

function serialOf(spki: Buffer): string {
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  if (key.asymmetricKeyType === 'rsa') {
    const bits = key.export({ type: 'pkcs1', format: 'der' })
    return createHash('sha256').update(bits).digest('hex')
  }
  const point = spki.subarray(spki.indexOf(Buffer.from([0x00, 0x04])) + 1)
  return createHash('sha256').update(point).digest('hex')
}

/** X.509 v3 with no more than a chain needs. */
export function certificate(
  subject: string,
  spki: Buffer,
  by: { key: KeyObject; issuer: string },
): Buffer {
  const name = (text: string) =>
    tlv(0x30, tlv(0x31, tlv(0x30, tlv(0x06, Buffer.from('550403', 'hex')), tlv(0x0c, text))))
  const isRsa = by.key.asymmetricKeyType === 'rsa'
  const [oid, parameters] = isRsa
    ? ['2a864886f70d01010b', tlv(0x05)]
    : ['2a8648ce3d040302', Buffer.alloc(0)]
  const algorithm = tlv(0x30, tlv(0x06, Buffer.from(oid, 'hex')), parameters)
  const isRoot = subject === by.issuer
  const constraints = tlv(
    0x30,
    tlv(0x06, Buffer.from('551d13', 'hex')),
    tlv(0x01, Buffer.from([0xff])),
    tlv(0x04, isRoot ? tlv(0x30, tlv(0x01, Buffer.from([0xff]))) : tlv(0x30)),
  )
  const body = tlv(
    0x30,
    tlv(0xa0, int(0x02, 2)),
    int(0x02, isRoot ? 1 : 2),
    algorithm,
    name(by.issuer),
    tlv(0x30, tlv(0x17, '250101000000Z'), tlv(0x17, '340101000000Z')),
    name(subject),
    spki,
    tlv(0xa3, tlv(0x30, constraints)),
  )
  const signature = sign('sha256', body, by.key)
  return tlv(0x30, body, algorithm, tlv(0x03, Buffer.alloc(1), signature))
}

export async function tarOf(members: TarMember[]): Promise<Buffer> {
  const archive = pack()
  const parts: Buffer[] = []
  const done = (async () => {
    for await (const part of archive) parts.push(Buffer.from(part as Uint8Array))
  })()
  for (const { name, content, type } of members) {
    if (type === undefined || type === 'file') archive.entry({ name }, content)
    else archive.entry({ name, type, linkname: 'x' }).end(null)
  }
  archive.finalize()
  await done
  return Buffer.concat(parts)
}

/** The members of an archive, to be changed and packed again. */
export async function unpacked(bytes: Buffer): Promise<TarMember[]> {
  const archive = extract()
  const members: TarMember[] = []
  archive.end(bytes)
  for await (const entry of archive) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(Buffer.from(part as Uint8Array))
    members.push({ name: entry.header.name, content: Buffer.concat(parts) })
  }
  return members
}
