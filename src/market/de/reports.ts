// What tax offices are told of registers (§ 146a (4) AO), by when.
import type { ReportRule } from '../../model/report.js'
import { monthAfter } from '../kit/deadline.js'
import { berlin } from './closing.js'

export const reports: readonly ReportRule[] = [
  {
    kind: 'place',
    on: 'placeChanged',
    due: (moment) => monthAfter(berlin, moment),
    words: {
      en: {
        title: 'Notify the registers of the place (§ 146a (4) AO)',
        action: 'Fetch the XML of the place, and upload it in Mein ELSTER.',
      },
      de: {
        title: 'Kassen der Betriebsstätte mitteilen (§ 146a Abs. 4 AO)',
        action: 'Die XML-Datei der Betriebsstätte abrufen und in Mein ELSTER hochladen.',
      },
      fr: {
        title: "Déclarer les caisses de l'établissement (§ 146a (4) AO)",
        action: "Téléchargez le fichier XML de l'établissement, puis déposez-le dans Mein ELSTER.",
      },
    },
  },
]
