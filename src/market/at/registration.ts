// What a merchant enters at FinanzOnline beside the Kassen-ID.
import type { TurnoverKey } from '../../model/queue-facts.js'
import { queueConfiguration } from './configuration.js'
import { keyCheckValue, openKey } from './turnover.js'

/** The key is made by the start receipt: null before. */
export function turnoverKey(configuration: unknown, secrets: string): TurnoverKey {
  const { ClosedSystemKind, ClosedSystemValue } = queueConfiguration.parse(configuration)
  const key = openKey(secrets)
  return {
    encryptionKeyBase64: key.kind === 'key' ? key.base64 : null,
    encryptionKeyCheckValue: key.kind === 'key' ? keyCheckValue(key.base64) : null,
    closedSystemKind: ClosedSystemKind ?? null,
    closedSystemValue: ClosedSystemValue ?? null,
  }
}
