// Which statements a call sends to the database, in their order. Two calls that send the same ones
// take the same way: nothing of what they do shows in how long they take.
import pg from 'pg'
import { vi } from 'vitest'

type Given = string | { name?: string; text?: string } | undefined

/** What the server does by itself beside any call: names of statements. */
const ASIDE = new Set(['insert-calls', 'cash-boxes-access'])
/** How the question begins of a connection that the pool makes, whoever asks for it first. */
const OF_A_CONNECTION = 'select pg_is_in_recovery() as standby'

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
    const { name = '', text } = typeof given === 'object' ? given : { text: given }
    if (!ASIDE.has(name) && text?.startsWith(OF_A_CONNECTION) !== true)
      statements.push(String(text))
    return plain.apply(this, args)
  } as never)
  try {
    return { result: await work(), statements }
  } finally {
    spy.mockRestore()
  }
}
