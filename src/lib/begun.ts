// Generators that have begun.

/**
 * Waits for the first piece, so that what fails at once is refused and is not a broken stream. No
 * generator of its own: one that was never started would not pass the caller's leaving on.
 */
export async function begun<T>(
  body: AsyncGenerator<T, void, undefined>,
): Promise<AsyncIterable<T>> {
  let first: IteratorResult<T, void> | undefined = await body.next()
  const iterator: AsyncIterator<T, void, undefined> = {
    next: () => {
      const result = first
      first = undefined
      return result === undefined ? body.next() : Promise.resolve(result)
    },
    return: () => {
      first = undefined
      return body.return()
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
