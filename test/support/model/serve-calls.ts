// The other side of a forked server of a model test: serves calls over IPC and ends with whoever
// forked it.
import type { Calls, Told } from './server-process.js'

/** So long a server may take to close its connections. */
const CLOSE_MS = 5_000

export interface Served<C extends Calls> {
  calls: C
  close(): Promise<void>
}

interface Asked {
  number: number
  name: string
  given: never[]
}

const tell = (told: Told): void => {
  if (process.connected) process.send?.(told)
}

/** `open` gets what the process was forked with; nothing is served before it is done. */
export function serveCalls<G, C extends Calls>(open: (given: G) => Promise<Served<C>>): void {
  process.on('uncaughtException', (error) => endWith(error))
  process.once('message', ({ given }: { given: G }) => {
    void begin(open(given))
  })
}

async function begin<C extends Calls>(opening: Promise<Served<C>>): Promise<void> {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(2), CLOSE_MS).unref()
    void opening.then(({ close }) => close()).then(() => process.exit(0))
  })
  const { calls } = await opening
  process.on('message', (asked: Asked) => void answer(calls, asked))
  tell({ number: 0 })
}

async function answer(calls: Calls, { number, name, given }: Asked): Promise<void> {
  try {
    tell({ number, value: await calls[name]?.(...given) })
  } catch (error) {
    tell({ number, error })
  }
}

/** A server with an uncaught error is gone, as a real one is. */
function endWith(error: unknown): void {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (!process.connected) process.exit(1)
  process.send?.({ fault } satisfies Told, () => process.exit(1))
}
