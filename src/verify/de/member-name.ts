// Names of the members of a TSE export (TR-03151, Appendix C).
import type { LogMessage } from './log-message.js'
import { iso, TIME_PREFIX } from './log-time.js'

export type MemberKind = 'info' | 'log' | 'certificate' | 'cvc' | 'unknown'

const LOG = /^(?:Unixt|Utc|Gent)_[^/\\]+\.log$/
const CERTIFICATE = /^([0-9A-Fa-f]+)_X509\.(?:cer|crt|pem|der)$/i
const CVC = /^[0-9A-Za-z]+_CVC\.[a-z]+$/

export function memberKind(name: string): MemberKind {
  if (name === 'info.csv') return 'info'
  if (LOG.test(name)) return 'log'
  if (CERTIFICATE.test(name)) return 'certificate'
  return CVC.test(name) ? 'cvc' : 'unknown'
}

/** The hex digits that name a certificate, in lower case. */
export function certificateStem(name: string): string {
  return (CERTIFICATE.exec(name)?.[1] ?? '').toLowerCase()
}

/** What the name of a message must be, `_Fc-n` aside; operations in either letter case. */
export function logName({ time, counter, body }: LogMessage): string {
  const head = `${TIME_PREFIX[time.format]}_${time.label}_Sig-${counter}`
  if (body.kind === 'audit') return `${head}_Log-Aud.log`
  if (body.kind === 'system') return `${head}_Log-Sys_${body.operation}.log`
  return `${head}_Log-Tra_No-${body.number}_${body.step}_Client-${body.clientId}.log`
}

/** Undefined when the name fits, else the name that was expected. */
export function nameFault(name: string, message: LogMessage): string | undefined {
  const expected = logName(message)
  const found = name.replace(/_Fc-\d+\.log$/, '.log')
  if (found === expected) return undefined
  const same = message.body.kind === 'system' && found.toLowerCase() === expected.toLowerCase()
  return same ? undefined : `${expected} (log time ${iso(message.time.moment)})`
}
