// Italy (D.Lgs. 127/2015, art. 2: Registratore Telematico) as one entry of the market table.
import { customPrinter } from '../../device/it/custom-printer.js'
import { customServer } from '../../device/it/custom-server.js'
import { epsonPrinter } from '../../device/it/epson-printer.js'
import { epsonServer } from '../../device/it/epson-server.js'
import {
  CUSTOM_PRINTER,
  CUSTOM_SERVER,
  EPSON_PRINTER,
  EPSON_SERVER,
  type RtDevice,
} from '../../device/it/unit.js'
import { isWord } from '../kit/journal-word.js'
import { marketOf } from '../kit/market.js'
import { ItAuditor } from './audit.js'
import { caseRules } from './cases.js'
import { describe } from './describe.js'
import { documentJournal } from './export.js'
import facts from './facts.json' with { type: 'json' }
import { lookUp } from './history.js'
import { page } from './page.js'
import { preview, process, stateAt } from './process.js'
import { type ItState, identification, initial, itState, queueConfiguration } from './queue.js'
import { demo, templates } from './rollout.js'

export const italy = marketOf<ItState, RtDevice>({
  facts: { ...facts, watch: { openSince: ['openSince'] } },
  ...{ page, cases: caseRules, process, preview, describe, lookUp },
  auditorOf: (state) => new ItAuditor(state),
  queue: { configuration: queueConfiguration, identification, state: itState, initial, stateAt },
  isStatus: isWord('0x4954200000000000', '0x4954200000001000'),
  exports: [
    documentJournal,
    { name: 'documenti.ndjson', run: documentJournal.run, verified: 'alone' },
  ],
  drivers: {
    ...{ [EPSON_PRINTER]: epsonPrinter, [EPSON_SERVER]: epsonServer },
    ...{ [CUSTOM_PRINTER]: customPrinter, [CUSTOM_SERVER]: customServer },
  },
  rollout: { demo, templates },
})
