// Pairing: a PIN of four digits is made for a cash box and gives out its credentials, once.
import { randomInt } from 'node:crypto'
import { fail } from '../../../errors.js'
import { isUuid } from '../../../lib/id.js'
import {
  type BoxKey,
  insertPin,
  insertPinAlone,
  type LivePin,
  type NewPin,
  type PinRules,
  type TakenPin,
  takePin,
  tryPin,
} from '../../../store/account/pairing.js'
import { countTry, takeTryBack } from '../../../store/account/pairing-guesses.js'
import type { Store } from '../../../store/client.js'
import { cashBoxToken } from '../../../store/master-key.js'
import { findCashBox } from '../../../store/rollout/cashboxes.js'
import type { Connection } from '../../../store/transaction.js'
import { afterWrong, DAY_FACTOR, later, lifeSeconds, mostOpen, PINS } from './policy.js'

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
   * when as many are live as may be (policy.ts).
   */
  create(cashBoxId: string): Promise<NewPairing>
  /** The same for a cash box that is known to be there; commits with what else `on` writes. */
  createIn(on: Pick<Connection, 'query'>, box: BoxKey): Promise<NewPairing>
  /**
   * Throws PIN_WRONG for a PIN that is unknown, used or over; they cannot be told apart. Throws
   * PIN_LIMITED when this network (lib/network.ts) has sent too many wrong ones.
   */
  redeem(pin: string, network: string): Promise<PairedBox>
}

/** Few of all PINs are taken: so many tries in a row never are. */
const TRIES = 64
const CONTEXT = 'pairing-pin'

export interface PairingLimits {
  /** Wrong PINs of a network within a minute; 0: wrong ones are not counted at all. */
  wrongPerMinute: number
}

const LIMITS: PairingLimits = { wrongPerMinute: 5 }

const RULES: PinRules = {
  mostOpen: (chances) => mostOpen(later(chances, chances.seconds)),
  lifeSeconds: (chances) => lifeSeconds(later(chances, chances.seconds)),
  afterWrong: (chances, open) => afterWrong(later(chances, chances.seconds), open),
}

export function createPairing(store: Store, { wrongPerMinute } = LIMITS): Pairing {
  const hashesOf = (pin: string) => store.sealer.keyedHashes(pin, CONTEXT)
  const made = async (
    { accountId, cashBoxId }: BoxKey,
    insert: (pin: NewPin) => Promise<LivePin | undefined>,
  ): Promise<NewPairing> => {
    const pins = Array.from({ length: TRIES }, randomPin)
    const hashes = pins.map(hashesOf)
    const live = await insert({ accountId, cashBoxId, hashes, rules: RULES })
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
    redeem: async (pin, network) => {
      const hashes = hashesOf(pin)
      const taken = await (wrongPerMinute === 0
        ? takePin(store, hashes)
        : tried({ store, network, wrongPerMinute }, hashes))
      if (taken === undefined) throw fail('PIN_WRONG')
      const { cashBoxId, accessTokenSealed } = taken
      const accessToken = store.sealer.open(accessTokenSealed, cashBoxToken(cashBoxId))
      return { cashBoxId, accessToken }
    },
  }
}

/** Counted before it is known to be wrong: tries at the same time must not all pass. */
async function tried(
  { store, network, wrongPerMinute }: { store: Store; network: string; wrongPerMinute: number },
  hashes: readonly Buffer[],
): Promise<TakenPin | undefined> {
  const limits = { perMinute: wrongPerMinute, perDay: wrongPerMinute * DAY_FACTOR }
  if (!(await countTry(store, network, limits))) throw fail('PIN_LIMITED')
  const taken = await tryPin(store, hashes, RULES)
  if (taken !== undefined) await takeTryBack(store, network)
  return taken
}

/** Every PIN is as likely as every other. */
function randomPin(): string {
  return String(randomInt(PINS)).padStart(4, '0')
}
