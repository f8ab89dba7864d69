// Third-party receipt apps: who calls with their secret, and where they want receipts to be sent.
import { fail } from '../../errors.js'
import { sameBytes, sha256 } from '../../lib/hash.js'
import { isUuid } from '../../lib/id.js'
import type { Store } from '../../store/client.js'
import {
  findApps,
  listApps,
  type ReceiptAppRow,
  retireApp,
} from '../../store/receipt/receipt-apps.js'

const NOBODY = sha256('nobody has this secret')

/** The app when id and secret belong together, else undefined. Same work in both cases. */
export async function checkApp(
  store: Store,
  { appId, secret }: { appId: string; secret: string },
): Promise<{ appId: string; name: string } | undefined> {
  // an id that is none is looked up all the same: the time must not tell
  const id = isUuid(appId) ? appId.toLowerCase() : '00000000-0000-0000-0000-000000000000'
  const [app] = await findApps(store, [id])
  const fits = sameBytes(sha256(secret), app?.secretHash ?? NOBODY)
  return fits && app !== undefined ? { appId: app.id, name: app.name } : undefined
}

export interface ShareApp {
  appId: string
  name: string
  shareUrl: string
}

/** Those that take receipts at an address, in the order of the ids; others are left out. */
export async function shareApps(
  store: Store,
  ids: readonly string[],
  production: boolean,
): Promise<ShareApp[]> {
  const wanted = ids.filter(isUuid).map((id) => id.toLowerCase())
  if (wanted.length === 0) return []
  const found = new Map((await findApps(store, wanted)).map((app) => [app.id, app]))
  return wanted.flatMap((id) => {
    const { name, shareUrl = null } = found.get(id) ?? {}
    const usable = shareUrl !== null && isShareUrl(shareUrl, production)
    return usable ? [{ appId: id, name: name ?? '', shareUrl }] : []
  })
}

/** Plain printable ASCII: an address that is no header, line or mark-up of its own. */
const ADDRESS = /^[\x21-\x7e]{1,1000}$/

/** https; http too in the sandbox. Without name and password. */
export function isShareUrl(text: string, production: boolean): boolean {
  if (!ADDRESS.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && !production)
}

/** Where a reader is sent: the address of the app, and in it the one of the receipt. */
export function shareAddress(shareUrl: string, receiptUri: string): string {
  const [front = '', ...fragment] = shareUrl.split('#')
  const mark = front.includes('?') ? (/[?&]$/.test(front) ? '' : '&') : '?'
  const tail = fragment.length === 0 ? '' : `#${fragment.join('#')}`
  return `${front}${mark}serviceReceiptUri=${encodeURIComponent(receiptUri)}${tail}`
}

export interface ShownApp {
  appId: string
  name: string
  shareUrl: string | null
  createdAt: Date
}

/** Without their secrets, oldest first. */
export async function receiptApps(store: Store): Promise<ShownApp[]> {
  return (await listApps(store)).map(shownOf)
}

/** Its secret and its address stop at once. Throws APP_UNKNOWN. */
export async function removeApp(store: Store, id: string): Promise<ShownApp> {
  const app = isUuid(id) ? await retireApp(store, id.toLowerCase()) : undefined
  if (app === undefined) throw fail('APP_UNKNOWN', { app: id })
  return shownOf(app)
}

function shownOf({ id, name, shareUrl, createdAt }: ReceiptAppRow): ShownApp {
  return { appId: id, name, shareUrl, createdAt }
}
