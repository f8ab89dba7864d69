// Germany (KassenSichV) as one entry of the market table.

import type { Tse } from '../../device/tse/tse.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { DeAuditor } from './audit.js'
import { caseRules } from './case-rules.js'
import { identification, queueConfiguration } from './configuration.js'
import { demo } from './demo.js'
import { describeQueue, describeRaw } from './describe.js'
import { REMOTE_PACKAGE, remoteDriver } from './devices/remote.js'
import { dsfinvk } from './export/dsfinvk/dsfinvk.js'
import { archivedTar, memoryTar } from './export/tar.js'
import { notification } from './notification.js'
import { page } from './page.js'
import { preview } from './preview.js'
import { process } from './process.js'
import { templates } from './rollout.js'
import { type DeState, deState, initial } from './state.js'
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
  queue: {
    ...{ configuration: queueConfiguration, identification, state: deState, initial, stateAt },
    link: ({ scuId, scuSwitch }) => ({ scuId, switching: scuSwitch }),
  },
  process,
  preview,
  exports: [memoryTar, dsfinvk, archivedTar],
  describe: { queue: describeQueue, row: describeRaw },
  drivers: { [REMOTE_PACKAGE]: remoteDriver },
  audit: (_queue, state) => new DeAuditor(state),
  rollout: { demo, templates, notification },
}
