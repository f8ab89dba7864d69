// France (CGI 286-I-3° bis) as one entry of the market table.
import { type JwsDevice, REMOTE_PACKAGE } from '../../device/jws.js'
import { remoteUnit } from '../../device/remote-signer/outlet-unit.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { openOutages, seeking } from '../kit/draft.js'
import { lateMode } from '../kit/late-entry.js'
import { ARCHIVE_CHECK, ARCHIVE_DAYS, checkArchive, noteExport } from './archive-check.js'
import { auditorOf } from './audit.js'
import { caseRules } from './cases.js'
import { describeMarketRow, describeQueue } from './describe.js'
import { archives, archiveZip } from './export/archive.js'
import { groups } from './export/groups.js'
import { lines } from './export/lines.js'
import lists from './lists.json' with { type: 'json' }
import { page } from './page.js'
import { preview, process, stateAt } from './process.js'
import { type FrState, frState, identification, initial, queueConfiguration } from './queue.js'
import { lookUp } from './reading.js'
import { demo, templates } from './rollout.js'
import { wanted } from './wanted.js'

export const france: Market<FrState, JwsDevice> = {
  facts: {
    code: 'FR',
    zone: 'Europe/Paris',
    currency: 'EUR',
    legalName: 'Code général des impôts, article 286, I, 3° bis',
    culture: 'fr-FR',
    holidays: { fixed: lists.holidays, easter: [1, 39, 50] },
    outage: { autopilot: 'advise' },
    capabilities: { ...NO_CAPABILITIES, unitDescriptions: true },
    // a document is proven by its signature alone: the key of a queue must not sign for others
    unitsServe: { as: 'signer', whileLinked: false },
    page,
    watch: {
      openSince: ['openSince', 'day'],
      archive: {
        path: ['archiveFrom', 'moment'],
        days: { remindDays: 330, mostDays: ARCHIVE_DAYS },
      },
    },
  },
  cases: { ...caseRules, wanted },
  queue: {
    ...{ configuration: queueConfiguration, identification, state: frState, initial, stateAt },
    lookUp: seeking(lookUp),
  },
  process,
  preview,
  exports: [archives, archiveZip, lines, ...groups],
  describe: { queue: describeQueue, row: (row, { queue }) => describeMarketRow(row, queue.id) },
  drivers: { [REMOTE_PACKAGE]: remoteUnit },
  outage: {
    closing: 0x4652_0000_0000_000fn,
    openIn: ({ failed }) => openOutages({ register: lateMode(failed) }),
  },
  outbox: { [ARCHIVE_CHECK]: checkArchive, exported: noteExport },
  audit: (_queue, state) => auditorOf(state),
  rollout: { demo, templates },
}
