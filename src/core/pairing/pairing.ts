// Pairing: a PIN of four digits is made for a cash box and gives out its credentials, once.
// Called by the command line and api/possystem.
import { randomInt } from 'node:crypto'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { findCashBox } from '../../store/cashboxes.js'
import type { Store } from '../../store/client.js'
import type { Connection } from '../../store/issued.js'
import { cashBoxToken } from '../../store/master-key.js'
import { insertPin, insertPinAlone, takePin } from '../../store/pairing.js'

export interface NewPairing {
  cashBoxId: string
  /** Four digits, the first of which may be 0. */
  pin: string
  expiresAt: Date
}

export interface PairedBox {
  cashBoxId: string
  accessToken: string
}

export interface Pairing {
  /**
   * A new PIN; the older one of this cash box is dead. Throws CASH_BOX_UNKNOWN, and PIN_NONE_FREE
   * when half of all PINs are live. Commits with what else `on` writes, where there is one.
   */
  create(cashBoxId: string, on?: Pick<Connection, 'query'>): Promise<NewPairing>
  /** Throws PIN_WRONG for a PIN that is unknown, used or over; they cannot be told apart. */
  redeem(pin: string): Promise<PairedBox>
}

const LIVE_SECONDS = 5 * 60
const PINS = 10_000
/** With more, a guess would hit too often, and a free PIN would be hard to find. */
const MOST_LIVE = PINS / 2
/** At most every second try is taken: so many in a row never are. */
const TRIES = 64
const CONTEXT = 'pairing-pin'

export function createPairing(store: Store): Pairing {
  const hashesOf = (pin: string) => store.sealer.keyedHashes(pin, CONTEXT)
  return {
    create: async (id, on) => {
      const box = isUuid(id) ? await findCashBox(store, id.toLowerCase()) : undefined
      if (box === undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: id })
      const { accountId, cashBoxId } = box
      const pins = Array.from({ length: TRIES }, randomPin)
      const hashes = pins.map(hashesOf)
      const rules = { seconds: LIVE_SECONDS, most: MOST_LIVE }
      const pin = { accountId, cashBoxId, hashes, ...rules }
      const made = await (on === undefined ? insertPinAlone(store, pin) : insertPin(on, pin))
      if (made === undefined) throw fail('PIN_NONE_FREE')
      return { cashBoxId, pin: pins[made.at] ?? '', expiresAt: made.expiresAt }
    },
    redeem: async (pin) => {
      const taken = await takePin(store, hashesOf(pin))
      if (taken === undefined) throw fail('PIN_WRONG')
      const { cashBoxId, accessTokenSealed } = taken
      const accessToken = store.sealer.open(accessTokenSealed, cashBoxToken(cashBoxId))
      return { cashBoxId, accessToken }
    },
  }
}

/** Every PIN is as likely as every other. */
function randomPin(): string {
  return String(randomInt(PINS)).padStart(4, '0')
}
