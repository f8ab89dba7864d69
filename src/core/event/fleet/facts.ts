// Reads out of signing units what lists show of them: serial number, certificate, state.
import { certificateEnd } from '../../../lib/certificate-end.js'
import type { Market } from '../../../market/contract.js'
import type { Store } from '../../../store/client.js'
import {
  type DueUnit,
  dueUnits,
  putFacts,
  type UnitFacts,
} from '../../../store/event/fleet/facts.js'

export interface FactsDeps {
  store: Store
  marketOf(code: string): Market
}

/** Units that are read together, and how long one look may take. */
const PAGE = 200
const LONGEST_MS = 5_000

/** Some new units of an account and its merchants: those of somebody who has just made them. */
export async function readNewUnits(deps: FactsDeps, accountId: string): Promise<void> {
  await readPage(deps, { which: 'new', accountId })
}

/** New units, and those that have changed. */
export async function readDueUnits(deps: FactsDeps): Promise<void> {
  const began = performance.now()
  for (const which of ['new', 'moved'] as const) {
    while ((await readPage(deps, { which })) && performance.now() - began < LONGEST_MS);
  }
}

/** True: there may be more of them. */
async function readPage(
  deps: FactsDeps,
  wanted: { which: 'new' | 'moved'; accountId?: string },
): Promise<boolean> {
  const due = await dueUnits(deps.store, { ...wanted, limit: PAGE })
  const read = await Promise.allSettled(due.map(factsOf(deps)))
  const facts = read.map((one, at) => (one.status === 'fulfilled' ? one.value : nothingOf(due[at])))
  await putFacts(
    deps.store,
    facts.flatMap((one) => one ?? []),
  )
  return due.length === PAGE
}

/** One that cannot be read must not hide the others, and is tried again. */
const nothingOf = (unit: DueUnit | undefined): UnitFacts | undefined =>
  unit && {
    ...{ accountId: unit.head.accountId, scuId: unit.head.id, serial: '', stamp: 0n },
    ...{ certificationId: null, certificateEnds: null, moduleState: null },
    ...{ signaturesUsed: null, memoryUsed: null },
  }

const factsOf =
  ({ marketOf }: FactsDeps) =>
  async ({ head, stamp }: DueUnit): Promise<UnitFacts> => {
    const driver = marketOf(head.market).drivers[head.package]
    const told = await driver?.describe(head)
    const module = driver?.module?.(head)
    const { signaturesUsed = null, memoryUsed = null } = module?.used ?? {}
    return {
      ...{ accountId: head.accountId, scuId: head.id, serial: told?.serial ?? '', stamp },
      certificateEnds: certificateEnd(told?.certificateBase64 ?? ''),
      ...{ certificationId: module?.certificationId ?? null, moduleState: module?.state ?? null },
      ...{ signaturesUsed, memoryUsed },
    }
  }
