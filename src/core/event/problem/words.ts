// What a problem means and what to do about it, for people.
import type { Language } from '../../../lib/language.js'
import type { ProblemKind } from '../../../model/problem.js'

interface Words {
  /** What is wrong, and what follows from it. */
  text: string
  /** The next step. */
  action: string
}

type Spoken = 'en' | 'de' | 'fr'

const WORDS: Readonly<Record<ProblemKind, Readonly<Record<Spoken, Words>>>> = {
  outage: {
    en: {
      text: 'Receipts of this Queue are not signed, or were entered later.',
      action: 'Mend the signing unit, then send a zero receipt from the register.',
    },
    de: {
      text: 'Belege dieser Queue werden nicht signiert oder wurden nacherfasst.',
      action: 'Die Signatureinheit instand setzen, danach von der Kasse einen Nullbeleg senden.',
    },
    fr: {
      text: 'Les tickets de cette Queue ne sont pas signés ou ont été saisis après coup.',
      action: "Réparez l'unité de signature, puis envoyez un ticket à zéro depuis la caisse.",
    },
  },
  report: {
    en: {
      text: 'The authority is to be told of a register, a signing unit or a place.',
      action: 'See `GET /submissions`: do what it says by its day, then mark it as done.',
    },
    de: {
      text: 'Dem Finanzamt ist eine Kasse, Signatureinheit oder Betriebsstätte zu melden.',
      action: 'Siehe `GET /submissions`: bis zum Stichtag erledigen, dann als erledigt markieren.',
    },
    fr: {
      text: 'Une caisse, une unité de signature ou un établissement est à déclarer au fisc.',
      action: 'Voir `GET /submissions` : faites-le avant la date, puis marquez-le comme fait.',
    },
  },
  no_receipts: {
    en: {
      text: 'The register has sent no receipt although it usually does at these hours.',
      action: 'Ask the shop whether it is open, and look at the network of the register.',
    },
    de: {
      text: 'Die Kasse hat keinen Beleg gesendet, obwohl sie das um diese Zeit sonst tut.',
      action: 'Beim Geschäft nachfragen, ob es offen hat, und das Netz der Kasse prüfen.',
    },
    fr: {
      text: "La caisse n'a envoyé aucun ticket alors qu'elle le fait d'habitude à ces heures.",
      action: 'Demandez au magasin s’il est ouvert et vérifiez le réseau de la caisse.',
    },
  },
  configuration: {
    en: {
      text: 'The CashBox was changed and not published: the register works with the old one.',
      action: 'Publish the configuration (rebuild), or take the change back.',
    },
    de: {
      text: 'Die CashBox wurde geändert und nicht veröffentlicht: die Kasse hat noch die alte.',
      action: 'Die Konfiguration veröffentlichen (Rebuild) oder die Änderung zurücknehmen.',
    },
    fr: {
      text: 'La CashBox a été modifiée sans être publiée : la caisse travaille avec l’ancienne.',
      action: 'Publiez la configuration (rebuild) ou annulez la modification.',
    },
  },
  invitation: {
    en: {
      text: 'An invitation has been open for more than 14 days.',
      action: 'Send it again, ask the merchant, or delete it.',
    },
    de: {
      text: 'Eine Einladung ist seit mehr als 14 Tagen offen.',
      action: 'Noch einmal senden, beim Betreiber nachfragen oder löschen.',
    },
    fr: {
      text: 'Une invitation est ouverte depuis plus de 14 jours.',
      action: 'Renvoyez-la, demandez au commerçant ou supprimez-la.',
    },
  },
  order: {
    en: {
      text: 'An order stopped before everything was made.',
      action: 'Read its error, mend the cause; it is tried again, or can be cancelled.',
    },
    de: {
      text: 'Ein Auftrag ist stehen geblieben, bevor alles angelegt war.',
      action: 'Den Fehler lesen und beheben; er wird wiederholt oder lässt sich stornieren.',
    },
    fr: {
      text: 'Une commande s’est arrêtée avant que tout soit créé.',
      action: 'Lisez son erreur et corrigez la cause ; elle est répétée ou peut être annulée.',
    },
  },
  webhook: {
    en: {
      text: 'A webhook gets nothing any more: its receiver failed for days or said so.',
      action: 'Mend the receiver, then enable the webhook: it goes on from where it stands.',
    },
    de: {
      text: 'Ein Webhook bekommt nichts mehr: der Empfänger fiel tagelang aus oder wollte es so.',
      action: 'Den Empfänger reparieren und den Webhook einschalten: er setzt dort fort.',
    },
    fr: {
      text: 'Un webhook ne reçoit plus rien : son destinataire a échoué ou l’a demandé.',
      action: 'Réparez le destinataire, puis réactivez le webhook : il reprend où il en était.',
    },
  },
  message: {
    en: {
      text: 'A message could not be delivered.',
      action: 'Check the address, then send it again (jobs retry), or hand the receipt over.',
    },
    de: {
      text: 'Eine Nachricht konnte nicht zugestellt werden.',
      action: 'Die Adresse prüfen, dann erneut senden (jobs retry) oder den Beleg übergeben.',
    },
    fr: {
      text: 'Un message n’a pas pu être remis.',
      action: 'Vérifiez l’adresse, puis renvoyez-le (jobs retry) ou remettez le ticket.',
    },
  },
}

/** Other languages get the English words. */
export function problemWords(kind: ProblemKind, language: Language): Words {
  const spoken: Spoken = language === 'de' || language === 'fr' ? language : 'en'
  return WORDS[kind][spoken]
}
