// Germany (KassenSichV) as one entry of the market table.

import type { Tse } from '../../device/tse/tse.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { seeking } from '../kit/draft.js'
import { noteGivenOut } from '../kit/held.js'
import { DeAuditor, describeQueue, describeRaw } from './audit.js'
import { stateAt } from './closing.js'
import { DIEBOLD_PACKAGE, dieboldDriver } from './devices/diebold/driver.js'
import { EPSON_PACKAGE, epsonDriver } from './devices/epson/driver.js'
import { FCC_PACKAGE, fccDriver } from './devices/fcc/driver.js'
import { FISKALY_PACKAGE, fiskalyDriver } from './devices/fiskaly/driver.js'
import { REMOTE_PACKAGE, remoteDriver } from './devices/remote.js'
import { SWISSBIT_CLOUD_PACKAGE, swissbitCloudDriver } from './devices/swissbit-cloud/driver.js'
import { dsfinvk } from './export/dsfinvk/dsfinvk.js'
import { periodTar, unitIds } from './export/period-tar.js'
import { archivedTar, memoryTar } from './export/tar.js'
import { caseRules } from './mapping.js'
import { notification, readPostalCode, readTaxNumber } from './notification.js'
import { placeRules } from './place.js'
import { preview, process } from './process.js'
import {
  type DeState,
  deState,
  identification,
  initial,
  openIn,
  queueConfiguration,
} from './queue.js'
import { reports } from './reports.js'
import { demo, templates } from './rollout.js'
import { page } from './text.js'

export const germany: Market<DeState, Tse> = {
  facts: {
    code: 'DE',
    zone: 'Europe/Berlin',
    currency: 'EUR',
    legalName: 'Kassensicherungsverordnung (KassenSichV)',
    culture: 'de-DE',
    holidays: { fixed: ['01-01', '05-01', '10-03', '12-25', '12-26'], easter: [-2, 1, 39, 50] },
    // a person should know that the TSE was mended before the register goes on with it
    outage: { autopilot: 'advise' },
    capabilities: {
      ...NO_CAPABILITIES,
      tse: true,
      masterData: true,
      queueDates: true,
      unitDescriptions: true,
    },
    unitsServe: { as: 'module', whileLinked: false },
    masterData: { taxNumber: readTaxNumber, postalCode: readPostalCode },
    page,
    watch: {
      openSince: ['firstSinceClosing'],
      transactionSince: ['openTransactions', '0', 'startMoment'],
      logMissingSince: ['logMissingSince'],
      // no law says when; a register that is lost should not take a year with it (GoBD, 103)
      archive: { path: ['heldSince'], days: { remindDays: 365 } },
      memory: { used: ['memoryUsed'], unit: ['scuId'] },
      unitSerial: '^[0-9a-f]{64}$',
      posSystems: true,
    },
    reports,
    place: placeRules,
  },
  cases: caseRules,
  queue: {
    ...{ configuration: queueConfiguration, identification, state: deState, initial, stateAt },
    lookUp: seeking(),
    link: ({ scuId, scuSwitch }) => ({ scuId, switching: scuSwitch }),
  },
  process,
  preview,
  exports: [
    memoryTar,
    dsfinvk,
    archivedTar,
    { name: 'dsfinvk.zip', run: dsfinvk.run, verified: 'alone' },
    { name: 'tse/{each}.tar', each: unitIds, run: periodTar, verified: 'part' },
  ],
  describe: { queue: describeQueue, row: describeRaw },
  drivers: {
    [REMOTE_PACKAGE]: remoteDriver,
    [FISKALY_PACKAGE]: fiskalyDriver,
    [EPSON_PACKAGE]: epsonDriver,
    [DIEBOLD_PACKAGE]: dieboldDriver,
    [SWISSBIT_CLOUD_PACKAGE]: swissbitCloudDriver,
    [FCC_PACKAGE]: fccDriver,
  },
  outage: { closing: 0x4445_0001_0000_0002n, openIn },
  outbox: {
    // a receipt is in no DSFinV-K until a closing has it
    exported: noteGivenOut<DeState>({
      has: dsfinvk.matches,
      missingSince: ({ firstSinceClosing }) => firstSinceClosing,
    }),
  },
  audit: (_queue, state) => new DeAuditor(state),
  rollout: { demo, templates, notification },
}
