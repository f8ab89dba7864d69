// What group E needs, and what it shares with group D, put together from what works behind them.
import type { ReceiptDeps } from '../api/receipt/deps.js'
import type { CallerDeps } from '../api/shared/caller.js'
import type { AddressDeps } from '../api/shared/receipt-address.js'
import type { Config } from '../config.js'
import { queueSend } from '../core/message/send.js'
import type { ActionDeps } from '../core/receipts/apply-action.js'
import { createGuestLimit } from '../core/receipts/guest.js'
import type { Workers } from './workers.js'

export function receiptOf(config: Config, parts: Workers & { caller: CallerDeps }): ReceiptDeps {
  return {
    ...actionsOf(parts),
    rendering: parts.rendering,
    guestLimit: createGuestLimit(config.fixed.guestMessages),
    address: addressOf(config),
    retrievals: parts.retrievals,
    robots: config.fixed.previewAgents,
    ...parts.caller,
    settings: {
      ...{ store: parts.common.store, fetch: parts.common.tools.fetch },
      drawLogo: parts.rendering.drawLogo,
    },
    requireSignature: config.RECEIPT_REQUIRE_SIGNATURE,
    production: config.production,
  }
}

/** What apps and registers do with receipts. */
export function actionsOf({
  common,
  send,
  rendering,
}: Pick<Workers, 'common' | 'send' | 'rendering'>): ActionDeps {
  const { store, now } = common
  return { store, now, rendering, queueSend: (on, wish) => queueSend(send, wish, on) }
}

export function addressOf(config: Config): AddressDeps {
  return { publicUrl: config.PUBLIC_URL, mount: config.MOUNT_RECEIPT }
}
