// What is said about queues, signing units, cash boxes and helpers.
import type { Sentence } from './translation.js'

export const stockSentences = {
  queueUpdated: {
    en: 'The Queue was updated.',
    de: 'Die Queue wurde aktualisiert.',
    fr: 'La Queue a été mise à jour.',
    it: 'La Queue è stata aggiornata.',
    es: 'La Queue se ha actualizado.',
    pt: 'A Queue foi atualizada.',
    el: 'Η Queue ενημερώθηκε.',
  },
  scuUpdated: {
    en: 'The SCU was updated.',
    de: 'Die SCU wurde aktualisiert.',
    fr: 'La SCU a été mise à jour.',
    it: 'La SCU è stata aggiornata.',
    es: 'La SCU se ha actualizado.',
    pt: 'A SCU foi atualizada.',
    el: 'Η SCU ενημερώθηκε.',
  },
  cashBoxUpdated: {
    en: 'The CashBox was updated.',
    de: 'Die CashBox wurde aktualisiert.',
    fr: 'La CashBox a été mise à jour.',
    it: 'La CashBox è stata aggiornata.',
    es: 'La CashBox se ha actualizado.',
    pt: 'A CashBox foi atualizada.',
    el: 'Η CashBox ενημερώθηκε.',
  },
  helperUpdated: {
    en: 'The helper was updated.',
    de: 'Der Helper wurde aktualisiert.',
    fr: 'Le Helper a été mis à jour.',
    it: 'Il Helper è stato aggiornato.',
    es: 'El Helper se ha actualizado.',
    pt: 'O Helper foi atualizado.',
    el: 'Το Helper ενημερώθηκε.',
  },
  datesNotHere: {
    en: 'Queues of your market have no such date.',
    de: 'In Ihrem Markt haben Queues kein solches Datum.',
    fr: "Les Queues de votre marché n'ont pas cette date.",
    it: 'Nel suo mercato le Queue non hanno questa data.',
    es: 'En su mercado las Queues no tienen esta fecha.',
    pt: 'No seu mercado as Queues não têm esta data.',
    el: 'Στην αγορά σας οι Queue δεν έχουν τέτοια ημερομηνία.',
  },
  datesReversed: {
    en: 'Must not be before the purchase date.',
    de: 'Darf nicht vor dem Kaufdatum liegen.',
    fr: "Ne doit pas précéder la date d'achat.",
    it: "Non deve precedere la data d'acquisto.",
    es: 'No debe ser anterior a la fecha de compra.',
    pt: 'Não pode ser anterior à data de compra.',
    el: 'Δεν πρέπει να προηγείται της ημερομηνίας αγοράς.',
  },
  switchAlreadyAssigned: {
    en: 'The Queue works with this SCU already.',
    de: 'Die Queue arbeitet bereits mit dieser SCU.',
    fr: 'La Queue travaille déjà avec cette SCU.',
    it: 'La Queue lavora già con questa SCU.',
    es: 'La Queue ya trabaja con esta SCU.',
    pt: 'A Queue já trabalha com esta SCU.',
    el: 'Η Queue λειτουργεί ήδη με αυτή τη SCU.',
  },
  switchDirectAssignment: {
    en: 'The SCU is assigned; the Queue is not in operation, so no receipts are needed.',
    de: 'Die SCU ist zugewiesen; die Queue ist nicht in Betrieb, es sind keine Belege nötig.',
    fr: "La SCU est attribuée ; la Queue n'est pas en service, aucun ticket n'est nécessaire.",
    it: 'La SCU è assegnata; la Queue non è in servizio, non servono scontrini.',
    es: 'La SCU está asignada; la Queue no está en servicio y no se necesitan recibos.',
    pt: 'A SCU está atribuída; a Queue não está em serviço, não são necessários recibos.',
    el: 'Η SCU ανατέθηκε· η Queue δεν λειτουργεί, δεν χρειάζονται αποδείξεις.',
  },
  switchTwoStepSwitch: {
    en:
      'The switch is prepared. Next: restart the middleware, then send the receipts ' +
      'Daily-Closing, Initiate-SCU-Switch and Finish-SCU-Switch; remove the previous SCU ' +
      'from the CashBox after that.',
    de:
      'Der Wechsel ist vorbereitet. Nun die Middleware neu starten und die Belege ' +
      'Tagesabschluss, Initiate-SCU-Switch und Finish-SCU-Switch senden; danach die ' +
      'bisherige SCU aus der CashBox entfernen.',
    fr:
      'Le changement est préparé. Redémarrez le middleware, puis envoyez les tickets ' +
      "Daily-Closing, Initiate-SCU-Switch et Finish-SCU-Switch ; retirez ensuite l'ancienne " +
      'SCU de la CashBox.',
    it:
      'Il cambio è preparato. Riavviare il middleware, poi inviare gli scontrini ' +
      'Daily-Closing, Initiate-SCU-Switch e Finish-SCU-Switch; infine togliere la SCU ' +
      'precedente dalla CashBox.',
    es:
      'El cambio está preparado. Reinicie el middleware y envíe los recibos Daily-Closing, ' +
      'Initiate-SCU-Switch y Finish-SCU-Switch; después retire la SCU anterior de la ' +
      'CashBox.',
    pt:
      'A troca está preparada. Reinicie o middleware e envie os recibos Daily-Closing, ' +
      'Initiate-SCU-Switch e Finish-SCU-Switch; depois retire a SCU anterior da CashBox.',
    el:
      'Η αλλαγή ετοιμάστηκε. Επανεκκινήστε το middleware και στείλτε τις αποδείξεις ' +
      'Daily-Closing, Initiate-SCU-Switch και Finish-SCU-Switch· μετά αφαιρέστε την ' +
      'προηγούμενη SCU από την CashBox.',
  },
  switchTwoStepSwitchPending: {
    en: 'This switch is prepared already and waits for the receipts of the till.',
    de: 'Dieser Wechsel ist bereits vorbereitet und wartet auf die Belege der Kasse.',
    fr: 'Ce changement est déjà préparé et attend les tickets de la caisse.',
    it: 'Questo cambio è già preparato e attende gli scontrini della cassa.',
    es: 'Este cambio ya está preparado y espera los recibos de la caja.',
    pt: 'Esta troca já está preparada e espera pelos recibos da caixa.',
    el: 'Αυτή η αλλαγή είναι ήδη έτοιμη και περιμένει τις αποδείξεις του ταμείου.',
  },
  switchReplaced: {
    en: 'The switch that was prepared before is given up.',
    de: 'Der zuvor vorbereitete Wechsel ist aufgehoben.',
    fr: 'Le changement préparé auparavant est abandonné.',
    it: 'Il cambio preparato in precedenza è annullato.',
    es: 'El cambio preparado antes queda anulado.',
    pt: 'A troca preparada antes foi anulada.',
    el: 'Η προηγούμενη έτοιμη αλλαγή ακυρώθηκε.',
  },
  switchBegun: {
    en: 'the till has begun a switch to another SCU.',
    de: 'die Kasse hat einen Wechsel zu einer anderen SCU begonnen.',
    fr: 'la caisse a commencé un changement vers une autre SCU.',
    it: "la cassa ha iniziato un cambio verso un'altra SCU.",
    es: 'la caja ha empezado un cambio a otra SCU.',
    pt: 'a caixa começou uma troca para outra SCU.',
    el: 'το ταμείο ξεκίνησε αλλαγή σε άλλη SCU.',
  },
  switchOther: {
    en: 'one of the SCUs is part of another switch.',
    de: 'eine der SCUs ist Teil eines anderen Wechsels.',
    fr: "l'une des SCU fait partie d'un autre changement.",
    it: 'una delle SCU fa parte di un altro cambio.',
    es: 'una de las SCU forma parte de otro cambio.',
    pt: 'uma das SCU faz parte de outra troca.',
    el: 'μία από τις SCU ανήκει σε άλλη αλλαγή.',
  },
  unitMarket: {
    en: 'the SCU belongs to another market.',
    de: 'die SCU gehört zu einem anderen Markt.',
    fr: 'la SCU appartient à un autre marché.',
    it: 'la SCU appartiene a un altro mercato.',
    es: 'la SCU pertenece a otro mercado.',
    pt: 'a SCU pertence a outro mercado.',
    el: 'η SCU ανήκει σε άλλη αγορά.',
  },
  unitHidden: {
    en: 'the SCU is hidden.',
    de: 'die SCU ist ausgeblendet.',
    fr: 'la SCU est masquée.',
    it: 'la SCU è nascosta.',
    es: 'la SCU está oculta.',
    pt: 'a SCU está oculta.',
    el: 'η SCU είναι κρυφή.',
  },
  unitOutlet: {
    en: 'the SCU belongs to another outlet.',
    de: 'die SCU gehört zu einem anderen Standort.',
    fr: 'la SCU appartient à un autre établissement.',
    it: 'la SCU appartiene a un altro punto vendita.',
    es: 'la SCU pertenece a otro establecimiento.',
    pt: 'a SCU pertence a outro estabelecimento.',
    el: 'η SCU ανήκει σε άλλο κατάστημα.',
  },
  unitTerminated: {
    en: 'the TSE of the SCU is terminated.',
    de: 'die TSE der SCU ist außer Betrieb.',
    fr: 'la TSE de la SCU est mise hors service.',
    it: 'la TSE della SCU è dismessa.',
    es: 'la TSE de la SCU está fuera de servicio.',
    pt: 'a TSE da SCU está desativada.',
    el: 'η TSE της SCU έχει τερματιστεί.',
  },
  unitExpired: {
    en: 'the certificate of the SCU has expired.',
    de: 'das Zertifikat der SCU ist abgelaufen.',
    fr: 'le certificat de la SCU a expiré.',
    it: 'il certificato della SCU è scaduto.',
    es: 'el certificado de la SCU ha caducado.',
    pt: 'o certificado da SCU expirou.',
    el: 'το πιστοποιητικό της SCU έληξε.',
  },
  queueWithoutBox: {
    en: 'the Queue is in no CashBox.',
    de: 'die Queue ist in keiner CashBox.',
    fr: "la Queue n'est dans aucune CashBox.",
    it: 'la Queue non è in nessuna CashBox.',
    es: 'la Queue no está en ninguna CashBox.',
    pt: 'a Queue não está em nenhuma CashBox.',
    el: 'η Queue δεν ανήκει σε καμία CashBox.',
  },
} as const satisfies Record<string, Sentence>
