// Work that is done once, such as loading a program: V8 shall not compile anew, as fast code, what
// is over before that code is ready. Its compiler took a third of a start's processor time.
import { setFlagsFromString } from 'node:v8'

/** Of Node.js 20. With V8 13.6 (24) what ran often meanwhile never became fast code afterwards. */
const LAST_VERSION = 11

/** Whether this version makes fast code again of everything. */
export const isWithheld = Number(process.versions.v8.split('.', 1)[0]) <= LAST_VERSION

/** The setting is one of the process: whatever else it does meanwhile waits for fast code too. */
export async function unoptimized<T>(work: () => Promise<T>): Promise<T> {
  if (!isWithheld) return work()
  setFlagsFromString('--no-opt')
  try {
    return await work()
  } finally {
    setFlagsFromString('--opt')
  }
}
