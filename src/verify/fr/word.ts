// Case words of both versions, as far as the verifier needs them.
import { amountOf } from './amount.js'

export interface ReceiptWord {
  /** Of version 0; -1: unknown. */
  code: number
  isVersion2: boolean
  isTraining: boolean
  /** Entered late. */
  isLate: boolean
}

/** Receipt cases of version 2 and those of version 0; 0002 is a payment in every form. */
const VERSION2: Readonly<Record<number, number>> = {
  ...{ 0: 0x00, 1: 0x01, 2: 0x0c, 3: 0x0e, 4: 0x01 },
  ...{ 5: 0x09, 6: 0x08, 7: 0x08 },
  ...{ 4096: 0x03, 4097: 0x03, 4098: 0x03, 4099: 0x03 },
  ...{ 8192: 0x0f, 8193: 0x0f, 8208: 0x04, 8209: 0x05, 8210: 0x06, 8211: 0x07 },
  ...{ 12288: 0x14, 12289: 0x12, 12290: 0x13, 12291: 0x0d, 12292: 0x08, 12293: 0x02 },
  ...{ 12304: 0x16, 12305: 0x15, 16385: 0x10, 16386: 0x11 },
  ...{ 16401: 0x0f, 16402: 0x0f, 16417: 0x0f, 16418: 0x0f },
}
const LATE = 0x1n
const TRAINING = 0x2n
const ABROAD = 0x80n
const FOREIGN_SALE = 0x0e
const LAST_SALE = 0x03
const CLOSINGS = 0x2
const LIFE = 0x4
const CATEGORY_BITS = 12

/** `text`: decimal, signed or not. */
export function readWord(text: string): ReceiptWord {
  const word = /^-?\d{1,20}$/.test(text) ? BigInt.asUintN(64, BigInt(text)) : 0xffffn
  const isVersion2 = ((word >> 44n) & 0xfn) === 2n
  const flags = (word >> 16n) & 0xffffn
  const own = Number(word & 0xffffn)
  if (!isVersion2) {
    const isTraining = (flags & TRAINING) !== 0n
    return { code: own, isVersion2, isTraining, isLate: (flags & LATE) !== 0n }
  }
  const category = own >> CATEGORY_BITS
  const isFlagged = category !== CLOSINGS && category !== LIFE
  const isAbroad = own <= LAST_SALE && (flags & ABROAD) !== 0n
  return {
    code: isAbroad ? FOREIGN_SALE : (VERSION2[own] ?? -1),
    isVersion2,
    isTraining: isFlagged && (flags & TRAINING) !== 0n,
    isLate: category < CLOSINGS && (flags & LATE) !== 0n,
  }
}

// ------------------------------------------------------------------------------------------ items

const RATES = ['ci-r1', 'ci-r2', 'ci-n', 'ci-rs', 'ci-z'] as const
const BY_RATE: ReadonlySet<number> = new Set([0x00, 0x06, 0x07, 0x21])
const GROUPS = [0x01, 0x08, 0x0d, 0x12, 0x17, 0x1c]

const KNOWN_RATES = ['5.5', '10', '20', 'any other', '0'].map(amountOf)

/** Bucket of a charge item of version 0. */
export function chargeBucket(code: number, rate: bigint) {
  if (BY_RATE.has(code)) return RATES[KNOWN_RATES.indexOf(rate)] ?? 'ci-rs'
  const start = GROUPS.find((first) => code >= first && code < first + RATES.length)
  return start === undefined ? 'ci-u' : (RATES[code - start] ?? 'ci-u')
}

const CASH: ReadonlySet<number> = new Set([0x00, 0x01, 0x02, 0x03, 0x05, 0x06, 0x0a, 0x12])
const NONCASH: ReadonlySet<number> = new Set([0x04, 0x07, 0x08, 0x09, 0x0c, 0x0d])
const INTERNAL: ReadonlySet<number> = new Set([0x0b, 0x0e, 0x0f, 0x10, 0x11])

export function payBucket(code: number) {
  if (CASH.has(code)) return 'pi-c'
  if (NONCASH.has(code)) return 'pi-n'
  return INTERNAL.has(code) ? 'pi-i' : 'pi-u'
}
