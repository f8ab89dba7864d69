// The table of countries: the only place that knows which there are.
// The core and the groups reach a country through marketOf.

import type { Driver } from '../device/driver.js'
import { SOFTWARE_PACKAGE as ES_SOFTWARE } from '../device/es/unit.js'
import { SOFTWARE_PACKAGE as GR_SOFTWARE } from '../device/gr/unit.js'
import { SOFTWARE_PACKAGE as IT_SOFTWARE } from '../device/it/unit.js'
import { SOFTWARE_PACKAGE as FR_SOFTWARE } from '../device/jws.js'
import { SOFTWARE_PACKAGE as PT_SOFTWARE } from '../device/pt/unit.js'
import { SOFTWARE_PACKAGE as AT_SOFTWARE } from '../device/rksv.js'
import { SOFTWARE_PACKAGE as DE_SOFTWARE } from '../device/tse/tse.js'
import { emulator as verifactu } from '../simulator/es/unit.js'
import { emulator as mydata } from '../simulator/gr/unit.js'
import { emulator as rt } from '../simulator/it/unit.js'
import { emulator as jws } from '../simulator/jws/signer.js'
import { emulator as producer } from '../simulator/pt/unit.js'
import { emulator as signer } from '../simulator/rksv/signer.js'
import { emulator as tse } from '../simulator/tse/emulator.js'
import { austria } from './at/index.js'
import type { Export, LegalFile, Market, StatusName } from './contract.js'
import { germany } from './de/index.js'
import { spain } from './es/index.js'
import type { MarketFacts } from './facts.js'
import { france } from './fr/index.js'
import { greece } from './gr/index.js'
import { italy } from './it/index.js'
import { portugal } from './pt/index.js'

/** A market's devices, and the one that lies in this server. */
function simulated<S, D>(market: Market<S, D>, name: string, driver: Driver<D>): Market<S, D> {
  return { ...market, drivers: { [name]: driver, ...market.drivers } }
}

export const markets = {
  AT: simulated(austria, AT_SOFTWARE, signer),
  DE: simulated(germany, DE_SOFTWARE, tse),
  FR: simulated(france, FR_SOFTWARE, jws),
  GR: simulated(greece, GR_SOFTWARE, mydata),
  IT: simulated(italy, IT_SOFTWARE, rt),
  PT: simulated(portugal, PT_SOFTWARE, producer),
  ES: simulated(spain, ES_SOFTWARE, verifactu),
} satisfies Record<string, Market>

export type MarketCode = keyof typeof markets

export function isMarketCode(code: string): code is MarketCode {
  return Object.hasOwn(markets, code)
}

/** The market of a stored queue or signing unit. Throws for a code that is not in the table. */
export function marketOf(code: string): Market {
  if (!isMarketCode(code)) throw new Error(`there is no market ${code}`)
  return markets[code]
}

/** What is asked for by a journal type. */
export function typesOf({ exports }: Pick<Market, 'exports'>): (Export | StatusName)[] {
  return exports.filter((one) => 'matches' in one)
}

/** What lies in an inspection bundle, in its order. */
export function filesOf({ exports }: Pick<Market, 'exports'>): LegalFile[] {
  return exports.filter((one) => 'name' in one)
}

/** Facts of a country by its letters; undefined for one that is not in the table. */
export function factsOf(code: string): MarketFacts | undefined {
  return isMarketCode(code) ? markets[code].facts : undefined
}

/** Codes of the countries in which outages are acted upon unless a cash box says otherwise. */
export function actingMarkets(sandbox: boolean): string[] {
  const all = Object.values(markets).map(({ facts }) => facts)
  return all.flatMap(({ code, outage }) => (sandbox || outage?.autopilot === 'act' ? code : []))
}

const serving = (as: 'signer' | 'module') =>
  Object.values(markets).flatMap((market: Market) => {
    const { unitsServe } = market.facts
    return unitsServe?.as === as ? { market, whileLinked: unitsServe.whileLinked } : []
  })

/** Whose units sign any bytes for others, and whether they do while a queue signs with them. */
export const servingMarkets = serving('signer')

/** Whose security devices sign for other servers, and whether they do so meanwhile. */
export const moduleMarkets = serving('module')

/** Of every country. */
export const everyFacts: readonly MarketFacts[] = Object.values(markets).map(({ facts }) => facts)

/** Of units that want something from time to time, whoever's they are. */
export const caredPackages: readonly string[] = Object.values(markets).flatMap((market: Market) =>
  Object.entries(market.drivers).flatMap(([name, driver]) =>
    driver.maintain === undefined ? [] : [name],
  ),
)
