// How a merchant wants receipts to look: the result of the settings of a queue and its operator.

import type { WalletMaker } from './wallet.js'

export interface Logo {
  type: 'image/png' | 'image/jpeg'
  data: Buffer
  /** Pixels on the page. */
  width: number
  height: number
  /** The only ground on which it can be seen. */
  ground?: 'light' | 'dark'
}

/** '' and undefined: nothing was set. */
export interface Branding {
  /** Another one after every change. */
  version: string
  name: string
  street: string
  postalCode: string
  city: string
  country: string
  vatId: string
  /** Lines below the receipt. */
  footer: string[]
  /** With http: or https: in front. */
  website: string
  logo: Logo | undefined
  /** `#rrggbb`, readable on each other (WCAG AA). */
  colours: { primary: string; background: string } | undefined
  /** The form for the expenses of hospitality is appended. */
  hospitality: boolean
  showFeedback: boolean
  feedbackAppId: string | undefined
  shareAppIds: string[]
  /** Wallets for which passes can be had. */
  wallets: readonly WalletMaker[]
}

export const NO_BRANDING: Branding = {
  version: '',
  name: '',
  street: '',
  postalCode: '',
  city: '',
  country: '',
  vatId: '',
  footer: [],
  website: '',
  logo: undefined,
  colours: undefined,
  hospitality: false,
  showFeedback: false,
  feedbackAppId: undefined,
  shareAppIds: [],
  wallets: [],
}
