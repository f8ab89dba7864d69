// The wallets there are: a further one is a line here.
import type { WalletMaker } from '../../model/wallet.js'
import { appleWallet } from './apple.js'
import type { WalletDriver } from './driver.js'
import { googleWallet } from './google.js'

export const WALLET_DRIVERS: Readonly<Record<WalletMaker, WalletDriver>> = {
  apple: appleWallet,
  google: googleWallet,
}
