// The published configuration for a middleware of its own: with secrets encrypted for whoever asks
// with a key.
import { createCipheriv, createECDH, createPublicKey, type KeyObject } from 'node:crypto'
import { fail } from '../../../errors.js'
import { sha256 } from '../../../lib/hash.js'
import { guidBytes, orderedId } from '../../../lib/id.js'
import { JsonObject, type JsonValue } from '../../../lib/json.js'
import { rowsMember, textMember } from '../../../lib/json-object.js'
import { TRANSACTION } from '../../../store/client.js'
import { insertEvent } from '../../../store/event/inbox.js'
import { type BoxKey, findBoxKey, putFetched } from '../../../store/rollout/publications.js'
import { cashBoxKey } from '../create.js'
import { type PublishDeps, publishedDocument } from './publish.js'

/**
 * The document; with a key (SubjectPublicKeyInfo in Base64) connection strings of queues, and
 * settings whose names end with `_encrypted`, are encrypted for it. Throws NEVER_PUBLISHED and
 * FIELD_INVALID.
 */
export async function downloadedDocument(
  deps: Pick<PublishDeps, 'store' | 'now'>,
  key: BoxKey,
  publicKeyX509: string | undefined,
): Promise<JsonObject> {
  const document = await publishedDocument(deps, key)
  if (document === undefined) throw fail('NEVER_PUBLISHED', { cashBox: key.id })
  const answer =
    publicKeyX509 === undefined
      ? document
      : await encryptedFor(deps, key, { document, publicKeyX509 })
  // whoever is refused has fetched nothing
  await noteFetched(deps, { ...key, timeStamp: BigInt(textMember(document, 'TimeStamp') ?? 0) })
  return answer
}

async function encryptedFor(
  deps: Pick<PublishDeps, 'store'>,
  key: BoxKey,
  { document, publicKeyX509 }: { document: JsonObject; publicKeyX509: string },
): Promise<JsonObject> {
  const secret = await sharedSecret(deps, key, publicKeyX509)
  const iv = guidBytes(key.id)
  const encrypted = (text: string): string => {
    const cipher = createCipheriv('aes-256-cbc', secret, iv)
    return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
  }
  const queues = rowsMember(document, 'ftQueues').map((queue) => {
    const settings = queue.get('Configuration')
    if (!(settings instanceof JsonObject)) return queue
    return replaced(queue, 'Configuration', encryptedSettings(settings, encrypted))
  })
  return replaced(document, 'ftQueues', queues)
}

/** The first time that a publication is fetched is an event. */
async function noteFetched(
  { store, now }: Pick<PublishDeps, 'store' | 'now'>,
  { accountId, id, timeStamp }: BoxKey & { timeStamp: bigint },
): Promise<void> {
  await store.prisma.$transaction(async (tx) => {
    if (!(await putFetched(tx, { accountId, id, timeStamp }))) return
    const at = now()
    await insertEvent(tx, {
      ...{ type: 'configuration.fetched', accountId, alsoAccountId: null, at },
      ...{ id: orderedId(at.getTime()), cashBoxId: id, subject: { kind: 'cashbox', id }, data: {} },
    })
  }, TRANSACTION)
}

const SECRET = /^connectionstring$|_encrypted$/i

function encryptedSettings(settings: JsonObject, encrypted: (text: string) => string): JsonObject {
  const copy = new JsonObject()
  copy.names.push(...settings.names)
  copy.values.push(
    ...settings.values.map((value, at) => {
      const isSecret = typeof value === 'string' && value !== ''
      return isSecret && SECRET.test(settings.names[at] ?? '') ? encrypted(value) : value
    }),
  )
  return copy
}

/** A copy with this member in its place. */
function replaced(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const copy = new JsonObject()
  copy.names.push(...object.names)
  copy.values.push(...object.values.map((one, at) => (object.names[at] === name ? value : one)))
  return copy
}

/** SHA-256 of the x coordinate that both sides compute; the other side has the access token. */
async function sharedSecret(
  { store }: Pick<PublishDeps, 'store'>,
  key: BoxKey,
  publicKeyX509: string,
): Promise<Buffer> {
  const sealed = await findBoxKey(store, key)
  if (sealed === undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: key.id })
  const own = Buffer.from(store.sealer.open(sealed, cashBoxKey(key.id)), 'base64')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(own)
  const point = pointOf(publicKeyX509)
  if (point === undefined) {
    throw fail('FIELD_INVALID', {
      field: 'publicKeyX509',
      expected: 'a P-256 key as SubjectPublicKeyInfo in Base64',
    })
  }
  return sha256(pair.computeSecret(point))
}

/** The uncompressed point of a public key; undefined for what is no key of this curve. */
function pointOf(publicKeyX509: string): Buffer | undefined {
  const key = spkiOf(publicKeyX509)
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return undefined
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function spkiOf(base64: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
  } catch (error) {
    // whatever OpenSSL says about it, it is no key
    if (error instanceof Error) return undefined
    throw error
  }
}
