// The header Idempotency-Key of operations that make something.
import {
  AnsweredBefore,
  answeredBefore,
  createOnce,
  type OnceCall,
} from '../../../core/audit/once.js'
import { fail } from '../../../errors.js'
import { sha256 } from '../../../lib/hash.js'
import { writeJson } from '../../../lib/json-write.js'
import { header } from '../caller.js'
import { Answer, type AnyCall, type Operation } from './operation.js'
import { JSON_TYPE } from './refusal.js'

const KEY = 'idempotency-key'
const FORM = /^[\x21-\x7e]{1,255}$/

/** Does it, or gives the answer that the first call with this key got. */
export async function handledOnce(operation: Operation, call: AnyCall): Promise<unknown> {
  const { idempotent } = operation
  if (idempotent === undefined || !(KEY in call.request.headers)) return operation.handle(call)
  // an empty one is wrong: its sender believes that the call may be repeated
  const key = header(call.request, KEY) ?? ''
  if (!FORM.test(key)) throw fail('IDEMPOTENCY_KEY_INVALID')
  const { method, url } = call.request
  const body = typeof call.body === 'string' ? call.body : writeJson(call.body ?? null)
  const once: OnceCall = {
    accountId: call.account.id,
    key,
    requestHash: sha256(`${method} ${url}\n${body}`),
    answerOf: (result) => idempotent(result, call),
  }
  const before = await answeredBefore(call.deps, once)
  if (before !== undefined) return new Answer(before, JSON_TYPE)
  call.once = createOnce(call.deps, once)
  try {
    return await operation.handle(call)
  } catch (error) {
    if (!(error instanceof AnsweredBefore)) throw error
    const answer = await answeredBefore(call.deps, once)
    if (answer === undefined) throw error
    return new Answer(answer, JSON_TYPE)
  }
}
