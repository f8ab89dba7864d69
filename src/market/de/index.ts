// Germany (KassenSichV) as one entry of the market table.
// Imported by market/index.ts only.
import type { Market } from '../market.js'
import { identification, queueConfiguration } from './configuration.js'
import { demo } from './demo.js'
import { describeMarketRow, describeQueue } from './describe.js'
import { process } from './process.js'
import { admit } from './reading.js'
import { type DeState, deState, initialState } from './state.js'
import type { Tse } from './tse/tse.js'
import { isReceiptRequest, withoutReceiptRequest } from './words.js'

export const germany: Market<DeState, Tse> = {
  facts: {
    code: 'DE',
    zone: 'Europe/Berlin',
    currency: 'EUR',
    legalName: 'Kassensicherungsverordnung (KassenSichV)',
    capabilities: { tse: true, masterData: true, queueDates: false },
  },
  configuration: queueConfiguration,
  identification,
  demo,
  state: deState,
  initialState,
  admit,
  isReceiptRequest,
  withoutReceiptRequest,
  process,
  statusTypes: ['0x4445200000001000'],
  exports: {},
  describeQueue,
  describeMarketRow,
  verifiers: [],
  listNames: { queue: 'QueueDEList', scu: 'SignaturCreationUnitDEList' },
  drivers: {},
}
