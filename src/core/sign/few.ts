// What is at work right now, without anything that leads from the past to it.

/**
 * A few things at a time, in no order, instead of a Set that is always busy. A Set makes its table
 * anew now and then, and the table before leads to the new one: a single one that has got into
 * long-lived memory keeps all that were in any table since, until everything is collected.
 */
export class Few<T> {
  private readonly all: T[] = []

  add(one: T): void {
    this.all.push(one)
  }

  delete(one: T): void {
    const at = this.all.indexOf(one)
    if (at < 0) return
    const last = this.all.pop()
    if (last !== undefined && at < this.all.length) this.all[at] = last
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.all.values()
  }
}
