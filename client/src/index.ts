// A client per group of interfaces; addresses, bodies and answers are those of the documents.
import { type Client, clientOf, type Settings } from './client.js'
import type { paths as Dealer } from './made/dealer.js'
import type { paths as Middleware } from './made/middleware.js'
import type { paths as Platform } from './made/platform.js'
import type { paths as PosSystem } from './made/possystem.js'

export { type Client, Lost, Refused, type Settings } from './client.js'
export { readJson, writeJson } from './json.js'
export type { Dealer, Middleware, Platform, PosSystem }

export interface Till {
  cashBoxId: string
  accessToken: string
}

export interface Account {
  accountId: string
  accessToken: string
}

/** Pay, sign, issue. Every call has an operation id: lost answers are fetched again by it. */
export const posSystem = (
  { cashBoxId, accessToken, posSystemId }: Till & { posSystemId: string },
  settings: Settings,
): Client<PosSystem> =>
  clientOf(settings, {
    headers: {
      'x-cashbox-id': cashBoxId,
      'x-cashbox-accesstoken': accessToken,
      'x-possystem-id': posSystemId,
    },
    operation: 'x-operation-id',
  })

/** The interface of existing clients. What was lost is asked for by the receipt request flag. */
export const middleware = (
  { cashBoxId, accessToken }: Till,
  settings: Settings,
): Client<Middleware> =>
  clientOf(settings, { headers: { cashboxid: cashBoxId, accesstoken: accessToken } })

/** Merchants, outlets, registers. What makes something is repeated with the option `once`. */
export const dealer = (account: Account, settings: Settings): Client<Dealer> =>
  clientOf(settings, { headers: { ...account } })

/** Problems, events, jobs. */
export const platform = (account: Account, settings: Settings): Client<Platform> =>
  clientOf(settings, { headers: { ...account } })
