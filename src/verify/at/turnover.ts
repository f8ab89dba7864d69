// The turnover counter (RKSV § 9 (2), Annex): decrypts it and compares it with the printed sums.
import { fail } from '../../errors.js'
import { isBase64 } from './fields.js'
import { OneBlockCounterMode } from './primitives.js'
import type { Reading } from './reading.js'
import { quote } from './reporter.js'

export interface CounterFault {
  code: 'COUNTER_WRONG' | 'TRAINING_COUNTED' | 'VOID_UNCOUNTED'
  /** The receipt at fault: an earlier one when it alone explains the difference. */
  at: Reading
  text: string
}

/**
 * A receipt that shows no counter, and what the next counter is off by when it was counted
 * wrongly.
 */
interface Silent {
  reading: Reading
  by: bigint
}

/** So many receipts without counter in a row are remembered. */
const SILENT = 16

export class TurnoverCheck {
  private readonly cipher: OneBlockCounterMode
  /**
   * What the counter may stand at before the next receipt: two values after a fault, none when
   * unknown.
   */
  private sums: bigint[] = [0n]
  /** Since the last readable counter. */
  private silent: Silent[] = []
  private right = 0
  private wrong = 0

  /** `key`: base64 of 32 bytes. Throws FiscalError FIELD_INVALID. */
  constructor(key: string) {
    const bytes = Buffer.from(key, 'base64')
    if (bytes.length !== 32 || !isBase64(key, bytes)) {
      throw fail('FIELD_INVALID', { field: 'key', expected: 'an AES key of 32 bytes in base64' })
    }
    this.cipher = new OneBlockCounterMode(bytes)
  }

  /**
   * Takes the next receipt of the chain; `digest` is SHA-256 of Kassen-ID and Belegnummer. After a
   * fault both the expected and the found value are good for the next receipt, so that one fault
   * is told once.
   */
  follow(reading: Reading, digest: Buffer): CounterFault | undefined {
    const { total, turnover } = reading
    if (total === undefined) this.forget()
    else if (turnover !== 'training') this.sums = this.sums.map((sum) => sum + total)
    if (!Buffer.isBuffer(turnover)) {
      const by = turnover === 'training' ? (total ?? 0n) : -(total ?? 0n)
      if (by !== 0n && this.silent.length < SILENT) this.silent.push({ reading, by })
      return undefined
    }
    const found = this.decrypt(turnover, digest)
    const expected = this.sums[0]
    const right = expected === undefined || this.sums.includes(found)
    const fault = right ? undefined : this.fault(reading, expected, found)
    this.sums = fault === undefined ? [found] : [expected ?? found, found]
    this.silent = []
    if (fault !== undefined) this.wrong += 1
    else if (expected !== undefined) this.right += 1
    return fault
  }

  private fault(reading: Reading, expected: bigint, found: bigint): CounterFault {
    const culprit = this.silent.find((silent) => silent.by === found - expected)
    if (culprit === undefined) {
      const text = `expected a counter of ${euro(expected)}, found ${euro(found)}`
      return { code: 'COUNTER_WRONG', at: reading, text }
    }
    const at = culprit.reading
    const number = quote(reading.number)
    const text = `the counter, found ${euro(found)} instead of ${euro(expected)} at`
    return at.turnover === 'training'
      ? { code: 'TRAINING_COUNTED', at, text: `expected no change of ${text} ${number}` }
      : { code: 'VOID_UNCOUNTED', at, text: `expected a change of ${text} ${number}` }
  }

  /** How far the counter of a receipt is from the sum before it, when both are known: '12,00'. */
  gap(reading: Reading, digest: Buffer): string | undefined {
    const { total, turnover } = reading
    const [sum] = this.sums
    if (sum === undefined || total === undefined || !Buffer.isBuffer(turnover)) return undefined
    return euro(this.decrypt(turnover, digest) - sum - total)
  }

  /** Something is missing or changed: the next counter is taken as it is. */
  forget(): void {
    this.sums = []
    this.silent = []
  }

  /**
   * True when several counters were read and none was right: the key is that of another register.
   */
  get neverRight(): boolean {
    return this.right === 0 && this.wrong > 1
  }

  /** The counter after the last receipt, in euro with a comma; null when it is not known. */
  get last(): string | null {
    const [sum] = this.sums
    return sum === undefined ? null : euro(sum)
  }

  private decrypt(text: Buffer, digest: Buffer): bigint {
    const plain = this.cipher.decrypt(digest.subarray(0, 16), text)
    return BigInt.asIntN(8 * plain.length, BigInt(`0x${plain.toString('hex')}`))
  }
}

function euro(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`
}
