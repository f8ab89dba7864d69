// What is mostly there at once: a promise for each step of each receipt would cost more than the
// steps themselves.

/** A value, or the promise of it. */
export type Soon<T> = T | Promise<T>

/** Goes on with a value: at once where it is there, in a later turn where it is promised. */
export function whenThere<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
