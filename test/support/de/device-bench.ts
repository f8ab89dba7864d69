// A driver of a certified device on a test bench: its row, its tools, and the proof of what the
// device has logged.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { DriverTools, ScuHead } from '../../../src/device/device.js'
import type { Driver } from '../../../src/device/driver.js'
import { createOutbound } from '../../../src/device/outbound.js'
import { createConnect } from '../../../src/device/socket.js'
import type { TransactionCall, Tse } from '../../../src/device/tse/tse.js'
import type { Watched } from '../../../src/simulator/devices/script.js'
import type { SecurityUnit } from '../../../src/simulator/devices/security-unit.js'
import { verifyTar } from '../../../src/verify/de/tar-file.js'
import { inFolder } from '../../market/de/support/openssl.js'
import { MemoryTars } from './memory-tars.js'

export const CLIENT = 'KASSE0001'
export const LIMIT = { timeoutMs: 5_000 }

export interface Bench {
  scu: ScuHead
  tools: DriverTools
}

export async function benchOf(
  driver: Driver<Tse>,
  packageName: string,
  { url, port, configuration }: { url: string | null; port: number; configuration: object },
): Promise<Bench> {
  const now = new Date()
  const made = await driver.create({
    ...{ id: 'unit', now, randomBytes: (count: number) => Buffer.alloc(count, 7) },
    configuration: driver.configuration.parse(configuration),
  })
  const scu: ScuHead = {
    accountId: 'b5f8ce4c-2dd0-4b0d-9c65-0b1f0e4f5d10',
    id: '7a0f5a52-3f54-4f13-a1ab-6cf5b3e0a001',
    ...{ market: 'DE', package: packageName, mode: 0, url },
    ...{ ...made, faultScript: null, version: 0n, changed: false, actions: [] },
  }
  const allow = [`127.0.0.1:${port}`]
  const tools: DriverTools = {
    fetch: createOutbound({ allow }),
    connect: createConnect({ allow }),
    now: () => new Date(),
    sleep: () => Promise.resolve(),
    tars: new MemoryTars(),
  }
  return { scu, tools }
}

let items = 0

export function saleOf(members: Partial<TransactionCall> = {}): TransactionCall {
  items += 1
  return {
    ...{ clientId: CLIENT, queueItemId: `item-${items}`, isRetry: false },
    processType: 'Kassenbeleg-V1',
    processData: Buffer.from('Beleg^1.19_0.00_0.00_0.00_0.00^1.19:Bar'),
    ...members,
  }
}

export const startOf = (sale: TransactionCall): TransactionCall => ({
  ...sale,
  processType: '',
  processData: Buffer.alloc(0),
})

export interface Receipt {
  number: number
  counter: number
}

/** Tries again as the queue does: with the mark that it may have been done. */
async function persistent<T>(call: TransactionCall, work: (call: TransactionCall) => Promise<T>) {
  for (let tried = 0; ; tried += 1) {
    try {
      return await work({ ...call, isRetry: tried > 0 })
    } catch (error) {
      if (tried >= 3) throw error
    }
  }
}

/** One receipt, whatever is lost on the way. */
export async function receiptOf(tse: Tse): Promise<Receipt> {
  const sale = saleOf()
  const start = await persistent(startOf(sale), (call) => tse.startTransaction(call, LIMIT))
  const { transactionNumber, moment: startMoment } = start
  const finish = await persistent(sale, (call) =>
    tse.finishTransaction({ ...call, transactionNumber, startMoment }, LIMIT),
  )
  expect(finish.startMoment).toEqual(startMoment)
  return { number: finish.transactionNumber, counter: finish.signatureCounter }
}

/** Codes that the independent verifier finds in an export of the whole device. */
export async function findingsOf(tar: Buffer): Promise<string[]> {
  const codes = new Set<string>()
  const read = async function* () {
    yield tar
  }
  await verifyTar(read, {}, ({ code }) => codes.add(code))
  return [...codes].filter((code) => code !== 'CERTIFICATE_UNTRUSTED')
}

/** Each receipt was signed once: a start and a finish each, nothing open, nothing besides. */
export function expectOnce(unit: SecurityUnit, receipts: readonly Receipt[]): void {
  expect(unit.open).toEqual([])
  const numbers = unit.entries.flatMap(({ transaction }) => transaction ?? [])
  const wanted = receipts.flatMap(({ number }) => [number, number])
  const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b)
  expect(sorted(numbers)).toEqual(sorted(wanted))
}

/** What a correct driver leaves behind. */
export function expectClean({ offences, wrongLogins }: Watched): void {
  expect(offences).toEqual([])
  expect(wrongLogins).toBe(0)
}

/** `OK` where OpenSSL verifies the certificate of the device up to its root. */
export function opensslChain([leaf, authority, root]: readonly Buffer[]): string {
  return inFolder((folder) => {
    const file = (name: string, der: Buffer | undefined) => {
      const lines = der?.toString('base64').match(/.{1,64}/g) ?? []
      const edges = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----']
      const pem = [edges[0], ...lines, edges[1], ''].join('\n')
      writeFileSync(join(folder, name), pem)
      return join(folder, name)
    }
    const names = ['-CAfile', file('root', root), '-untrusted', file('authority', authority)]
    const verdict = execFileSync('openssl', ['verify', ...names, file('leaf', leaf)])
    return verdict.toString('utf8').trim().split(': ')[1] ?? ''
  })
}
