// A Map for what comes and goes thousands of times a second.

/**
 * V8 moves the entries of a busy Map to a new table again and again, and every old table points to
 * its successor. One old table that the long-lived memory has taken in holds all that follow, with
 * all that was in them when they were left, until the next complete collection; until then every
 * small collection carries the dead along. So a value that leaves leaves its entry empty.
 */
export class BriefMap<V extends object> {
  private readonly entries = new Map<string, { value: V | undefined }>()

  /** With more than `most` entries the one that was set longest ago leaves. */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  get(key: string): V | undefined {
    return this.entries.get(key)?.value
  }

  has(key: string): boolean {
    return this.entries.has(key)
  }

  set(key: string, value: V): void {
    this.delete(key)
    this.entries.set(key, { value })
    if (this.entries.size <= this.most) return
    const oldest = this.entries.keys().next()
    if (oldest.done !== true) this.delete(oldest.value)
  }

  delete(key: string): void {
    const entry = this.entries.get(key)
    if (entry === undefined) return
    this.entries.delete(key)
    entry.value = undefined
  }

  clear(): void {
    for (const entry of this.entries.values()) entry.value = undefined
    this.entries.clear()
  }
}
