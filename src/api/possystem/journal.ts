// Journal export of group D: a type and a range become a stream. Its record holds size and hash; a
// repetition makes the export again.
import { createHash } from 'node:crypto'
import type { JournalExport } from '../../core/journal/export.js'
import type { OperationAnswer } from '../../core/operation/operation.js'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import type { JsonObject } from '../../lib/json.js'
import { writeJson } from '../../lib/json-write.js'
import type { CashBoxAccess } from '../../store/rollout/cashboxes.js'
import { fileHeaders } from '../shared/headers.js'
import { leavingOf } from '../shared/leaving.js'
import { bodyText, INT64, integerOf, memberOf, objectOf, textOf, UINT64 } from './body.js'
import { JSON_TYPE, type PosCall } from './call.js'
import type { PosSystemDeps } from './deps.js'
import type { PosAnswer } from './read.js'

export type JournalDeps = Pick<PosSystemDeps, 'operations' | 'journal' | 'credentials'>

interface Asked {
  queueId: string
  type: bigint
  range: { from: bigint; to: bigint }
}

export async function exportJournal(deps: JournalDeps, call: PosCall): Promise<PosAnswer> {
  const { access, operation } = call
  const known = await deps.operations.known(operation)
  const asked = await askedOf(deps, objectOf(bodyText(call.request)), access)
  const exported = await deps.journal({
    ...{ accountId: access.accountId, ...asked },
    leaving: leavingOf(call.request),
  })
  const note = async (size: Size) => {
    if (known === undefined) {
      await deps.operations.note(operation, recordOf({ asked, exported, size }))
    }
  }
  const body = measured(exported.body, note)
  const { contentType, fileName } = exported
  const headers = fileName === undefined ? {} : fileHeaders(fileName)
  return { status: 200, contentType, headers, body }
}

async function askedOf(
  { credentials }: JournalDeps,
  object: JsonObject,
  access: CashBoxAccess,
): Promise<Asked> {
  const type = memberOf(object, 'ftJournalType')
  if (type === undefined) {
    throw fail('FIELD_MISSING', { field: 'ftJournalType', expected: 'an ftJournalType' })
  }
  const tick = (name: string) => integerOf(memberOf(object, name) ?? '0', name, INT64)
  return {
    queueId: await queueOf(credentials, object, access),
    type: integerOf(type, 'ftJournalType', UINT64),
    range: { from: tick('From'), to: tick('To') },
  }
}

/** The queue that the body names, held or once held, else the oldest of the cash box. */
async function queueOf(
  credentials: JournalDeps['credentials'],
  object: JsonObject,
  access: CashBoxAccess,
): Promise<string> {
  const { queues } = access
  const named = memberOf(object, 'ftQueueID') ?? ''
  const id = textOf(named, 'ftQueueID').toLowerCase()
  const held = id === '' ? queues[0] : queues.find((one) => one.id === id)
  const queue = held ?? (isUuid(id) ? await credentials.everHeld(access, id) : undefined)
  if (queue !== undefined) return queue.id
  throw fail('FIELD_INVALID', { field: 'ftQueueID', expected: 'a queue of this cash box' })
}

interface Size {
  bytes: number
  sha256: string
}

/**
 * The pieces as they come. The last one is held back until the export is noted: who has received
 * everything finds its record.
 */
async function* measured(
  pieces: AsyncIterable<string | Uint8Array>,
  note: (size: Size) => Promise<void>,
): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  let held: Buffer | undefined
  for await (const piece of pieces) {
    if (held !== undefined) yield held
    held = typeof piece === 'string' ? Buffer.from(piece, 'utf8') : Buffer.from(piece)
    hash.update(held)
    bytes += held.length
  }
  await note({ bytes, sha256: hash.digest('hex') })
  if (held !== undefined) yield held
}

function recordOf(about: { asked: Asked; exported: JournalExport; size: Size }): OperationAnswer {
  const { asked, exported, size } = about
  return {
    status: 200,
    contentType: JSON_TYPE,
    body: writeJson({
      ftJournalType: asked.type,
      ContentType: exported.contentType,
      Bytes: size.bytes,
      SHA256: size.sha256,
    }),
    queueId: asked.queueId,
  }
}
