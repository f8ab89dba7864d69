// A set of natural numbers as ranges: a million counters in a row are one range. Used for signature
// counters and transaction numbers.

export class NumberSet {
  private readonly starts: number[] = []
  private readonly ends: number[] = []

  /** False when the number was there before. */
  add(value: number): boolean {
    const at = this.rangeBefore(value)
    const end = this.ends[at]
    if (end !== undefined && value <= end) return false
    const joinsLeft = end !== undefined && end + 1 === value
    const joinsRight = this.starts[at + 1] === value + 1
    if (joinsLeft && joinsRight) {
      this.ends[at] = this.ends[at + 1] ?? value
      this.starts.splice(at + 1, 1)
      this.ends.splice(at + 1, 1)
    } else if (joinsLeft) this.ends[at] = value
    else if (joinsRight) this.starts[at + 1] = value
    else this.insert(at + 1, value)
    return true
  }

  private insert(at: number, value: number): void {
    if (at === this.starts.length) {
      this.starts.push(value)
      this.ends.push(value)
      return
    }
    this.starts.splice(at, 0, value)
    this.ends.splice(at, 0, value)
  }

  /** Ascending, first and last number of each. */
  ranges(): [first: number, last: number][] {
    return this.starts.map((start, at) => [start, this.ends[at] ?? start])
  }

  /** Index of the last range that begins at or before the value; -1: there is none. */
  private rangeBefore(value: number): number {
    let low = 0
    let high = this.starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.starts[middle] ?? 0) <= value) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
