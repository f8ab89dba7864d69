// Which statements a call sends to the database, in their order. Two calls that send the same ones
// take the same way: nothing of what they do shows in how long they take.
import pg from 'pg'
import { vi } from 'vitest'

type Given = string | { text?: string } | undefined

/** What the work returns, and the text of each statement, without values. */
export async function statementsOf<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: string[] }> {
  const statements: string[] = []
  const { prototype } = pg.Client
  const plain = prototype.query as (...args: unknown[]) => unknown
  const spy = vi.spyOn(prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const given = args[0] as Given
    statements.push(typeof given === 'string' ? given : String(given?.text))
    return plain.apply(this, args)
  } as never)
  try {
    return { result: await work(), statements }
  } finally {
    spy.mockRestore()
  }
}
