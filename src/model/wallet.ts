// The wallets of phones in which a guest can keep a receipt.

export const WALLET_MAKERS = ['apple', 'google'] as const
export type WalletMaker = (typeof WALLET_MAKERS)[number]

export function walletMaker(text: string): WalletMaker | undefined {
  return WALLET_MAKERS.find((maker) => maker === text.toLowerCase())
}

/** In whose name passes are made. */
export interface WalletIssuer {
  /** What may be told of it. */
  told: Readonly<Record<string, string>>
  /** What nobody may see: keys, and the certificates that belong to them. */
  secrets: Readonly<Record<string, string>>
}

export interface PassLine {
  label: string
  value: string
}

/** A receipt as a wallet shows it. */
export interface WalletPass {
  /** Of the receipt: the same receipt is the same pass. */
  serial: string
  /** Public address of the receipt. */
  address: string
  language: string
  shop: string
  /** `Beleg AT-7#12` */
  title: string
  /** '' for a receipt that tells of no money. */
  sum: PassLine
  /** Below the sum: when, and how it was paid. */
  under: PassLine[]
  /** Behind it: items, payments, what was signed. */
  details: PassLine[]
  /** To be scanned: the code of the receipt, byte for byte, else its address. */
  code: string
  /** `#rrggbb`, readable on each other. */
  colours: { primary: string; background: string }
  /** PNG in one, two and three pixels per point. */
  icons: readonly Uint8Array[]
  /** PNG in one and two pixels per point; empty: the shop has none. */
  logos: readonly Uint8Array[]
}

/** A file to be opened by the phone, or an address to go to. */
export type IssuedPass = { mediaType: string; file: Uint8Array } | { address: string }
