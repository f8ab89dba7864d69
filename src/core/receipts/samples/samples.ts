// Receipts of every kind and market that the sandbox shows: signed by queues of their own, whose
// keys nobody has any more (scripts/samples/make.ts).
import { readFileSync } from 'node:fs'
import { NO_BRANDING } from '../../../model/branding.js'
import type { IssuedReceipt } from '../../../store/receipt/issued.js'

export interface SampleName {
  market: string
  /** Part of its address. */
  name: string
  title: string
}

interface Sample extends SampleName {
  /** The texts that were signed. */
  request: string
  response: string
}

export interface Samples {
  list(): readonly SampleName[]
  /** Names in any case; undefined: there is none. */
  receiptOf(market: string, name: string): IssuedReceipt | undefined
}

const SHOP = { street: 'Sample street 1', zip: '12345', city: 'Sampleville' }
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** The file is read with the first call. */
export function createSamples(): Samples {
  let read: readonly Sample[] | undefined
  const all = (): readonly Sample[] => {
    read ??= JSON.parse(readFileSync(new URL('receipts.json', import.meta.url), 'utf8'))
    return read ?? []
  }
  return {
    list: () => all().map(({ market, name, title }) => ({ market, name, title })),
    receiptOf: (market, name) => {
      const found = all().find(
        (one) => one.market === market.toUpperCase() && one.name === name.toLowerCase(),
      )
      return found === undefined ? undefined : issuedOf(found)
    },
  }
}

function issuedOf({ market, request, response }: Sample): IssuedReceipt {
  const answer = JSON.parse(response) as Record<string, string>
  return {
    accountId: NOBODY,
    cashBoxId: NOBODY,
    queueId: answer.ftQueueID ?? NOBODY,
    queueItemId: answer.ftQueueItemID ?? NOBODY,
    ...{ verified: true, request, response, market },
    ...{ accountName: 'Sample shop', accountCountry: market, outletName: null },
    outletDetails: JSON.stringify(SHOP),
    issuedAt: new Date(answer.ftReceiptMoment ?? 0),
    ...{ settingsVersion: '', files: [], branding: NO_BRANDING },
  }
}
