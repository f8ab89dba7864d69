// /sign with `x-dry-run: true`: what would become of a receipt, without any of it.
import type { PosCommand } from '../../core/sign/pos-receipt.js'
import { type TryingDeps, tryReceipt } from '../../core/sign/preview.js'
import { writeJson } from '../../lib/json-write.js'
import { JSON_TYPE } from './call.js'

export type DryRunDeps = TryingDeps

/** Throws FiscalError for a body that the real call refuses as well. */
export async function dryRun(
  deps: DryRunDeps,
  { access, terminalId, posSystemId, bodyText }: Omit<PosCommand, 'body'>,
): Promise<{ status: number; contentType: string; body: string }> {
  const sent = posSystemId === undefined ? {} : { posSystemId }
  const command = { access, terminalId, ...sent, bodyText, body: undefined }
  const shown = await tryReceipt(deps, command)
  return { status: 200, contentType: JSON_TYPE, body: writeJson(shown) }
}
