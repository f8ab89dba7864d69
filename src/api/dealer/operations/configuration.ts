// The download of the published configuration by a middleware that runs elsewhere. Part of the
// route table; these calls carry the credentials of a cash box.
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { downloadedDocument } from '../../../core/rollout/publication/download.js'
import { type ErrorCode, fail } from '../../../errors.js'
import { objectIn } from '../../../lib/json.js'
import { textMember } from '../../../lib/json-object.js'
import { utf8Text } from '../../../lib/text.js'
import type { CashBoxAccess } from '../../../store/rollout/cashboxes.js'
import { anyJson } from '../../shared/account/schemas.js'
import { header } from '../../shared/caller.js'
import type { DealerDeps } from '../deps.js'
import { operation } from '../operation.js'

const TAG = 'Launcher'
const TEXT = `Header \`accesstoken\` is the token of the cash box. A JSON body with
\`publicKeyX509\`, although this is a GET, has the secrets of queues encrypted for that key.`

const REFUSALS: readonly ErrorCode[] = [
  'CREDENTIALS_WRONG',
  'CREDENTIALS_LIMITED',
  'NEVER_PUBLISHED',
  'FIELD_INVALID',
  'BODY_TOO_LARGE',
]

export const configurationOperations = [
  operation({
    id: 'downloadConfiguration',
    title: 'Download the published configuration',
    text: TEXT,
    tag: TAG,
    method: 'GET',
    path: '/configuration/:cashBoxId',
    access: 'open',
    params: z.object({ cashBoxId: z.string() }),
    success: { status: 200, schema: anyJson() },
    errors: REFUSALS,
    handle: ({ deps, request, params }) => download(deps, request, params.cashBoxId),
  }),
  operation({
    id: 'downloadConfigurationByHeader',
    title: 'Download the published configuration, older way',
    text: `Header \`cashboxid\` names the cash box. ${TEXT}`,
    tag: TAG,
    method: 'GET',
    path: '/configuration',
    access: 'open',
    success: { status: 200, schema: anyJson() },
    errors: REFUSALS,
    handle: ({ deps, request }) => download(deps, request, header(request, 'cashboxid') ?? ''),
  }),
]

async function download(deps: DealerDeps, request: FastifyRequest, cashBoxId: string) {
  const access = await boxOf(deps, request, cashBoxId)
  const text = await bodyOf(request)
  const key = textMember(objectIn(text), 'publicKeyX509')
  const box = { accountId: access.accountId, id: access.cashBoxId }
  return downloadedDocument(deps, box, key === '' ? undefined : key)
}

/** Everything that is wrong is told in the same way. */
async function boxOf(
  { boxes, failures }: DealerDeps,
  request: FastifyRequest,
  given: string,
): Promise<CashBoxAccess> {
  const id = given.replace(/^\{(.*)\}$/, '$1')
  const access = await boxes.check(id, header(request, 'accesstoken') ?? '')
  if (access !== undefined) return access
  await failures.failed(id, request.ip)
  throw fail('CREDENTIALS_WRONG')
}

/** A key has some hundred characters. */
const MOST_BYTES = 16 * 1024

/** Of a GET nobody has read the body. */
async function bodyOf({ raw }: FastifyRequest): Promise<string | null> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of raw) {
    const bytes = Buffer.from(piece as Uint8Array)
    size += bytes.length
    if (size > MOST_BYTES) throw fail('BODY_TOO_LARGE', { limit: MOST_BYTES })
    pieces.push(bytes)
  }
  return utf8Text(Buffer.concat(pieces)) ?? null
}
