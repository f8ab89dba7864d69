// The Belegnummern of a million receipts as 64 bits of a hash each. Two different numbers share
// them once in thirty million files of a million receipts.

const START_SLOTS = 1 << 12

/** An open-addressing table in typed arrays: 12 bytes a slot, at most three quarters full. */
export class SeenNumbers {
  private high = new Uint32Array(START_SLOTS)
  private low = new Uint32Array(START_SLOTS)
  /** 0 marks a free slot; positions start at 1. */
  private positions = new Uint32Array(START_SLOTS)
  private count = 0

  /** Position of the receipt that used the number before, or 0 for a new one. */
  find(hash: Uint8Array): number {
    return this.positions[this.slot(word(hash, 0), word(hash, 4))] ?? 0
  }

  /**
   * Keeps the number unless it is there already. `hash` has 8 bytes or more, evenly distributed.
   */
  add(hash: Uint8Array, position: number): void {
    if (this.put(word(hash, 0), word(hash, 4), position)) this.count += 1
    if (this.count * 4 > this.positions.length * 3) this.grow()
  }

  private slot(high: number, low: number): number {
    const mask = this.positions.length - 1
    let at = low & mask
    while (this.positions[at] !== 0 && (this.high[at] !== high || this.low[at] !== low)) {
      at = (at + 1) & mask
    }
    return at
  }

  private put(high: number, low: number, position: number): boolean {
    const at = this.slot(high, low)
    if (this.positions[at] !== 0) return false
    this.high[at] = high
    this.low[at] = low
    this.positions[at] = position
    return true
  }

  private grow(): void {
    const { high, low, positions } = this
    this.high = new Uint32Array(positions.length * 2)
    this.low = new Uint32Array(positions.length * 2)
    this.positions = new Uint32Array(positions.length * 2)
    for (const [at, position] of positions.entries()) {
      if (position !== 0) this.put(high[at] ?? 0, low[at] ?? 0, position)
    }
  }
}

function word(bytes: Uint8Array, at: number): number {
  const pair = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  const next = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
  return ((pair << 16) | next) >>> 0
}
