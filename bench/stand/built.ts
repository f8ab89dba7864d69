// Modules of the built program, with the types of their sources: what is timed is what runs in use,
// not what a development tool makes of it.

const DIST = new URL('../../dist/', import.meta.url)

/** For instance `await built<typeof import('../../src/lib/json.js')>('lib/json.js')`. */
export async function built<T>(path: string): Promise<T> {
  return (await import(new URL(path, DIST).href)) as T
}
