// Who and where: the master data of a closing as rows need them.
import type { PosSystem as AccountPosSystem } from '../../../../model/pos-system.js'
import type { MasterData } from '../../queue.js'

const BASE_CURRENCY = 'EUR'
/** ISO 4217. */
const CURRENCY = /^[A-Z]{3}$/

type PosSystem = NonNullable<MasterData['PosSystems']>[number]
type Outlet = NonNullable<MasterData['Outlet']>
type Agency = NonNullable<MasterData['Agencies']>[number]

export class Master {
  readonly account: NonNullable<MasterData['Account']>
  readonly outlet: Outlet
  private readonly agencies: readonly Agency[]
  private readonly posSystems: readonly PosSystem[]
  private readonly known: readonly AccountPosSystem[]

  /** `known`: what the account knows beside the closing's own data. */
  constructor(data: MasterData, known: readonly AccountPosSystem[] = []) {
    this.account = data.Account ?? {}
    this.outlet = outletOf(data)
    this.agencies = data.Agencies ?? []
    this.posSystems = data.PosSystems ?? []
    this.known = known
  }

  /** By ftPosSystemId; a queue with one system need not name it. */
  posSystem(id: string | null): PosSystem {
    const found = this.posSystems.find(({ PosSystemId }) => sameId(PosSystemId, id))
    return found ?? this.ofAccount(id) ?? this.posSystems[0] ?? {}
  }

  private ofAccount(id: string | null): PosSystem | undefined {
    const found = this.known.find((one) => sameId(one.id, id))
    if (found === undefined) return undefined
    return {
      Brand: found.brand,
      Model: found.model,
      SoftwareVersion: found.softwareVersion,
      BaseCurrency: found.baseCurrency,
    }
  }

  baseCurrency(posSystemId: string | null): string {
    const code = (this.posSystem(posSystemId).BaseCurrency ?? '').trim().toUpperCase()
    return CURRENCY.test(code) ? code : BASE_CURRENCY
  }

  /** AGENTUR_ID: the place in the master data from 1 on; 0 for none and for an unknown one. */
  agencyNumber(id: string): number {
    if (id === '') return 0
    return this.agencies.findIndex(({ AgencyId }) => sameId(AgencyId, id)) + 1
  }

  agency(number: number): Agency {
    return this.agencies[number - 1] ?? {}
  }
}

/** LOC_* must be filled: where no outlet is named, or no address of it, it is the taxpayer's. */
function outletOf({ Account: account = {}, Outlet: outlet = {} }: MasterData): Outlet {
  const parts = [outlet.Street, outlet.Zip, outlet.City, outlet.Country]
  const isAddress = parts.some((part) => (part ?? '').trim() !== '')
  const { Street, Zip, City, Country } = isAddress ? outlet : account
  const isNamed = (outlet.OutletName ?? '').trim() !== ''
  const OutletName = isNamed ? outlet.OutletName : account.AccountName
  return { ...outlet, OutletName, Street, Zip, City, Country }
}

function sameId(a: string | undefined, b: string | null): boolean {
  return a !== undefined && b !== null && a.toLowerCase() === b.toLowerCase()
}
