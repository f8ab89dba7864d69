// A memory bounded by the bytes that it holds.

/** Keeps what was used last, as long as all of it together has at most `most` bytes. */
export class ByteMemory<V> {
  private readonly entries = new Map<string, { value: V; bytes: number }>()
  private readonly most: number
  private total = 0

  constructor(most: number) {
    this.most = most
  }

  /** Of all entries. */
  get bytes(): number {
    return this.total
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    // the order of a Map is that of insertion: the first one is the oldest
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  /** What is greater than all of the memory is not kept. */
  set(key: string, value: V, bytes: number): void {
    this.delete(key)
    if (bytes > this.most) return
    this.entries.set(key, { value, bytes })
    this.total += bytes
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.most) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.entries.delete(key)
    this.total -= entry.bytes
  }
}
