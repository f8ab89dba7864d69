// Listeners of one account wake at the same moment and want the same: what one of them has asked
// for already, the others share.

export class SharedReads<T> {
  private readonly open = new Map<string, Promise<T>>()

  /** Shares a read that is under way; one that has ended is old, and is made again. */
  read(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.open.get(key)
    if (known !== undefined) return known
    const made = work().finally(() => this.open.delete(key))
    this.open.set(key, made)
    return made
  }
}
