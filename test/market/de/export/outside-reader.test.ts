// Exports of devices with an eventful life, as a reader of TSE archives that knows only the
// guideline (BSI TR-03151 1.0.1, chapter 2 and 5.1) takes them apart: nothing may surprise it.

import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROFILES } from '../../../../src/device/tse/profile.js'
import { TSE_STATES } from '../../../../src/device/tse/tse.js'
import { archivedTar, memoryTar } from '../../../../src/market/de/export/tar.js'
import { type LogMessage, readTar, serialOf, tarMembers } from '../../../support/de/tse-log.js'
import { inFolder, opensslVerdict, run } from '../support/openssl.js'
import { archiveRow, bytesOf, logRow, tarSource } from '../support/tar-source.js'
import { CLIENT, FIRST_SECOND, LIMIT, TseStand } from '../support/tse-stand.js'
import { PROFILE_NAMES } from '../support/vectors.js'

type ProfileName = (typeof PROFILE_NAMES)[number]

/** The longest that is allowed, and one that looks like other parts of a file name. */
const CLIENTS = [CLIENT, 'A-b-C-1234567890-abcdefghij-XY', 'No-1-Start-Client']
/** Around every step of a DER length. */
const DATA_BYTES = [0, 1, 60, 127, 128, 255, 256, 5_000, 65_535, 65_536]
/** Above 127 and 255, a number gets a further octet. */
const TRANSACTIONS = 140
const HOUR_MS = 3_600_000

async function business(stand: TseStand): Promise<void> {
  for (let at = 0; at < TRANSACTIONS; at += 1) {
    const clientId = CLIENTS[at % CLIENTS.length] ?? CLIENT
    const { transactionNumber } = await stand.start({ clientId })
    if (at % 5 === 0) await stand.update(transactionNumber, { clientId })
    const processData = Buffer.alloc(DATA_BYTES[at % DATA_BYTES.length] ?? 0, 'Käse€')
    const processType = 'SonstigerVorgang'
    await stand.finish(transactionNumber, { clientId, processType, processData })
    if (at % 3 === 0) stand.time += 700
  }
}

async function clockTrouble(stand: TseStand): Promise<void> {
  for (const shift of [-HOUR_MS, 2 * HOUR_MS]) {
    stand.time += shift
    await stand.transaction()
    await stand.tse.setTime(LIMIT)
  }
  for (const ms of [24 * HOUR_MS, -24 * HOUR_MS]) {
    stand.script({ do: 'wrong-clock', ms, calls: 3 })
    await stand.transaction()
    await stand.tse.setTime(LIMIT)
    await stand.transaction()
  }
}

async function lostAndRefused(stand: TseStand): Promise<void> {
  stand.script({ do: 'error-after', calls: 1 })
  await expect(stand.start({ queueItemId: 'lost' })).rejects.toThrow()
  const { transactionNumber } = await stand.start({ queueItemId: 'lost', isRetry: true })
  stand.script({ do: 'garbage', calls: 1 })
  await expect(stand.finish(transactionNumber, { queueItemId: 'gone' })).rejects.toThrow()
  await stand.finish(transactionNumber, { queueItemId: 'gone', isRetry: true })
  await expect(stand.finish(transactionNumber)).rejects.toThrow()
  await expect(stand.start({ clientId: 'NOBODY' })).rejects.toThrow()
  stand.logged()
  stand.configure({ adminPin: 'not-the-one' })
  for (let tried = 0; tried < 4; tried += 1) {
    await expect(stand.tse.registerClient('LOCKED', LIMIT)).rejects.toThrow()
  }
  stand.configure({ adminPin: undefined })
  await stand.tse.unregisterClient(CLIENT, LIMIT)
  await stand.tse.registerClient(CLIENT, LIMIT)
}

interface Life {
  /** While a transaction is open. */
  memory: Buffer
  /** Two archives, the second from the counter after the first on. */
  archives: Buffer[]
  /** All of it, after the end of the device. */
  whole: Buffer
}

async function lifeOf(profile: ProfileName): Promise<Life> {
  const stand = await TseStand.working({ profile })
  for (const client of CLIENTS.slice(1)) await stand.tse.registerClient(client, LIMIT)
  await business(stand)
  await clockTrouble(stand)
  const { transactionNumber } = await stand.start()
  const memory = await memoryOf(stand)
  await stand.finish(transactionNumber)
  stand.logged()
  const firstEnd = stand.log.length
  await stand.tse.exportMemory(true, LIMIT)
  await lostAndRefused(stand)
  for (const client of CLIENTS) await stand.tse.unregisterClient(client, LIMIT)
  await stand.tse.setState(TSE_STATES.terminated, LIMIT)
  await expect(stand.start()).rejects.toThrow()
  stand.logged()
  const end = stand.log.length
  return {
    memory,
    archives: [await archiveOf(stand, 1, firstEnd), await archiveOf(stand, firstEnd + 1, end)],
    whole: await archiveOf(stand, 1, end),
  }
}

function sourceOf(stand: TseStand, archives: Parameters<typeof archiveRow>[1][]) {
  stand.logged()
  const { certificate } = stand.tse.identity()
  const { fingerprint } = certificate
  const { id } = stand.scu
  const rows = Array.from({ length: Math.ceil(stand.log.length / 20) }, (_, at) =>
    logRow({ scuId: id, fingerprint, messages: stand.log.slice(at * 20, at * 20 + 20) }),
  )
  return tarSource({
    rows: [...rows, ...archives.map((archive) => archiveRow(id, archive))],
    certificates: [certificate],
    units: [stand.exportUnit()],
    // a range that begins later leaves out what the first archive has
    range: { from: BigInt(archives[0]?.from === 1 ? 0 : 1), to: 0n },
  })
}

const memoryOf = (stand: TseStand) => bytesOf(memoryTar.run(sourceOf(stand, [])))

function archiveOf(stand: TseStand, from: number, to: number): Promise<Buffer> {
  const moment = Date.parse('2026-01-03T00:00:00Z')
  const archive = { fileName: 'x', moment, from, to, without: [], erased: true }
  return bytesOf(archivedTar.run(sourceOf(stand, [archive])))
}

// ------------------------------------------------------------------------ the reader

interface Tlv {
  tag: number
  content: Buffer
}

/** DER elements in a row. Throws unless every length is definite and as short as it can be. */
function elements(bytes: Buffer): Tlv[] {
  const found: Tlv[] = []
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2)
    const octets = first < 0x80 ? 0 : first - 0x80
    const length = octets === 0 ? first : bytes.readUIntBE(at + 2, octets)
    const isShortest = octets === 0 || length >= Math.max(0x80, 2 ** (8 * (octets - 1)))
    const start = at + 2 + octets
    if (first === 0x80 || !isShortest || start + length > bytes.length) throw new Error('length')
    found.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}

/** INTEGER without a spare octet, never negative. */
function count(tlv: Tlv | undefined): number {
  const octets = tlv?.content ?? Buffer.of()
  const [first = 0x80, second = 0x80] = octets
  if (first >= 0x80 || (first === 0 && octets.length > 1 && second < 0x80)) throw new Error('int')
  return Number.parseInt(octets.toString('hex'), 16)
}

const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/

function printable(tlv: Tlv | undefined): string {
  const value = tlv?.content.toString('latin1') ?? '\0'
  if (!PRINTABLE.test(value)) throw new Error(`${value} is no PrintableString`)
  return value
}

const tags = (row: readonly Tlv[]) => row.map(({ tag }) => tag.toString(16)).join(' ')
const TRANSACTION_TAGS = '2 6 80 81 82 83 85 4 30 2 2 4'
const SYSTEM_TAGS = '2 6 80 81 4 30 2 2 4'

/** The file name that the message itself asks for. */
function nameOf(der: Buffer): string {
  const [outer, ...behind] = elements(der)
  expect([outer?.tag, behind]).toEqual([0x30, []])
  const all = elements(outer?.content ?? Buffer.of())
  const [, , operation, second] = all
  const number = all.find(({ tag }) => tag === 0x85)
  expect(tags(all)).toBe(number === undefined ? SYSTEM_TAGS : TRANSACTION_TAGS)
  expect(count(all[0])).toBe(2)
  const start = `Unixt_${count(all.at(-2))}_Sig-${count(all.at(-3))}_Log-`
  if (number === undefined) return `${start}Sys_${printable(operation)}.log`
  const step = printable(operation).replace(/Transaction$/, '')
  printable(all[5])
  return `${start}Tra_No-${count(number)}_${step}_Client-${printable(second)}.log`
}

/** What systemOperationData holds, each operation with its own elements and no other. */
function systemData(der: Buffer): [operation: string, ...values: (string | number)[]] {
  const [outer] = elements(der)
  const [, , operation, data] = elements(outer?.content ?? Buffer.of())
  const name = printable(operation)
  const inside = elements(data?.content ?? Buffer.of())
  const isTimed = name === 'updateTime' || name === 'disableSecureElement'
  expect(tags(inside)).toBe(name === 'updateTime' ? '81 82' : '81')
  return [name, ...inside.map((tlv) => (isTimed ? count(tlv) : printable(tlv)))]
}

const logsOf = (tar: Buffer) => [...tarMembers(tar)].filter(({ name }) => name.endsWith('.log'))
const contentOf = ({ content }: { content: Buffer }) => content
const isSystem = ({ name }: { name: string }) => name.includes('_Log-Sys_')

/** Follows numbers and times over one or several exports of one device. */
function faultsOf(messages: readonly LogMessage[]): string[] {
  const open = new Set<number>()
  let [counter, number, time] = [0, 0, 0]
  return messages.flatMap((one) => {
    const faults: string[] = []
    if (one.counter !== counter + 1) faults.push(`counter ${one.counter} after ${counter}`)
    if (one.time < time) faults.push(`time of ${one.counter}`)
    counter = one.counter
    time = one.time
    if (one.operation === 'StartTransaction') {
      if (one.transaction !== number + 1) faults.push(`start of ${one.transaction}`)
      number = one.transaction
      open.add(number)
    } else if (one.operation.endsWith('Transaction') && !open.has(one.transaction)) {
      faults.push(`${one.operation} of ${one.transaction}`)
    }
    if (one.operation === 'FinishTransaction') open.delete(one.transaction)
    return faults
  })
}

describe.each(PROFILE_NAMES)('the exports of a %s device with an eventful life', (profile) => {
  const life = lifeOf(profile)
  const all = async () => {
    const { memory, archives, whole } = await life
    return [memory, ...archives, whole]
  }

  it('name each message by what stands in it, in the shortest DER', async () => {
    for (const tar of await all()) {
      const logs = logsOf(tar)
      expect(logs.map(({ name }) => name)).toEqual(logs.map(({ content }) => nameOf(content)))
      expect(Math.max(...logs.map(({ name }) => name.length))).toBeLessThanOrEqual(100)
    }
  })

  it('are verified message by message with the key of the leaf, as the OID says', async () => {
    const { signatureBytes, oid } = PROFILES[profile]
    for (const tar of await all()) {
      const messages = readTar(tar)
      const sizes = messages.map(({ signature }) => Buffer.from(signature, 'base64').length)
      expect(new Set(sizes)).toEqual(new Set([signatureBytes]))
      expect(messages.every(({ der }) => der.includes(oid))).toBe(true)
      expect(new Set(messages.map(({ serial }) => serial)).size).toBe(1)
    }
  })

  it('rise by one in counter and transaction, and never go back in time', async () => {
    const { memory, archives, whole } = await life
    expect(faultsOf(readTar(memory))).toEqual([])
    expect(faultsOf(readTar(whole))).toEqual([])
    expect(faultsOf(archives.flatMap(readTar))).toEqual([])
    const bytes = (tars: Buffer[]) => Buffer.concat(tars.flatMap(logsOf).map(contentOf))
    expect(bytes(archives).equals(bytes([whole]))).toBe(true)
    expect(readTar(whole).filter(({ transaction }) => transaction > 127).length).toBeGreaterThan(20)
  })

  it('tell in system logs what happened, and nothing of what was refused', async () => {
    const { whole } = await life
    const told = logsOf(whole)
      .filter(isSystem)
      .map(({ content }) => systemData(content))
    const others = told.filter(([operation]) => operation !== 'updateTime')
    const left = CLIENTS.map((client) => ['deregisterClient', client])
    const ended = readTar(whole).at(-1)
    expect(others).toEqual([
      ['initialize', 'TSE emulator'],
      ...CLIENTS.map((client) => ['registerClient', client]),
      ['deregisterClient', CLIENT],
      ['registerClient', CLIENT],
      ...left,
      ['disableSecureElement', ended?.time],
    ])
    expect(ended?.operation).toBe('disableSecureElement')
  })

  it('log a change of the time at the later of its two times', async () => {
    const { whole } = await life
    const changes = readTar(whole).filter(({ operation }) => operation === 'updateTime')
    expect(changes.length).toBe(5)
    for (const { der, time } of changes) {
      const [, before = 0, after = 0] = systemData(der)
      expect(after).toBe(time)
      expect(Number(before)).toBeGreaterThanOrEqual(FIRST_SECOND)
      expect(Number(before)).toBeLessThanOrEqual(Number(after))
    }
  })

  it('hold info.csv with three quoted values, and one device with its chain', async () => {
    for (const tar of await all()) {
      const members = [...tarMembers(tar)]
      expect(members[0]?.name).toBe('info.csv')
      expect(members[0]?.content.toString('utf8')).toMatch(
        /^"description:","[^",]+","manufacturer:","[^",]+","version:","[^",]+"\n$/,
      )
      const rest = members.slice(1).filter(({ name }) => !name.endsWith('.log'))
      const [leaf, root] = rest.map(({ content }) => new X509Certificate(content))
      if (leaf === undefined || root === undefined) throw new Error('two certificates')
      const stems = [leaf, root].map((one) => serialOf(one).toUpperCase())
      expect(rest.map(({ name }) => name)).toEqual(stems.map((stem) => `${stem}_X509.cer`))
      expect(leaf.subject).toMatch(new RegExp(`^CN=${stems[0]}$`, 'im'))
      expect([leaf.ca, root.ca]).toEqual([false, true])
    }
  })

  it('pass OpenSSL: the chain to the root inside, and one message of each operation', async () => {
    const { whole } = await life
    const [leaf = Buffer.of(), root = Buffer.of()] = [...tarMembers(whole)]
      .filter(({ name }) => name.endsWith('_X509.cer'))
      .map(({ content }) => content)
    const pem = (der: Buffer) => new X509Certificate(der).toString()
    const chain = inFolder((folder) => {
      const path = (name: string) => join(folder, name)
      writeFileSync(path('leaf'), pem(leaf))
      writeFileSync(path('root'), pem(root))
      const moment = ['-attime', String(FIRST_SECOND)]
      return run('openssl', [
        ...['verify', '-x509_strict', '-check_ss_sig', ...moment],
        ...['-CAfile', path('root'), path('root'), path('leaf')],
      ])
    })
    expect(chain.match(/: OK$/gm)?.length).toBe(2)
    const { hash, signatureBytes } = PROFILES[profile]
    const newest = new Map(readTar(whole).map(({ operation, der }) => [operation, der]))
    expect(newest.size).toBe(8)
    for (const der of newest.values()) {
      expect(opensslVerdict({ der, certificate: leaf, hash, signatureBytes })).toBe('Verified OK')
    }
  })
})
