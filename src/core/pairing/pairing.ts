// Pairing: a PIN of four digits is made for a cash box and gives out its credentials, once.
// Called by the command line and api/possystem.
import { randomInt } from 'node:crypto'
import { fail } from '../../errors.js'
import { isUuid } from '../../lib/id.js'
import { findCashBox } from '../../store/cashboxes.js'
import type { Store } from '../../store/client.js'
import type { Connection } from '../../store/issued.js'
import { cashBoxToken } from '../../store/master-key.js'
import {
  type BoxKey,
  insertPin,
  insertPinAlone,
  type LivePin,
  type NewPin,
  takePin,
} from '../../store/pairing.js'

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
   * when half of all PINs are live.
   */
  create(cashBoxId: string): Promise<NewPairing>
  /** The same for a cash box that is known to be there; commits with what else `on` writes. */
  createIn(on: Pick<Connection, 'query'>, box: BoxKey): Promise<NewPairing>
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
  const made = async (
    { accountId, cashBoxId }: BoxKey,
    insert: (pin: NewPin) => Promise<LivePin | undefined>,
  ): Promise<NewPairing> => {
    const pins = Array.from({ length: TRIES }, randomPin)
    const rules = { seconds: LIVE_SECONDS, most: MOST_LIVE }
    const live = await insert({ accountId, cashBoxId, hashes: pins.map(hashesOf), ...rules })
    if (live === undefined) throw fail('PIN_NONE_FREE')
    return { cashBoxId, pin: pins[live.at] ?? '', expiresAt: live.expiresAt }
  }
  return {
    create: async (id) => {
      const box = isUuid(id) ? await findCashBox(store, id.toLowerCase()) : undefined
      if (box === undefined) throw fail('CASH_BOX_UNKNOWN', { cashBox: id })
      return made(box, (pin) => insertPinAlone(store, pin))
    },
    createIn: (on, box) => made(box, (pin) => insertPin(on, pin)),
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
