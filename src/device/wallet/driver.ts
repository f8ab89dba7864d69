// What a driver of a wallet does: it reads what a merchant enters, and makes passes.
import type { IssuedPass, WalletIssuer, WalletPass } from '../../model/wallet.js'

export interface WalletDriver {
  /** What a merchant enters, checked. Throws FIELD_MISSING, FIELD_INVALID. */
  issuerOf(entered: Readonly<Record<string, unknown>>, now: Date): WalletIssuer
  /** Throws where what was entered is not good any more. */
  issue(pass: WalletPass, issuer: WalletIssuer, now: Date): Promise<IssuedPass>
}

/** RSA below this is refused by both makers. */
export const LEAST_BITS = 2_048
