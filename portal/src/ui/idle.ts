// Work that nobody waits for: behind the first picture, when the browser has nothing else to do.
const LONGEST_MS = 2_000
/** Of a browser that does not tell when it is idle. */
const USUAL_MS = 200

/** What is returned calls it off. */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const later = setTimeout(work, USUAL_MS)
    return () => clearTimeout(later)
  }
  const later = requestIdleCallback(work, { timeout: LONGEST_MS })
  return () => cancelIdleCallback(later)
}
