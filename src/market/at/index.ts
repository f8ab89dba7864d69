// Austria (RKSV) as one entry of the market table.

import type { RksvDevice } from '../../device/rksv.js'
import type { Market } from '../contract.js'
import { NO_CAPABILITIES } from '../facts.js'
import { seeking } from '../kit/draft.js'
import { noteGivenOut } from '../kit/held.js'
import { isWord } from '../kit/journal-word.js'
import { AtAuditor } from './audit.js'
import { caseRules } from './cases.js'
import { describeMarketRow, describeQueue } from './describe.js'
import { ATRUST_PACKAGE, atrustDriver } from './devices/atrust.js'
import { CARD_PACKAGE, cardDriver } from './devices/card.js'
import { PRIMESIGN_PACKAGE, primesignDriver } from './devices/primesign.js'
import { dep7 } from './export/dep7.js'
import { dep131Json } from './export/dep131.js'
import { dep131Csv } from './export/dep131-csv.js'
import { openIn, SETTLES_ITS_OWN_MONTH_FROM, stateAt } from './modes.js'
import { page } from './page.js'
import { preview, process } from './process.js'
import { type AtState, atState, identification, initial, queueConfiguration } from './queue.js'
import { REMOTE_PACKAGE, remoteDriver } from './remote.js'
import { reports } from './reports.js'
import { demo, templates, turnoverKey } from './rollout.js'

export const austria: Market<AtState, RksvDevice> = {
  facts: {
    code: 'AT',
    zone: 'Europe/Vienna',
    currency: 'EUR',
    legalName: 'Registrierkassensicherheitsverordnung (RKSV)',
    culture: 'de-AT',
    holidays: {
      fixed: ['01-01', '01-06', '05-01', '08-15', '10-26', '11-01', '12-08', '12-25', '12-26'],
      easter: [1, 39, 50, 60],
    },
    monthlySwitch: 'EnableMonthlyExport',
    // § 17 RKSV; the collective receipt stands directly behind the last one without signature
    outage: {
      autopilot: 'act',
      report: { afterHours: 48, withinDays: 7, law: '§ 17 RKSV' },
    },
    capabilities: { ...NO_CAPABILITIES, unitDescriptions: true },
    // a device proves nothing but its key: the queue has the secret of the turnover counter
    unitsServe: { as: 'signer', whileLinked: true },
    page,
    reports,
    watch: {
      settled: { path: ['lastSettlementMoment'], ownMonthFrom: SETTLES_ITS_OWN_MONTH_FROM },
      // § 7 (3) RKSV: at least once in a quarter
      archive: { path: ['heldSince'], days: { remindDays: 78, mostDays: 92 } },
    },
  },
  cases: caseRules,
  queue: {
    ...{ configuration: queueConfiguration, identification, state: atState, initial, stateAt },
    lookUp: seeking(),
  },
  process,
  preview,
  exports: [
    dep7,
    dep131Json,
    dep131Csv,
    { isStatus: true, matches: isWord('0x4154200000001001') },
    { name: 'dep7.json', run: dep7.run, verified: 'chained' },
    { name: 'dep131.json', run: dep131Json.run, sharesItems: true },
    { name: 'dep131.csv', run: dep131Csv.run, sharesItems: true },
  ],
  describe: {
    queue: describeQueue,
    row: (row, { queue }) => describeMarketRow(row, queue.id),
  },
  drivers: {
    [REMOTE_PACKAGE]: remoteDriver,
    [ATRUST_PACKAGE]: atrustDriver,
    [PRIMESIGN_PACKAGE]: primesignDriver,
    [CARD_PACKAGE]: cardDriver,
  },
  outage: { closing: 0x4154_0000_0000_0002n, openIn },
  outbox: { exported: noteGivenOut({ has: dep7.matches }) },
  audit: (queue, state, secrets) => new AtAuditor(queue, state, secrets),
  rollout: { demo, templates, turnoverKey },
}
