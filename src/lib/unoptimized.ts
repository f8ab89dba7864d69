// Work that is done once, such as loading a program: V8 shall not compile anew, as fast code, what
// is over before that code is ready. Its compiler took a third of a start's processor time.
import { setFlagsFromString } from 'node:v8'

/** The setting is one of the process: whatever else it does meanwhile waits for fast code too. */
export async function unoptimized<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--no-opt')
  try {
    return await work()
  } finally {
    setFlagsFromString('--opt')
  }
}
