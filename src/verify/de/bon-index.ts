// Which receipts there are, and in which order: 16 bytes each, whatever they are called.
import { createHash } from 'node:crypto'
import type { Row } from './table-reader.js'

const START_SLOTS = 1 << 12

/** By 64 bits of a hash of closing and BON_ID; open addressing, at most three quarters full. */
export class BonIndex {
  private hashes = new BigUint64Array(START_SLOTS)
  /** 0 marks a free slot; positions start at 1. */
  private positions = new Float64Array(START_SLOTS)
  count = 0

  /** Position of the receipt, or 0. */
  find(key: string): number {
    return this.positions[this.slot(hashOf(key))] ?? 0
  }

  /** False when the receipt was there before. */
  add(key: string): boolean {
    const hash = hashOf(key)
    const at = this.slot(hash)
    if (this.positions[at] !== 0) return false
    this.count += 1
    this.hashes[at] = hash
    this.positions[at] = this.count
    if (this.count * 4 > this.positions.length * 3) this.grow()
    return true
  }

  private slot(hash: bigint): number {
    const mask = this.positions.length - 1
    let at = Number(hash & 0xffff_ffffn) & mask
    while (this.positions[at] !== 0 && this.hashes[at] !== hash) at = (at + 1) & mask
    return at
  }

  private grow(): void {
    const { hashes, positions } = this
    this.hashes = new BigUint64Array(positions.length * 2)
    this.positions = new Float64Array(positions.length * 2)
    for (const [at, position] of positions.entries()) {
      if (position === 0) continue
      const hash = hashes[at] ?? 0n
      const slot = this.slot(hash)
      this.hashes[slot] = hash
      this.positions[slot] = position
    }
  }
}

function hashOf(key: string): bigint {
  return createHash('sha256').update(key).digest().readBigUInt64LE(0)
}

export function bonKey(row: Row): string {
  return keyOf(row.get('Z_KASSE_ID'), row.get('Z_NR'), row.get('BON_ID'))
}

export function keyOf(kasse: string, number: string, bonId: string): string {
  return `${kasse}\n${number}\n${bonId}`
}
