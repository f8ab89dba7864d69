// Which files of src a piece of work executes, as V8 counts it.
import { Session } from 'node:inspector/promises'

const FILE = /\/src\/(?!generated\/)(.+\.ts)$/

/** Paths below src, in their order; what only runs when a module is loaded does not count. */
export async function executedFiles(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files = result.flatMap(({ url, functions }) => {
      const path = FILE.exec(url.split('?')[0] ?? '')?.[1]
      const ran = functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0)
      return path !== undefined && ran ? [path] : []
    })
    return [...new Set(files)].sort()
  } finally {
    session.disconnect()
  }
}
