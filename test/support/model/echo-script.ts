// A process that serves next to nothing. Forked by test/model-based/server-process.test.ts.
import { serveCalls } from './serve-calls.js'

function open() {
  const calls = {
    echo: (text: string): string => text,
    fail: (text: string): never => {
      throw new Error(text)
    },
    /** Never answers. */
    hang: (): Promise<never> => new Promise(() => undefined),
    /** Nobody catches it. */
    breakLater: (text: string): void => {
      setTimeout(() => {
        throw new Error(text)
      }, 1)
    },
  }
  return Promise.resolve({ calls, close: () => Promise.resolve() })
}

export type EchoCalls = Awaited<ReturnType<typeof open>>['calls']

serveCalls(open)
