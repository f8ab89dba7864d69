// The pass of an issued receipt, for a wallet that its merchant has set up.
import { fail } from '../../../errors.js'
import { isUuid } from '../../../lib/id.js'
import type { WalletMaker } from '../../../model/wallet.js'
import { chooseLanguage } from '../../../render/accept.js'
import { languageOf } from '../../../render/words.js'
import { openToken, type SavedPass, signerOf } from '../../../simulator/wallet/google.js'
import type { Store } from '../../../store/client.js'
import type { IssuedReceipt } from '../../../store/receipt/issued.js'
import { findIssuer } from '../../../store/receipt/wallet-issuers.js'
import { RECEIPT_LANGUAGES } from '../../../words/words.js'
import type { MadePass, Rendering } from '../rendering.js'

export interface PassDeps {
  store: Store
  rendering: Pick<Rendering, 'makePass'>
  now(): Date
}

export interface PassWish {
  receipt: IssuedReceipt
  maker: WalletMaker
  /** Public address of the receipt. */
  address: string
  languages: string | undefined
}

/** Throws DOCUMENT_UNKNOWN where the merchant has not set it up, RENDERING_BUSY. */
export async function passOf(
  { store, rendering, now }: PassDeps,
  { receipt, maker, address, languages }: PassWish,
): Promise<MadePass> {
  const issuer = await findIssuer(store, { accountId: receipt.accountId, maker })
  if (issuer === undefined) throw fail('DOCUMENT_UNKNOWN', { document: `wallet/${maker}` })
  const language = chooseLanguage(RECEIPT_LANGUAGES, languages) ?? languageOf(receipt.market)
  return rendering.makePass({ receipt, maker, issuer, address, language, moment: now() })
}

/** What the simulated maker would show. Throws DOCUMENT_UNKNOWN for what it refuses. */
export async function savedPass(store: Store, token: string): Promise<SavedPass> {
  const refused = () => fail('DOCUMENT_UNKNOWN', { document: token.slice(0, SHOWN) })
  const accountId = await signerOf(token)
  if (accountId === undefined || !isUuid(accountId)) throw refused()
  const issuer = await findIssuer(store, { accountId, maker: 'google' })
  if (issuer === undefined) throw refused()
  try {
    return await openToken(token, issuer.secrets.privateKey ?? '')
  } catch (error) {
    throw Object.assign(refused(), { cause: error })
  }
}

const SHOWN = 40
