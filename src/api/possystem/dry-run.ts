// /sign with `x-dry-run: true`: what would become of a receipt, without any of it. Called by the
// door of this folder before an operation is noted.
import { type PreviewDeps, previewReceipt } from '../../core/pos/preview.js'
import { writeJson } from '../../lib/json-write.js'
import { JSON_TYPE } from './call.js'
import { readSignRequest, type SignFacts, type SignRequestDeps, workOf } from './sign-request.js'

export interface DryRunDeps extends SignRequestDeps, Omit<PreviewDeps, 'marketOf'> {}

/** Throws FiscalError for a body that the real call refuses as well. */
export async function dryRun(
  deps: DryRunDeps,
  call: SignFacts,
): Promise<{ status: number; contentType: string; body: string }> {
  const preview = await previewReceipt(deps, workOf(call, readSignRequest(deps, call)))
  return { status: 200, contentType: JSON_TYPE, body: writeJson(preview) }
}
