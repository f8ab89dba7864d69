// What is said about rollout plans and orders.
import type { Sentence } from './translation.js'

export const salesSentences = {
  orderPlaced: {
    en: 'The order {number} was placed.',
    de: 'Die Bestellung {number} wurde angelegt.',
    fr: 'La commande {number} a été passée.',
    it: "L'ordine {number} è stato creato.",
    es: 'El pedido {number} se ha creado.',
    pt: 'A encomenda {number} foi criada.',
    el: 'Η παραγγελία {number} καταχωρήθηκε.',
  },
  planNeeded: {
    en: 'A rollout plan number is needed.',
    de: 'Die Nummer eines Rollout-Plans ist nötig.',
    fr: "Le numéro d'un plan de déploiement est nécessaire.",
    it: 'È necessario il numero di un piano di rollout.',
    es: 'Se necesita el número de un plan de despliegue.',
    pt: 'É necessário o número de um plano de rollout.',
    el: 'Απαιτείται ο αριθμός ενός σχεδίου rollout.',
  },
  planForOutlets: {
    en: 'This rollout plan is for outlets.',
    de: 'Dieser Rollout-Plan ist für Standorte.',
    fr: 'Ce plan de déploiement concerne les établissements.',
    it: 'Questo piano di rollout è per punti vendita.',
    es: 'Este plan de despliegue es para establecimientos.',
    pt: 'Este plano de rollout é para estabelecimentos.',
    el: 'Αυτό το σχέδιο rollout αφορά καταστήματα.',
  },
  planForQueues: {
    en: 'This rollout plan is for Queues.',
    de: 'Dieser Rollout-Plan ist für Queues.',
    fr: 'Ce plan de déploiement concerne les Queues.',
    it: 'Questo piano di rollout è per Queue.',
    es: 'Este plan de despliegue es para Queues.',
    pt: 'Este plano de rollout é para Queues.',
    el: 'Αυτό το σχέδιο rollout αφορά Queue.',
  },
  planForNothing: {
    en: 'This rollout plan cannot be executed.',
    de: 'Dieser Rollout-Plan kann nicht ausgeführt werden.',
    fr: 'Ce plan de déploiement ne peut pas être exécuté.',
    it: 'Questo piano di rollout non può essere eseguito.',
    es: 'Este plan de despliegue no se puede ejecutar.',
    pt: 'Este plano de rollout não pode ser executado.',
    el: 'Αυτό το σχέδιο rollout δεν εκτελείται.',
  },
} as const satisfies Record<string, Sentence>
