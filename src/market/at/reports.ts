// What FinanzOnline is told of registers (RKSV §§ 16 and 17, decree of the ministry 3.6), by when.
import type { ReportRule } from '../../model/report.js'
import { nextYear, weekAfter } from '../kit/deadline.js'
import { vienna } from './local-time.js'

/** "Without undue delay" is a week at the most for the ministry. */
const week = (moment: Date): Date => weekAfter(vienna, moment)

/** § 8 (3) RKSV: the yearly receipt is checked by 15 February of the year after. */
const february = (moment: Date): Date => nextYear(vienna, moment, { month: 2, day: 15 })

export const reports: readonly ReportRule[] = [
  {
    kind: 'unit',
    on: 'unitStarted',
    due: week,
    words: {
      en: {
        title: 'Register the signing unit',
        action: 'FinanzOnline, Registrierkassen: enter kind, provider (ZDA) and serial number.',
      },
      de: {
        title: 'Signatureinheit registrieren',
        action: 'FinanzOnline, Registrierkassen: Art, Vertrauensdiensteanbieter und Seriennummer.',
      },
      fr: {
        title: "Enregistrer l'unité de signature",
        action: 'FinanzOnline, Registrierkassen : type, prestataire (ZDA) et numéro de série.',
      },
    },
  },
  {
    kind: 'register',
    on: 'registerStarted',
    due: week,
    words: {
      en: {
        title: 'Register the cash register',
        action: 'FinanzOnline, Registrierkassen: enter Kassen-ID, AES key and its check value.',
      },
      de: {
        title: 'Registrierkasse registrieren',
        action: 'FinanzOnline, Registrierkassen: Kassen-ID, AES-Schlüssel und Prüfwert eintragen.',
      },
      fr: {
        title: 'Enregistrer la caisse',
        action: 'FinanzOnline, Registrierkassen : Kassen-ID, clé AES et sa valeur de contrôle.',
      },
    },
  },
  {
    kind: 'start_check',
    on: 'registerStarted',
    due: week,
    words: {
      en: {
        title: 'Check the start receipt',
        action: 'Scan its code with the app BMF Belegcheck, within a week of the start.',
      },
      de: {
        title: 'Startbeleg prüfen',
        action: 'Den Code mit der App BMF Belegcheck scannen, binnen einer Woche.',
      },
      fr: {
        title: 'Vérifier le ticket de départ',
        action: "Scannez son code avec l'application BMF Belegcheck, dans la semaine.",
      },
    },
  },
  {
    kind: 'yearly_check',
    on: 'yearEnded',
    due: february,
    words: {
      en: {
        title: 'Make the yearly receipt and check it',
        action: 'Send the yearly receipt, then scan its code with BMF Belegcheck by 15 February.',
      },
      de: {
        title: 'Jahresbeleg erstellen und prüfen',
        action: 'Den Jahresbeleg erstellen und bis 15. Februar mit BMF Belegcheck prüfen.',
      },
      fr: {
        title: 'Établir le ticket annuel et le vérifier',
        action:
          'Établissez le ticket annuel et vérifiez-le avec BMF Belegcheck avant le 15 février.',
      },
    },
  },
  ...outage('device', {
    en: 'signing unit',
    de: 'der Signatureinheit',
    fr: "l'unité de signature",
  }),
  ...outage('register', {
    en: 'cash register',
    de: 'der Registrierkasse',
    fr: 'la caisse',
  }),
  {
    kind: 'unit_end',
    on: 'unitStopped',
    due: week,
    words: {
      en: {
        title: 'Report that the signing unit is out of operation',
        action:
          'FinanzOnline, Registrierkassen: final removal of the unit, unless it is used again.',
      },
      de: {
        title: 'Außerbetriebnahme der Signatureinheit melden',
        action: 'FinanzOnline, Registrierkassen: außer Betrieb, wenn sie nicht weiter dient.',
      },
      fr: {
        title: "Déclarer l'unité de signature hors service",
        action: 'FinanzOnline, Registrierkassen : retrait définitif, sauf si elle sert encore.',
      },
    },
  },
  {
    kind: 'register_end',
    on: 'registerStopped',
    due: week,
    words: {
      en: {
        title: 'Report that the cash register is out of operation',
        action: 'FinanzOnline, Registrierkassen: final removal, with reason and moment.',
      },
      de: {
        title: 'Außerbetriebnahme der Registrierkasse melden',
        action: 'FinanzOnline, Registrierkassen: außer Betrieb nehmen, mit Grund und Zeitpunkt.',
      },
      fr: {
        title: 'Déclarer la caisse hors service',
        action: 'FinanzOnline, Registrierkassen : retrait définitif, avec motif et date.',
      },
    },
  },
]

function outage(
  cause: 'device' | 'register',
  name: Readonly<Record<'en' | 'de' | 'fr', string>>,
): ReportRule[] {
  const thing = cause === 'device' ? 'unit' : 'register'
  const begins: ReportRule = {
    kind: `${thing}_outage`,
    on: 'outageLasted',
    cause,
    due: week,
    words: {
      en: {
        title: `Report the outage of the ${name.en}`,
        action: 'FinanzOnline, Registrierkassen: reason and begin of the outage (over 48 hours).',
      },
      de: {
        title: `Ausfall ${name.de} melden`,
        action: 'FinanzOnline, Registrierkassen: Grund und Beginn des Ausfalls (über 48 Stunden).',
      },
      fr: {
        title: `Déclarer la panne de ${name.fr}`,
        action: 'FinanzOnline, Registrierkassen : motif et début de la panne (plus de 48 heures).',
      },
    },
  }
  const ends: ReportRule = {
    kind: `${thing}_outage_end`,
    on: 'outageEnded',
    cause,
    due: week,
    words: {
      en: {
        title: `Report the end of the outage of the ${name.en}`,
        action: 'FinanzOnline, Registrierkassen: moment from which it works again.',
      },
      de: {
        title: `Wiederinbetriebnahme ${name.de} melden`,
        action: 'FinanzOnline, Registrierkassen: Zeitpunkt der Wiederinbetriebnahme.',
      },
      fr: {
        title: `Déclarer la fin de la panne de ${name.fr}`,
        action: 'FinanzOnline, Registrierkassen : moment de la remise en service.',
      },
    },
  }
  return [begins, ends]
}
