// Two archives and the journals of a French register of a real server, and a forger with a key and
// a certificate of his own.
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyFile } from '../../../src/core/audit/verify/file.js'
import { makeCertificate } from '../../../src/simulator/certificate.js'
import { wording } from '../../../src/verify/fr/rules.js'
import { openShop } from '../shop.js'
import { hashAnew, type Parts, payloadOf, putTogether, signAnew, takeApart } from './forger.js'
import { FAILED, Register, sale, TRAINING, VOID } from './register.js'

const ARCHIVE = '0x4652000000010010'
const SANDBOX_SIRET = '98765432100012'

export interface Forger {
  key: KeyObject
  certificate: Buffer
}

export interface Archives {
  first: Buffer
  second: Buffer
  /** By their types. */
  journals: Readonly<Record<string, Buffer>>
  /** Has the SIRET and the serial number of the register's own certificate. */
  forger: Forger
  /** Certificates of the register, Base64. */
  certificates: string[]
  register: Register
  archive(): Promise<Buffer>
  close(): Promise<void>
}

async function day(register: Register): Promise<void> {
  const sign = register.sign.bind(register)
  await sign(sale('13.10', { reference: 'one' }))
  await sign({
    ...{ kind: 0x01, pays: [[0x04, '18.80']], reference: 'two' },
    charges: [
      [0x03, '7.50'],
      [0x02, '11.30', '10'],
    ],
  })
  await sign({ kind: 0x03, charges: [[0x01, '78.70', '5.5']], pays: [[0x01, '78.70']] })
  await sign(sale('-13.10', { flags: VOID, previous: 'one' }))
  await sign({ kind: 0x16, previous: 'two' })
  await sign({ kind: 0x16, previous: 'two' })
  await sign(sale('5', { flags: TRAINING }))
  await sign(sale('4.20', { flags: FAILED }))
  await sign({ kind: 0x0f })
  await sign({ kind: 0x08, charges: [[0x03, '20']], pays: [[0x11, '20']] })
  await sign({ kind: 0x09, charges: [[0x03, '9']], pays: [[0x11, '9']] })
  for (const kind of [0x04, 0x05, 0x06, 0x07]) await sign({ kind })
  await sign(sale('3'))
}

export async function openArchives(): Promise<Archives> {
  const shop = await openShop({}, undefined, { countries: ['AT', 'FR'] })
  const register = new Register(shop.url, shop.demo.cashBoxes)
  const archive = async () => {
    const { ftQueueRow } = await register.sign({ kind: 0x15 })
    return register.journal(ARCHIVE, ftQueueRow)
  }
  await day(register)
  const first = await archive()
  await register.sign(sale('6'))
  await register.sign({ kind: 0x16, previous: 'two' })
  await register.sign({ kind: 0x05 })
  const second = await archive()
  const journals: Record<string, Buffer> = {}
  for (const type of ['4652', '4652000000000001', '4652000000000004', '4652000000000008']) {
    journals[type] = await register.journal(`0x${type}`)
  }
  const { files } = await takeApart(first)
  const own = [...files].filter(([name]) => name.endsWith('.cer'))
  return {
    ...{ first, second, journals, register, archive },
    forger: await forgerOf(first, {}),
    certificates: own.map(([, der]) => der.toString('base64')),
    close: () => shop.close(),
  }
}

/** A certificate of the same serial number, by somebody else. */
export async function forgerOf(
  archive: Buffer,
  { commonName = SANDBOX_SIRET, now = new Date('2026-01-01T00:00:00Z') },
): Promise<Forger> {
  const { csn } = JSON.parse(payloadOf((await takeApart(archive)).token)) as { csn: string }
  const made = await makeCertificate({
    ...{ organization: 'Faussaire', serialHex: csn.toLowerCase() },
    ...{ commonName, now },
  })
  return {
    key: createPrivateKey({ key: made.privateKeyPkcs8, format: 'der', type: 'pkcs8' }),
    certificate: made.der,
  }
}

/** Everything is signed and hashed by the forger. */
export function forge(parts: Parts, { key, certificate }: Forger): void {
  for (const [name] of parts.files) if (name.endsWith('.cer')) parts.files.set(name, certificate)
  signAnew(parts, key)
  hashAnew(parts)
}

export async function forged(archive: Buffer, forger: Forger): Promise<Buffer> {
  const parts = await takeApart(archive)
  forge(parts, forger)
  return putTogether(parts)
}

/** What `fiskalwerk verify` says of these bytes. */
export async function judge(bytes: Buffer, certificates?: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fiskalwerk-fr-'))
  try {
    const file = join(folder, randomBytes(6).toString('hex'))
    writeFileSync(file, bytes)
    const given = certificates === undefined ? {} : { certificates }
    const { ok, findings, notices, kind } = await verifyFile(file, given)
    const untold = [...findings, ...notices].filter(({ text }) => !hasWords(text))
    if (untold.length > 0) throw new Error(`no words for: ${JSON.stringify(untold)}`)
    return { ok, kind, codes: [...new Set(findings.map(({ code }) => code))], notices, findings }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const ENGLISH = /\b(expected|found|the|none|of|with|and|another|before|after|its|is|not|has|no)\b/

/** In both languages, and no English word is left; names and reasons of a library are in quotes. */
function hasWords(text: string): boolean {
  return [wording.fr(text), wording.de(text)].every(
    (one) => one !== undefined && !ENGLISH.test(one.replace(/"(?:\\.|[^"\\])*"/g, '')),
  )
}
