// What the state of an outage means and what comes next, for people.
import type { Language } from '../../../lib/language.js'
import type { OutageState } from '../../../model/outage.js'

export const NEXT_STEPS = [
  'none',
  'wait_for_closing',
  'mend_unit',
  'mend_unit_then_send',
  'send_zero_receipt',
  'enter_then_send',
] as const
export type NextStep = (typeof NEXT_STEPS)[number]

type Spoken = 'en' | 'de' | 'fr'
type Table<K extends string> = Readonly<Record<K, Readonly<Record<Spoken, string>>>>

const STATES: Table<OutageState> = {
  ok: {
    en: 'Receipts are signed.',
    de: 'Belege werden signiert.',
    fr: 'Les tickets sont signés.',
  },
  suspect: {
    en: 'A receipt was not signed; the signing units are being asked.',
    de: 'Ein Beleg wurde nicht signiert; die Signatureinheiten werden gefragt.',
    fr: 'Un ticket n’a pas été signé ; les unités de signature sont interrogées.',
  },
  out: {
    en: 'No signing unit answers. Receipts are not signed.',
    de: 'Keine Signatureinheit antwortet. Belege werden nicht signiert.',
    fr: 'Aucune unité de signature ne répond. Les tickets ne sont pas signés.',
  },
  probing: {
    en: 'A signing unit has answered again; it is asked until it is sure.',
    de: 'Eine Signatureinheit hat wieder geantwortet; sie wird gefragt, bis es sicher ist.',
    fr: 'Une unité de signature a répondu ; elle est interrogée jusqu’à certitude.',
  },
  answering: {
    en: 'The signing unit works; the receipt that ends the outage is missing.',
    de: 'Die Signatureinheit arbeitet; der Beleg, der den Ausfall beendet, fehlt.',
    fr: 'L’unité de signature fonctionne ; le ticket qui met fin à la panne manque.',
  },
  closing: {
    en: 'The receipt that ends the outage is being signed.',
    de: 'Der Beleg, der den Ausfall beendet, wird gerade signiert.',
    fr: 'Le ticket qui met fin à la panne est en cours de signature.',
  },
}

const STEPS: Table<NextStep> = {
  none: {
    en: 'Nothing is to be done.',
    de: 'Es ist nichts zu tun.',
    fr: 'Rien à faire.',
  },
  wait_for_closing: {
    en: 'Nothing is to be done: this server signs the zero receipt that ends the outage.',
    de: 'Es ist nichts zu tun: dieser Server signiert den Nullbeleg, der den Ausfall beendet.',
    fr: 'Rien à faire : ce serveur signe le ticket à zéro qui met fin à la panne.',
  },
  mend_unit: {
    en: 'Mend the signing unit. This server signs the zero receipt as soon as it answers.',
    de: 'Die Signatureinheit instand setzen. Danach signiert dieser Server selbst den Nullbeleg.',
    fr: 'Réparez l’unité de signature. Ce serveur signe ensuite lui-même le ticket à zéro.',
  },
  mend_unit_then_send: {
    en: 'Mend the signing unit, then send a zero receipt from the register.',
    de: 'Die Signatureinheit instand setzen, danach von der Kasse einen Nullbeleg senden.',
    fr: 'Réparez l’unité de signature, puis envoyez un ticket à zéro depuis la caisse.',
  },
  send_zero_receipt: {
    en: 'Send a zero receipt from the register, or ask for the closing here.',
    de: 'Von der Kasse einen Nullbeleg senden oder hier den Abschluss verlangen.',
    fr: 'Envoyez un ticket à zéro depuis la caisse ou demandez ici la clôture.',
  },
  enter_then_send: {
    en: 'Enter all receipts of the outage, then send a zero receipt from the register.',
    de: 'Alle Belege des Ausfalls nacherfassen, danach von der Kasse einen Nullbeleg senden.',
    fr: 'Saisissez tous les tickets de la panne, puis envoyez un ticket à zéro.',
  },
}

const REPORT: Readonly<Record<Spoken, string>> = {
  en: 'The outage has lasted so long that the authority is to be told of its begin and its end.',
  de: 'Der Ausfall dauert so lange, dass Beginn und Ende der Behörde zu melden sind.',
  fr: 'La panne dure depuis si longtemps que son début et sa fin sont à déclarer.',
}

/** Other languages get the English words. */
function spokenOf(language: Language): Spoken {
  return language === 'de' || language === 'fr' ? language : 'en'
}

export function outageWords(
  { state, step }: { state: OutageState; step: NextStep },
  language: Language,
): { text: string; action: string } {
  const spoken = spokenOf(language)
  return { text: STATES[state][spoken], action: STEPS[step][spoken] }
}

export function reportWords(language: Language): string {
  return REPORT[spokenOf(language)]
}
