// /sign with `x-dry-run: true`: what would become of a receipt, without any of it.

import { remarksOf } from '../../core/receipt-rules/remarks.js'
import { type PreviewDeps, previewReceipt } from '../../core/sign/preview.js'
import { writeJson } from '../../lib/json-write.js'
import { JSON_TYPE } from './call.js'
import {
  decodedOf,
  type RenewingDeps,
  readAnew,
  readSignRequest,
  type SignFacts,
  type SignRequest,
  workOf,
} from './sign-request.js'

export interface DryRunDeps extends RenewingDeps, Omit<PreviewDeps, 'marketOf'> {}

/** Throws FiscalError for a body that the real call refuses as well. */
export async function dryRun(
  deps: DryRunDeps,
  call: SignFacts,
): Promise<{ status: number; contentType: string; body: string }> {
  const shown = await previewNow(deps, call)
  return { status: 200, contentType: JSON_TYPE, body: writeJson(shown) }
}

async function previewNow(deps: DryRunDeps, call: SignFacts) {
  try {
    return await preview(deps, call, await readSignRequest(deps, call))
  } catch (error) {
    const now = await readAnew(deps, { call, error })
    return preview(deps, now.call, now.read)
  }
}

async function preview(deps: DryRunDeps, call: SignFacts, read: SignRequest) {
  // read once more: the cases of the first reading are complete already
  const { request } = await decodedOf(call.bodyText)
  const remarks = remarksOf(request, read.market.cases)
  return previewReceipt(deps, { ...workOf(call, read), remarks })
}
