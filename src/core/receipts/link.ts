// Short links to receipts, `/?c=…&s1=…&s2=…`: what `c` stands for, and the signatures over it.
import { createHmac } from 'node:crypto'
import { fail } from '../../errors.js'
import { sameBytes } from '../../lib/hash.js'
import { isUuid, putUuid } from '../../lib/id.js'
import { utf8Text } from '../../lib/text.js'
import type { Store } from '../../store/client.js'
import { findLinkKeys, INSTALLATION, insertLinkKey } from '../../store/receipt/link-keys.js'
import { findCashBox } from '../../store/rollout/cashboxes.js'

/** First byte of `c`: what follows are the two ids of a receipt, or the text of a label. */
const IDS = 1
const TAG = 2
const IDS_BYTES = 1 + 16 + 16
/** Longest text of a label. */
export const LONGEST_TAG = 200
const SIGNATURE_BYTES = 16

export type LinkTarget = { queueId: string; queueItemId: string } | { tag: string }

/** What a `c` stands for; undefined for anything that is none. */
export function targetOf(c: string): LinkTarget | undefined {
  const bytes = bytesOf(c, 4 * LONGEST_TAG)
  if (bytes?.[0] === IDS && bytes.length === IDS_BYTES) {
    return { queueId: uuidAt(bytes, 1), queueItemId: uuidAt(bytes, 17) }
  }
  if (bytes?.[0] !== TAG) return undefined
  const tag = utf8Text(bytes.subarray(1)) ?? ''
  return isTag(tag) ? { tag } : undefined
}

/** The `c` of a receipt: 44 characters. */
export function codeOf({ queueId, queueItemId }: { queueId: string; queueItemId: string }): string {
  const bytes = Buffer.alloc(IDS_BYTES)
  bytes[0] = IDS
  putUuid(bytes, queueId, 1)
  putUuid(bytes, queueItemId, 17)
  return bytes.toString('base64url')
}

/** The `c` of a label. */
export function codeOfTag(tag: string): string {
  return Buffer.concat([Buffer.of(TAG), Buffer.from(tag, 'utf8')]).toString('base64url')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a label holds none
const CONTROLS = /[\u0000-\u001f\u007f]/

export function isTag(text: string): boolean {
  return text !== '' && text.length <= LONGEST_TAG && !CONTROLS.test(text)
}

/**
 * Base64url to bytes; the standard alphabet and padding are read as well, and the blank that a plus
 * sign becomes on its way. Undefined for whatever no encoder writes, spare bits included.
 */
function bytesOf(text: string, longest: number): Buffer | undefined {
  if (text.length > 2 * longest) return undefined
  const plain = canonical(text)
  const bytes = Buffer.from(plain, 'base64url')
  return bytes.toString('base64url') === plain ? bytes : undefined
}

function canonical(text: string): string {
  return text.replace(/=+$/, '').replaceAll('+', '-').replaceAll(' ', '-').replaceAll('/', '_')
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + 16)
  const head = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}`
  return `${head}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** What is signed; `f` and `mcc` as they stand in the address, '' where they do not. */
export interface SignedLink {
  c: string
  f: string
  mcc: string
}

/** The first half of HMAC-SHA256 over the parts of a link. */
export function signatureOf(key: Uint8Array, { c, f, mcc }: SignedLink): string {
  const text = `c=${canonical(c)}&f=${f}&mcc=${mcc}`
  const bytes = createHmac('sha256', key).update(text, 'utf8').digest()
  return bytes.subarray(0, SIGNATURE_BYTES).toString('base64url')
}

/** True when one of the keys made the signature; the time says nothing about where it differs. */
export function isSignedBy(keys: readonly Uint8Array[], link: SignedLink, given: string): boolean {
  const bytes = bytesOf(given, SIGNATURE_BYTES) ?? Buffer.alloc(0)
  const fits = keys.map((key) => {
    return sameBytes(bytes, Buffer.from(signatureOf(key, link), 'base64url'))
  })
  return fits.includes(true)
}

export interface Signatures {
  s1: string | undefined
  s2: string | undefined
}

/**
 * Whether a link may be followed: what is signed must be signed right, s1 by the installation, s2
 * by the cash box; `required`: one of them must be there.
 */
export async function isLinkGood(
  store: Store,
  { link, signatures, cashBoxId }: { link: SignedLink; signatures: Signatures; cashBoxId: string },
  required: boolean,
): Promise<boolean> {
  const { s1, s2 } = signatures
  if (s1 === undefined && s2 === undefined) return !required
  const keys = await findLinkKeys(store, [INSTALLATION, cashBoxId])
  const first = s1 === undefined || isSignedBy(keys.get(INSTALLATION) ?? [], link, s1)
  const second = s2 === undefined || isSignedBy(keys.get(cashBoxId) ?? [], link, s2)
  return first && second
}

/** Both signatures of a link to a receipt of a cash box; keys are made where there are none yet. */
export async function signLink(
  store: Store,
  cashBoxId: string,
  link: SignedLink,
): Promise<{ s1: string; s2: string }> {
  const owners = [INSTALLATION, cashBoxId]
  let keys = await findLinkKeys(store, owners)
  for (const owner of owners.filter((one) => !keys.has(one))) {
    await insertLinkKey(store, owner, 'first')
  }
  if (keys.size < owners.length) keys = await findLinkKeys(store, owners)
  const [key1, key2] = owners.map((owner) => keys.get(owner)?.[0])
  if (key1 === undefined || key2 === undefined) throw new Error('a key was made and is not there')
  return { s1: signatureOf(key1, link), s2: signatureOf(key2, link) }
}

/**
 * A newer key for a cash box, or for the installation; links of the one before stay good. Throws
 * CASH_BOX_UNKNOWN.
 */
export async function rotateLinkKey(
  store: Store,
  cashBoxId: string | undefined,
): Promise<{ owner: string }> {
  const owner = cashBoxId?.toLowerCase() ?? INSTALLATION
  const known = cashBoxId === undefined || (isUuid(owner) && (await findCashBox(store, owner)))
  if (!known) throw fail('CASH_BOX_UNKNOWN', { cashBox: owner.slice(0, 40) })
  await insertLinkKey(store, owner, 'next')
  return { owner }
}
