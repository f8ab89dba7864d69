// /sign of group D: a ReceiptRequest of version 2 is read, and handed to the core as a command.
import type { PosBody } from '../../core/sign/pos-receipt.js'
import type { PosSigning, SignCommand } from '../../core/sign/pos-sign.js'
import { LARGE } from '../../lib/slices.js'
import { decodePosText } from '../../model/pos-request.js'
import { bodyText } from './body.js'
import type { Perform, PosCall } from './call.js'

export function performSign(signing: PosSigning): Perform {
  return (call, leaving) => signing.sign(commandOf(call), leaving)
}

export function commandOf(call: PosCall): SignCommand {
  const { access, terminalId, posSystemId, operation } = call
  const body = bodyOf(call)
  return { access, terminalId, posSystemId, operation, bodyText: operation.requestText, body }
}

/** What is wrong with it is told to a new call alone: a known one is compared byte by byte. */
function bodyOf({ request, operation }: PosCall): PosBody | undefined {
  try {
    const text = bodyText(request, operation.requestText)
    return text.length < LARGE ? { kind: 'read', decoded: decodePosText(text) } : undefined
  } catch (fault) {
    return { kind: 'refused', fault }
  }
}
