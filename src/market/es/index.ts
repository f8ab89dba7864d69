// Spain (RD 1007/2023, Orden HAC/1177/2024; TicketBAI of the Basque provinces) as one entry of the
// market table.
import { remoteDrivers } from '../../device/es/remote.js'
import type { EsDevice } from '../../device/es/unit.js'
import { isWord } from '../kit/journal-word.js'
import { marketOf } from '../kit/market.js'
import { auditorOf } from './audit.js'
import { caseRules } from './cases.js'
import { describe } from './describe.js'
import {
  eventJournal,
  recordJournal,
  ticketbaiJournal,
  verifactuJournal,
} from './export/journal.js'
import { noteExport } from './export/note.js'
import facts from './facts.json' with { type: 'json' }
import { lookUp } from './history.js'
import { page } from './page.js'
import { preview, process, stateAt } from './process.js'
import { type EsState, esState, identification, initial, queueConfiguration } from './queue.js'
import { demo, templates } from './rollout.js'
import { SEND, workSend } from './transmit.js'

export const spain = marketOf<EsState, EsDevice>({
  ...{ facts, page, cases: caseRules, process, preview, describe, lookUp, auditorOf },
  queue: { configuration: queueConfiguration, identification, state: esState, initial, stateAt },
  isStatus: isWord('0x4553200000000000', '0x4553200000001000'),
  exports: [
    ...[verifactuJournal, ticketbaiJournal, eventJournal, recordJournal],
    { name: 'registros.json', run: recordJournal.run, verified: 'alone' },
    { name: 'eventos.json', run: eventJournal.run },
  ],
  drivers: remoteDrivers,
  outbox: { [SEND]: workSend, exported: noteExport },
  rollout: { demo, templates },
})
