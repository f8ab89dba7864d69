// Paths of this server that lead to a receipt: which of them may be bound, and which are asked for.
import { isPathWordTaken } from '../../config/values.js'
import { isUuid } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import { findByAlias, type PublicKey } from '../../store/receipt/receipt-names.js'

/** Where receipts are, as the outside sees it. */
export interface OwnPlace {
  /** `https://r.example` */
  origin: string
  /** Of the mount point, '' at the root. */
  prefix: string
}

/**
 * The path of a link that leads to this server, below the place of receipts; undefined for one that
 * leads elsewhere.
 */
export function pathHere(
  { origin, prefix }: OwnPlace,
  { host, path }: { host: URL; path: string },
): string | undefined {
  const own = host.origin === new URL(origin).origin
  const below = path.toLowerCase().startsWith(`${prefix.toLowerCase()}/`)
  return own && below ? path.slice(prefix.length) : undefined
}

/** Words of receipts and pages of this server, beside those that no path may begin with. */
const OURS = new Set([
  ...['receipt-information', 'configuration', 'instore'],
  ...['favicon.ico', 'favicon.svg', 'robots.txt'],
])

/** False for what is an address of this server already, or would look like one. */
export function isPathFree(path: string): boolean {
  const first = path.split('/')[1]?.toLowerCase() ?? ''
  return first !== '' && !isPathWordTaken(first) && !OURS.has(first) && !isUuid(first)
}

const LONGEST_PATH = 200

/** The receipt to which a path below the place of receipts leads. */
export async function receiptAt(store: Store, path: string): Promise<PublicKey | undefined> {
  const plain = path.replace(/\/+/g, '/').replace(/\/$/, '')
  if (plain.length > LONGEST_PATH || !isPathFree(plain)) return undefined
  return findByAlias(store, plain)
}
