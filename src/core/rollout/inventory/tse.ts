// What dealers see of a signing unit with a certified security module.
import { certificateEnd } from '../../../lib/certificate-end.js'
import type { StockUnit } from '../../../store/rollout/inventory.js'
import type { StockDeps } from './inventory.js'

export interface TseView {
  /** 0 uninitialized, 1 initialized, 2 terminated. */
  tseState: number
  /** Hexadecimal; null: the module was never reached. */
  serialNumber: string | null
  certificationId: string | null
  certificateExpirationDate: Date | null
  isCertificateExpired: boolean
}

export const TERMINATED = 2

export async function tseOf(
  { marketOf, now }: Pick<StockDeps, 'marketOf' | 'now'>,
  { head }: StockUnit,
): Promise<TseView> {
  const driver = marketOf(head.market).drivers[head.package]
  const facts = await driver?.describe(head)
  const module = driver?.module?.(head)
  const expires = certificateEnd(facts?.certificateBase64 ?? '')
  return {
    tseState: module?.state ?? 0,
    serialNumber: facts === undefined || facts.serial === '' ? null : facts.serial,
    certificationId: module?.certificationId ?? null,
    certificateExpirationDate: expires,
    isCertificateExpired: expires !== null && expires < now(),
  }
}
