// Germany (KassenSichV) as one entry of the market table.
// Imported by market/index.ts only.

import type { Tse } from '../../device/tse/tse.js'
import { EMULATOR_PACKAGE, emulator } from '../../simulator/tse/emulator.js'
import { type Market, NO_CAPABILITIES } from '../contract.js'
import { DeAuditor } from './audit.js'
import { caseRules } from './case-rules.js'
import { identification, queueConfiguration } from './configuration.js'
import { demo } from './demo.js'
import { describeMarketRow, describeQueue, describeRaw } from './describe.js'
import { REMOTE_PACKAGE, remoteDriver } from './devices/remote.js'
import { dsfinvk } from './export/dsfinvk/dsfinvk.js'
import { archivedTar, memoryTar } from './export/tar.js'
import { notification } from './notification.js'
import { page } from './page.js'
import { preview } from './preview.js'
import { process } from './process.js'
import { rollout } from './rollout.js'
import { type DeState, deState, initialState } from './state.js'
import { stateAt } from './status-word.js'
import { readPostalCode, readTaxNumber } from './tax-number.js'

export const germany: Market<DeState, Tse> = {
  facts: {
    code: 'DE',
    zone: 'Europe/Berlin',
    currency: 'EUR',
    legalName: 'Kassensicherungsverordnung (KassenSichV)',
    culture: 'de-DE',
    capabilities: {
      ...NO_CAPABILITIES,
      tse: true,
      masterData: true,
      queueDates: true,
      unitDescriptions: true,
    },
    masterData: { taxNumber: readTaxNumber, postalCode: readPostalCode },
    page,
  },
  cases: caseRules,
  configuration: queueConfiguration,
  identification,
  notification,
  demo,
  rollout,
  state: deState,
  initialState,
  link: ({ scuId, scuSwitch }) => ({ scuId, switching: scuSwitch }),
  process,
  preview,
  statusTypes: ['0x4445200000001000'],
  exports: {
    '0x4445000000000001': memoryTar,
    '0x4445000000000002': dsfinvk,
    '0x4445000000000003': archivedTar,
    '0x4445200000001001': memoryTar,
    '0x4445200000001002': dsfinvk,
    '0x4445200000001003': archivedTar,
  },
  describeQueue,
  stateAt,
  describeMarketRow,
  describeRaw,
  listNames: { queue: 'QueueDEList', scu: 'SignaturCreationUnitDEList' },
  drivers: { [EMULATOR_PACKAGE]: emulator, [REMOTE_PACKAGE]: remoteDriver },
  audit: (_queue, state) => new DeAuditor(state),
}
