// A caller who may leave before there is an answer. An AbortController says the same, but costs a
// few microseconds per call.

export class Leaving {
  private left = false
  private listener: (() => void) | undefined

  get hasLeft(): boolean {
    return this.left
  }

  leave(): void {
    if (this.left) return
    this.left = true
    this.listener?.()
  }

  /** Calls back once, at once when the caller has left already; one listener at a time. */
  onLeave(listener: () => void): void {
    if (this.left) listener()
    else this.listener = listener
  }

  /** Nobody waits any more; nothing is called, or held, from now on (see lib/brief-map.ts). */
  end(): void {
    this.listener = undefined
  }
}
