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
      action: 'Under Reports is what to do, and by which day; then mark it as done.',
    },
    de: {
      text: 'Dem Finanzamt ist eine Kasse, Signatureinheit oder Betriebsstätte zu melden.',
      action: 'Unter Meldungen steht, was bis wann zu tun ist; danach als erledigt markieren.',
    },
    fr: {
      text: 'Une caisse, une unité de signature ou un établissement est à déclarer au fisc.',
      action: 'Déclarations dit que faire, et pour quelle date ; puis marquez-la comme faite.',
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
  closing: {
    en: {
      text: 'A register was not closed: its receipts stand in no daily closing.',
      action: 'Send a daily closing from the register now, and one every evening.',
    },
    de: {
      text: 'Einer Kasse fehlt der Tagesabschluss über Belege eines früheren Tages.',
      action: 'Jetzt von der Kasse einen Tagesabschluss senden, künftig jeden Abend einen.',
    },
    fr: {
      text: 'Une caisse n’a pas été clôturée : ses tickets ne sont dans aucune clôture.',
      action: 'Envoyez une clôture journalière depuis la caisse, puis une chaque soir.',
    },
  },
  settlement: {
    en: {
      text: 'The monthly or yearly receipt of a register is missing.',
      action: 'Send it from the register; the yearly one is also to be verified by 15 February.',
    },
    de: {
      text: 'Der Monats- oder Jahresbeleg einer Kasse fehlt.',
      action: 'Ihn von der Kasse senden; der Jahresbeleg ist zudem bis 15. Februar zu prüfen.',
    },
    fr: {
      text: 'Le ticket mensuel ou annuel d’une caisse manque.',
      action: 'Envoyez-le depuis la caisse ; l’annuel est aussi à vérifier avant le 15 février.',
    },
  },
  archive: {
    en: {
      text: 'The data of a register should be kept outside again: it is long since they were.',
      action: 'Export its journal, where the law wants one by an archive receipt, and keep it.',
    },
    de: {
      text: 'Die Daten einer Kasse sind zu sichern: Es ist lange her, dass es geschah.',
      action: 'Das Journal ausgeben, wo vorgeschrieben mit Archivbeleg, und es aufbewahren.',
    },
    fr: {
      text: 'Les données d’une caisse sont à archiver : cela n’a pas été fait depuis longtemps.',
      action: "Envoyez un ticket d'archivage où la loi le veut, et conservez l'export du journal.",
    },
  },
  transaction: {
    en: {
      text: 'A transaction of the TSE has been open for more than a day.',
      action: 'End it from the register, or send a daily closing that closes open transactions.',
    },
    de: {
      text: 'Eine Transaktion der TSE ist seit mehr als einem Tag offen.',
      action: 'Sie von der Kasse beenden oder einen Tagesabschluss senden, der offene schließt.',
    },
    fr: {
      text: 'Une transaction de la TSE est ouverte depuis plus d’un jour.',
      action: 'Terminez-la depuis la caisse, ou envoyez une clôture qui ferme les transactions.',
    },
  },
  tar: {
    en: {
      text: 'A register was closed, and the log of its TSE could not be exported.',
      action: 'Look at the TSE; the next closing, or a zero receipt with TAR, exports it.',
    },
    de: {
      text: 'Eine Kasse wurde abgeschlossen, ohne dass die TSE ihren TAR hergab.',
      action: 'Die TSE prüfen; der nächste Abschluss oder ein Nullbeleg mit TAR holt ihn nach.',
    },
    fr: {
      text: 'Une caisse a été clôturée sans que le journal de sa TSE soit exporté.',
      action: 'Vérifiez la TSE ; la prochaine clôture ou un ticket à zéro avec TAR l’exporte.',
    },
  },
  memory: {
    en: {
      text: 'The memory of a TSE is nearly full; when it is, nothing is signed.',
      action: 'Have it exported and erased: close open transactions, then send a daily closing.',
    },
    de: {
      text: 'Der Speicher einer TSE ist fast voll; dann signiert sie nichts mehr.',
      action: 'Exportieren und löschen: offene Transaktionen beenden, dann Tagesabschluss senden.',
    },
    fr: {
      text: 'La mémoire d’une TSE est presque pleine ; pleine, elle ne signe plus.',
      action: 'Faites-la exporter et vider : fermez les transactions, puis envoyez une clôture.',
    },
  },
  signatures: {
    en: {
      text: 'A TSE has made nearly all the signatures that it can make.',
      action: 'Order another, and switch the registers to it before it signs nothing any more.',
    },
    de: {
      text: 'Eine TSE hat fast alle Signaturen erzeugt, die sie erzeugen kann.',
      action: 'Eine neue bestellen und die Kassen wechseln, bevor sie nichts mehr signiert.',
    },
    fr: {
      text: 'Une TSE a produit presque toutes les signatures qu’elle peut produire.',
      action: 'Commandez-en une autre et basculez les caisses avant qu’elle ne signe plus.',
    },
  },
  clock: {
    en: {
      text: 'The clock of a register is more than ten minutes off.',
      action: 'Set it, and have it follow a time server.',
    },
    de: {
      text: 'Die Uhr einer Kasse geht um mehr als zehn Minuten falsch.',
      action: 'Sie stellen und von einem Zeitserver führen lassen.',
    },
    fr: {
      text: 'L’horloge d’une caisse a plus de dix minutes d’écart.',
      action: 'Réglez-la et faites-lui suivre un serveur de temps.',
    },
  },
  port: {
    en: {
      text: 'Two parts of a CashBox listen on one port: one of them will not start.',
      action: 'Give each an address of its own, then publish the configuration (rebuild).',
    },
    de: {
      text: 'Zwei Teile einer CashBox hören auf einem Port: einer davon startet nicht.',
      action: 'Jedem eine eigene Adresse geben, dann veröffentlichen (Rebuild).',
    },
    fr: {
      text: 'Deux parties d’une CashBox écoutent le même port : l’une ne démarrera pas.',
      action: 'Donnez à chacune sa propre adresse, puis publiez (rebuild).',
    },
  },
  master_data: {
    en: {
      text: 'Master data is missing or wrong; the faults beside it say which.',
      action: 'Tax number: master data. Cash register program: PosSystems. Others: the register.',
    },
    de: {
      text: 'Stammdaten fehlen oder sind falsch; die Mängel dabei sagen, welche.',
      action: 'Steuernummer: Stammdaten. Kassenprogramm: PosSystems. Sonst: die Kasse.',
    },
    fr: {
      text: 'Des données de base manquent ou sont fausses ; les défauts joints disent lesquelles.',
      action: 'Numéro fiscal : données de base. Logiciel : PosSystems. Sinon : la caisse.',
    },
  },
  unit: {
    en: {
      text: 'A signing unit does not answer, or says no. It is asked again by itself.',
      action: 'Read its last error; look at power, network and credentials of the unit.',
    },
    de: {
      text: 'Eine Signatureinheit antwortet nicht oder lehnt ab; sie wird wieder gefragt.',
      action: 'Den letzten Fehler lesen; Strom, Netz und Zugangsdaten der Einheit prüfen.',
    },
    fr: {
      text: 'Une unité de signature ne répond pas ou refuse ; elle est réinterrogée.',
      action: 'Lisez sa dernière erreur ; vérifiez courant, réseau et accès de l’unité.',
    },
  },
  flapping: {
    en: {
      text: 'A Queue fails and recovers again and again: more than five times in an hour.',
      action: 'Look at the network between server and unit, and at the unit itself.',
    },
    de: {
      text: 'Eine Queue fällt immer wieder aus: mehr als fünfmal in einer Stunde.',
      action: 'Das Netz zwischen Server und Einheit und die Einheit selbst prüfen.',
    },
    fr: {
      text: 'Une Queue échoue et reprend sans cesse : plus de cinq fois en une heure.',
      action: 'Vérifiez le réseau entre le serveur et l’unité, puis l’unité elle-même.',
    },
  },
  certificate: {
    en: {
      text: 'The certificate of a signing unit ends soon, or has ended.',
      action: 'Order a new unit, put it beside this one, and change over before that day.',
    },
    de: {
      text: 'Das Zertifikat einer Signatureinheit endet bald oder ist zu Ende.',
      action: 'Eine neue Einheit bestellen, neben diese stellen und vor dem Tag wechseln.',
    },
    fr: {
      text: 'Le certificat d’une unité de signature expire bientôt ou a expiré.',
      action: 'Commandez une nouvelle unité, ajoutez-la et changez avant cette date.',
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
  not_fetched: {
    en: {
      text: 'A published configuration was not fetched: the shop works with the former.',
      action: 'Ask the shop whether the middleware runs and has a network; restart it.',
    },
    de: {
      text: 'Eine Konfiguration wurde nicht abgeholt: im Geschäft gilt die frühere.',
      action: 'Nachfragen, ob die Middleware läuft und Netz hat; sie neu starten.',
    },
    fr: {
      text: 'Une configuration n’a pas été récupérée : le magasin a la précédente.',
      action: 'Demandez si le middleware tourne et a du réseau, puis redémarrez-le.',
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
  job: {
    en: {
      text: 'Long work has failed.',
      action: 'Under Long work is its error: mend the cause, and ask for it again.',
    },
    de: {
      text: 'Eine lange Arbeit ist fehlgeschlagen.',
      action: 'Unter Lange Arbeiten steht der Fehler: ihn beheben und neu anstoßen.',
    },
    fr: {
      text: 'Un travail long a échoué.',
      action: 'Travaux longs dit son erreur : corrigez la cause, puis redemandez-le.',
    },
  },
  backup: {
    en: {
      text: 'A period of a Queue ended days ago and is not kept outside of the database.',
      action: 'Under Long work is the error of the backup; look at the archive as well.',
    },
    de: {
      text: 'Ein Zeitraum einer Queue ist seit Tagen zu Ende und nicht außerhalb gesichert.',
      action: 'Unter Lange Arbeiten steht der Fehler der Sicherung; auch das Archiv prüfen.',
    },
    fr: {
      text: 'Une période d’une Queue est finie depuis des jours sans copie hors de la base.',
      action: 'Travaux longs dit l’erreur de la sauvegarde ; vérifiez aussi l’archive.',
    },
  },
  chain: {
    en: {
      text: 'An independent verifier found faults in what a Queue has stored.',
      action: 'Fetch the backup, read its verification report, and show it to support.',
    },
    de: {
      text: 'Ein unabhängiger Prüfer fand Fehler in dem, was eine Queue gespeichert hat.',
      action: 'Die Sicherung abrufen, ihren Prüfbericht lesen und dem Support zeigen.',
    },
    fr: {
      text: 'Un vérificateur indépendant a trouvé des fautes dans les données d’une Queue.',
      action: 'Récupérez la copie, lisez son rapport et montrez-le au support.',
    },
  },
  stock: {
    en: {
      text: 'Entitlements are nearly used up: a larger rollout is refused.',
      action: 'Buy further ones before the next rollout.',
    },
    de: {
      text: 'Berechtigungen sind fast aufgebraucht: ein größerer Rollout wird abgelehnt.',
      action: 'Vor dem nächsten Rollout weitere kaufen.',
    },
    fr: {
      text: 'Les droits sont presque épuisés : un déploiement plus grand est refusé.',
      action: 'Achetez-en d’autres avant le prochain déploiement.',
    },
  },
}

/** Of a register that is silent. */
const USUALLY: Readonly<Record<Spoken, (receipts: number) => string>> = {
  en: (receipts) => `Normally it would have sent ${receipts} by now.`,
  de: (receipts) => `Normal wären bis jetzt ${receipts} Belege.`,
  fr: (receipts) => `Normalement, elle en aurait déjà envoyé ${receipts}.`,
}

/** Other languages get the English words. `details`: of one such problem, a JSON object. */
export function problemWords(kind: ProblemKind, language: Language, details = '{}'): Words {
  const spoken: Spoken = language === 'de' || language === 'fr' ? language : 'en'
  const words = WORDS[kind][spoken]
  if (kind !== 'no_receipts') return words
  const { usually = null } = JSON.parse(details) as { usually?: number | null }
  if (usually === null || usually < 1) return words
  return { ...words, text: `${words.text} ${USUALLY[spoken](usually)}` }
}
