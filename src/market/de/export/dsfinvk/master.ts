// Who and where: the master data of a closing as rows need them.
// Called by closing-rows.ts, pass.ts and dsfinvk.ts.
import type { MasterData } from '../../rows.js'

const BASE_CURRENCY = 'EUR'

type PosSystem = NonNullable<MasterData['PosSystems']>[number]
type Agency = NonNullable<MasterData['Agencies']>[number]

export class Master {
  readonly account: NonNullable<MasterData['Account']>
  readonly outlet: NonNullable<MasterData['Outlet']>
  private readonly agencies: readonly Agency[]
  private readonly posSystems: readonly PosSystem[]

  constructor(data: MasterData) {
    this.account = data.Account ?? {}
    this.outlet = data.Outlet ?? {}
    this.agencies = data.Agencies ?? []
    this.posSystems = data.PosSystems ?? []
  }

  /** By ftPosSystemId; a queue with one system need not name it. */
  posSystem(id: string | null): PosSystem {
    const found = this.posSystems.find(({ PosSystemId }) => sameId(PosSystemId, id))
    return found ?? this.posSystems[0] ?? {}
  }

  baseCurrency(posSystemId: string | null): string {
    return (this.posSystem(posSystemId).BaseCurrency ?? '').trim() || BASE_CURRENCY
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

function sameId(a: string | undefined, b: string | null): boolean {
  return a !== undefined && b !== null && a.toLowerCase() === b.toLowerCase()
}
