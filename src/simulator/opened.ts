// Units that were opened before: reading keys and certificates is slow.
import { LRUCache } from 'lru-cache'
import type { ScuHead } from '../device/device.js'

const MOST = 4096

/** `read`, asked once for the same texts. */
export function opening<T extends object>(
  textsOf: (scu: ScuHead) => readonly string[],
  read: (scu: ScuHead) => T,
): (scu: ScuHead) => T {
  const opened = new LRUCache<string, T>({ max: MOST })
  return (scu) => {
    const texts = textsOf(scu).join(' ')
    const known = opened.get(texts)
    if (known !== undefined) return known
    const unit = read(scu)
    opened.set(texts, unit)
    return unit
  }
}
