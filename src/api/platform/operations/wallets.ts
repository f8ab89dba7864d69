// In whose name receipts go into the wallets of phones.
import { z } from 'zod'
import { fail } from '../../../errors.js'
import { WALLET_MAKERS, type WalletMaker, walletMaker } from '../../../model/wallet.js'
import type { ToldIssuer } from '../../../store/receipt/wallet-issuers.js'
import { OWN, operation } from '../operation.js'

const BASE = '/operators/:posOperatorId/wallets'
/** Two certificates, a key and the file of a service account. */
const LARGEST = 64 * 1024

const issuer = z
  .object({
    maker: z.enum(WALLET_MAKERS),
    told: z
      .record(z.string(), z.string())
      .describe(
        'What may be told: `passTypeIdentifier`, `teamIdentifier`, `validUntil` of Apple, ' +
          '`issuerId`, `serviceAccount` of Google; `simulated` where nobody else trusts it.',
      ),
  })
  .meta({ id: 'platform.Wallet' })

const text = (about: string) => z.string().optional().describe(about)
const entered = z
  .object({
    certificate: text('Apple: of the pass type, in PEM.'),
    intermediate: text('Apple: Worldwide Developer Relations, that has signed it, in PEM.'),
    privateKey: text('Apple: the key of the certificate, in PEM.'),
    passphrase: text('Apple: of the key, where it has one.'),
    issuerId: text('Google: the number of the issuer.'),
    serviceAccount: text('Google: the JSON file of the service account, as its text.'),
    simulated: z.boolean().optional().describe('Sandbox: with keys that are made now.'),
  })
  .meta({ id: 'platform.WalletKeys' })

const shown = ({ maker, told }: ToldIssuer): z.output<typeof issuer> => {
  return { maker, told: { ...told } }
}

/** Throws DOCUMENT_UNKNOWN. */
function makerOf({ maker }: { maker: string }): WalletMaker {
  const known = walletMaker(maker)
  if (known !== undefined) return known
  throw fail('DOCUMENT_UNKNOWN', { document: maker.slice(0, 40) })
}

const ONE = {
  ...OWN,
  tag: 'Receipts',
  path: `${BASE}/:maker`,
  right: 'ReadWrite',
  params: z.object({ maker: z.string().describe('apple or google.') }),
} as const

export const walletOperations = [
  operation({
    ...{ ...OWN, tag: 'Receipts' },
    id: 'listWallets',
    title: 'Wallets that take receipts',
    text: 'For which makers passes can be had on the pages of the merchant’s receipts.',
    method: 'GET',
    path: BASE,
    right: 'Read',
    success: { status: 200, schema: z.object({ items: z.array(issuer) }) },
    handle: async ({ deps, operator }) => {
      return { items: (await deps.wallets.list(operator.id)).map(shown) }
    },
  }),
  operation({
    ...ONE,
    id: 'putWallet',
    title: 'Set up a wallet',
    text:
      'What the maker of the wallet has handed out: it is checked, sealed, and never told again. ' +
      'From then on the pages of receipts have a button for it.',
    method: 'PUT',
    body: entered,
    bodyLimit: LARGEST,
    example: { simulated: true },
    errors: ['FIELD_MISSING', 'FIELD_INVALID', 'DOCUMENT_UNKNOWN'],
    success: { status: 200, schema: issuer },
    handle: async ({ deps, actor, operator, params, body }) => {
      const key = { accountId: operator.id, maker: makerOf(params) }
      return shown(await deps.wallets.put(actor, { ...key, entered: body }))
    },
  }),
  operation({
    ...ONE,
    id: 'deleteWallet',
    title: 'Take a wallet away',
    text: 'Passes that guests have stay with them.',
    method: 'DELETE',
    errors: ['DOCUMENT_UNKNOWN'],
    success: { status: 204 },
    handle: async ({ deps, actor, operator, params }) => {
      await deps.wallets.remove(actor, { accountId: operator.id, maker: makerOf(params) })
      return undefined
    },
  }),
]
