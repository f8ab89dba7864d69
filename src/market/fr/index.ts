// France (CGI 286-I-3° bis) as one entry of the market table.
import type { JwsDevice } from '../../device/jws.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { openOutages } from '../kit/draft.js'
import { ARCHIVE_CHECK, checkArchive } from './archive-check.js'
import { FrAuditor } from './audit.js'
import { caseRules } from './cases.js'
import { describeMarketRow, describeQueue } from './describe.js'
import { archives, archiveZip } from './export/archive.js'
import { groups } from './export/groups.js'
import { page } from './page.js'
import { preview, process, stateAt } from './process.js'
import { type FrState, frState, identification, initial, queueConfiguration } from './queue.js'
import { lookUp } from './reading.js'
import { REMOTE_PACKAGE, remoteDriver } from './remote.js'
import { demo, templates } from './rollout.js'

export const france: Market<FrState, JwsDevice> = {
  facts: {
    code: 'FR',
    zone: 'Europe/Paris',
    currency: 'EUR',
    legalName: 'Code général des impôts, article 286, I, 3° bis',
    culture: 'fr-FR',
    holidays: {
      fixed: ['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'],
      easter: [1, 39, 50],
    },
    outage: { autopilot: 'advise' },
    capabilities: { ...NO_CAPABILITIES, unitDescriptions: true, outletLocation: true },
    page,
    watch: { openSince: ['openSince', 'day'] },
  },
  cases: caseRules,
  queue: {
    configuration: queueConfiguration,
    identification,
    state: frState,
    initial,
    stateAt,
    lookUp,
  },
  process,
  preview,
  exports: [archives, archiveZip, ...groups],
  describe: { queue: describeQueue, row: (row, { queue }) => describeMarketRow(row, queue.id) },
  drivers: { [REMOTE_PACKAGE]: remoteDriver },
  outage: {
    closing: 0x4652_0000_0000_000fn,
    openIn: ({ failed }) =>
      openOutages({ register: { receipts: failed.count, since: failed.momentMin } }),
  },
  outbox: { [ARCHIVE_CHECK]: checkArchive },
  audit: (_queue, state) => new FrAuditor(state),
  rollout: { demo, templates },
}
