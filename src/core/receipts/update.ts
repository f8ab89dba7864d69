// The register does something with a receipt that it has issued: once per operation.
import { FiscalError } from '../../errors.js'
import { writeJson } from '../../lib/json-write.js'
import { reaching } from '../../store/client.js'
import { insertOperation, isOperationKnown } from '../../store/operation/operations.js'
import type { Connection } from '../../store/transaction.js'
import { inTransaction } from '../../store/transaction.js'
import type { OperationAnswer, OperationCall } from '../operation/operation.js'
import { recordOf } from '../operation/record.js'
import { type Action, readAction } from './action.js'
import { type Act, type ActionDeps, type Content, contentOf, perform } from './apply-action.js'
import { deliveryStatus } from './delivery.js'
import type { IssuingDeps } from './issue.js'

export type UpdateDeps = ActionDeps & Pick<IssuingDeps, 'retrievals'>

export interface Update {
  act: Act
  call: OperationCall
  /** Of JSON. */
  contentType: string
}

/** Another server has written this call while this one did. */
class WrittenElsewhere extends Error {
  readonly answer: OperationAnswer
  constructor(answer: OperationAnswer) {
    super('the operation was written elsewhere')
    this.answer = { ...answer, recorded: false }
  }
}

/** The stored answer is found behind it. */
const NOTHING: OperationAnswer = { status: 200, contentType: '', body: '' }

/** Writes what the action does and the record of the call in one transaction. */
export async function updateReceipt(deps: UpdateDeps, update: Update): Promise<OperationAnswer> {
  const { act, call } = update
  const { receipt } = act
  const startedAt = deps.now()
  const content = await reaching(() => contentOf(deps, act))
  const write = async (client: Connection): Promise<OperationAnswer> => {
    if (await isOperationKnown(client, call)) throw new WrittenElsewhere(NOTHING)
    await perform(deps, client, act)
    const answer = await answerOf(client, update, content)
    const noted = { ...call, requestText: notedText(act.action, call.requestText) }
    const record = recordOf(noted, answer, { startedAt, finishedAt: deps.now() })
    if (!(await insertOperation(client, record))) throw new WrittenElsewhere(answer)
    return answer
  }
  try {
    const answer = await reaching(() => inTransaction(deps.store, write))
    const { accountId, queueId, verified } = receipt
    if (verified) deps.retrievals.soon({ accountId, id: queueId })
    return answer
  } catch (error) {
    // rolled back with the event; the stored answer is found behind this one
    if (error instanceof WrittenElsewhere) return error.answer
    throw error
  }
}

/** What is no text is kept, and given again, in Base64: its type says so. */
export const BASE64 = ';base64'

async function answerOf(
  client: Connection,
  { act, contentType }: Update,
  content: Content | undefined,
): Promise<OperationAnswer> {
  const { queueId, queueItemId } = act.receipt
  const about = { queueId, queueItemId }
  const { action } = act.action
  if (content !== undefined) {
    const body = Buffer.from(content.body).toString('base64')
    return { status: 200, contentType: content.contentType + BASE64, body, ...about }
  }
  if (action === 'accept' || action === 'view') {
    const body = writeJson((await deliveryStatus(client, act.receipt)) ?? null)
    return { status: 200, contentType, body, ...about }
  }
  return { status: action === 'link' ? 204 : 201, contentType: '', body: '', ...about }
}

/** What the record of a call keeps of its body, so that the same call is known again. */
export async function keptText(bodyText: string): Promise<string> {
  try {
    return notedText(await readAction(bodyText), bodyText)
  } catch (error) {
    // a body that is refused leaves no record
    if (error instanceof FiscalError) return bodyText
    throw error
  }
}

/** A file is kept as one: the record of its call only names it. */
function notedText(action: Action, bodyText: string): string {
  if (action.action !== 'upload') return bodyText
  const { mediaType, filename, content, hash } = action
  return JSON.stringify({
    Action: 'upload',
    Format: mediaType,
    Filename: filename,
    Filecontent: `${content.length} bytes, SHA-256 ${hash.toString('hex')}`,
  })
}
