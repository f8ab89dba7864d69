// What was made of one thing, for several readers of it: each is made when the first one asks.

type Made = { value: unknown } | { error: unknown }

export class Memo {
  private readonly made = new Map<unknown, Made>()

  /** `by` is whose work it is: what it gave or threw the first time, it gives or throws again. */
  once<T>(by: (...given: never[]) => T, make: () => T): T {
    let made = this.made.get(by)
    if (made === undefined) {
      made = outcomeOf(make)
      this.made.set(by, made)
    }
    if ('error' in made) throw made.error
    return made.value as T
  }
}

function outcomeOf(make: () => unknown): Made {
  try {
    return { value: make() }
  } catch (error) {
    return { error }
  }
}
