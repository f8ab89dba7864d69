// What a certificate for signatures of cash registers says of itself: whom it is for, how long it
// is good, who issued it, and whether it is one for tests.
import { X509Certificate } from 'node:crypto'
import type { UnitEnvironment } from '../../../device/driver.js'
import { sha256 } from '../../../lib/hash.js'

export interface Told {
  zda: string
  der: Buffer
  /** Issuers, nearest first. */
  chain: readonly Buffer[]
}

/** Providers of closed systems and of tests. */
const TEST_PROVIDERS: ReadonlySet<string> = new Set(['AT0', 'AT9', 'AT100'])
/** The word, not a part of another. */
const TEST = /(?:^|[^a-z])test(?:[^a-z]|$)/i

export function fingerprintOf(der: Buffer): string {
  return sha256(der).toString('hex')
}

/** Whether each certificate was issued by the next; false for a leaf without issuers. */
export function isChained({ der, chain }: Told): boolean {
  const path = [der, ...chain].map((one) => new X509Certificate(one))
  return (
    chain.length > 0 &&
    path.every((one, at) => {
      const issuer = path[at + 1]
      return issuer === undefined || (one.checkIssued(issuer) && one.verify(issuer.publicKey))
    })
  )
}

interface Read {
  /** Of no certificate earlier, of none later. */
  from: number
  to: number
  isTest: boolean
  isChained: boolean
  /** Fingerprints of the issuers. */
  issuers: readonly string[]
}

/** Reading a certificate takes longer than all else of a receipt: each is read once. */
const read = new WeakMap<Told, Read>()

function readOnce(told: Told): Read {
  const known = read.get(told)
  if (known !== undefined) return known
  const path = [told.der, ...told.chain].map((one) => new X509Certificate(one))
  const names = path.flatMap(({ subject, issuer }) => [subject, issuer])
  const found = {
    from: Math.max(...path.map(({ validFrom }) => Date.parse(validFrom))),
    to: Math.min(...path.map(({ validTo }) => Date.parse(validTo))),
    isTest: TEST_PROVIDERS.has(told.zda) || names.some((one) => TEST.test(one ?? '')),
    isChained: isChained(told),
    issuers: told.chain.map(fingerprintOf),
  }
  read.set(told, found)
  return found
}

/**
 * `confirmed`: fingerprints of issuers that somebody has looked at. What says `Test` is one for
 * tests, whatever was confirmed.
 */
export function environmentOf(told: Told, confirmed: readonly string[]): UnitEnvironment {
  const { isTest, isChained: isWhole, issuers } = readOnce(told)
  if (isTest) return 'test'
  const isKnown = issuers.some((one) => confirmed.includes(one))
  return isKnown && isWhole ? 'live' : 'unknown'
}

/** The first certificate that is not good at this time; undefined: all are. */
export function outOfDate(told: Told, now: Date): X509Certificate | undefined {
  const { from, to } = readOnce(told)
  if (now.getTime() >= from && now.getTime() <= to) return undefined
  const { der, chain } = told
  return [der, ...chain]
    .map((one) => new X509Certificate(one))
    .find((one) => now < new Date(one.validFrom) || now > new Date(one.validTo))
}

/** CN of the subject, else all of it. */
export function holderOf(der: Buffer): string {
  return nameIn(new X509Certificate(der).subject)
}

export function issuerOf(der: Buffer): string {
  return nameIn(new X509Certificate(der).issuer)
}

function nameIn(lines: string): string {
  const all = lines.split('\n')
  return all.find((one) => one.startsWith('CN='))?.slice(3) ?? all.join(', ')
}
