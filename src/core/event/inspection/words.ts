// What the pages of a bundle say to people, in the languages of its readers.
export const LANGUAGES = ['de', 'en', 'fr'] as const
export type BundleLanguage = (typeof LANGUAGES)[number]

export interface BundleWords {
  title: string
  merchant: string
  period: string
  upTo: string
  registers: string
  register: string
  market: string
  outlet: string
  operation: string
  receipts: string
  sums: string
  sumsNote: string
  month: string
  rate: string
  amount: string
  outages: string
  noOutages: string
  cause: string
  device: string
  registerCause: string
  began: string
  ended: string
  goesOn: string
  verified: string
  verifiedNote: string
  file: string
  verdict: string
  ok: string
  notOk: string
  empty: string
  findings: string
  files: string
  filesNote: string
  keys: string
  check: string
  report: string
}

const en: BundleWords = {
  title: 'Inspection bundle',
  merchant: 'Merchant',
  period: 'Period',
  upTo: 'Newest row in it',
  registers: 'Registers',
  register: 'Register',
  market: 'Country',
  outlet: 'Outlet',
  operation: 'In operation',
  receipts: 'Receipts',
  sums: 'Gross amounts per month and rate',
  sumsNote: 'Of all receipts that were accepted, without training.',
  month: 'Month',
  rate: 'Rate',
  amount: 'Gross',
  outages: 'Outages in the period',
  noOutages: 'None is known.',
  cause: 'Cause',
  device: 'no signing unit worked',
  registerCause: 'the register could not reach the server',
  began: 'Began',
  ended: 'Ended',
  goesOn: 'goes on',
  verified: 'Verification',
  verifiedNote: 'Each file was read again by a verifier that shares nothing with what signed it.',
  file: 'File',
  verdict: 'Verdict',
  ok: 'in order',
  notOk: 'findings',
  empty: 'nothing in the period',
  findings: 'Findings',
  files: 'Files',
  filesNote: 'Nothing but these files is in the archive. To check them:',
  keys:
    'The container cryptographic-material.json holds the AES key of the turnover ' +
    'counter. Whoever has it reads the turnover in every receipt of that register: hand ' +
    'the bundle only to those who may.',
  check: 'sha256sum -c SHA256SUMS',
  report: 'Report of the verification',
}

const de: BundleWords = {
  title: 'Prüfungspaket',
  merchant: 'Unternehmen',
  period: 'Zeitraum',
  upTo: 'Neueste enthaltene Zeile',
  registers: 'Kassen',
  register: 'Kasse',
  market: 'Land',
  outlet: 'Standort',
  operation: 'In Betrieb',
  receipts: 'Belege',
  sums: 'Bruttobeträge je Monat und Satz',
  sumsNote: 'Aller angenommenen Belege ohne Trainingsbelege.',
  month: 'Monat',
  rate: 'Satz',
  amount: 'Brutto',
  outages: 'Ausfälle im Zeitraum',
  noOutages: 'Keiner bekannt.',
  cause: 'Ursache',
  device: 'keine Signatureinrichtung arbeitete',
  registerCause: 'die Kasse erreichte den Server nicht',
  began: 'Beginn',
  ended: 'Ende',
  goesOn: 'dauert an',
  verified: 'Prüfung',
  verifiedNote:
    'Jede Datei wurde von einem Prüfer noch einmal gelesen, der mit dem Signieren ' +
    'nichts gemeinsam hat.',
  file: 'Datei',
  verdict: 'Ergebnis',
  ok: 'in Ordnung',
  notOk: 'Feststellungen',
  empty: 'nichts im Zeitraum',
  findings: 'Feststellungen',
  files: 'Dateien',
  filesNote: 'Nur diese Dateien sind im Archiv. So werden sie geprüft:',
  keys:
    'Die Datei cryptographic-material.json enthält den AES-Schlüssel des Umsatzzählers. ' +
    'Wer ihn hat, liest den Umsatz in jedem Beleg dieser Kasse: das Paket nur ' +
    'Berechtigten geben.',
  check: 'sha256sum -c SHA256SUMS',
  report: 'Prüfbericht',
}

const fr: BundleWords = {
  title: 'Dossier de contrôle',
  merchant: 'Entreprise',
  period: 'Période',
  upTo: 'Ligne la plus récente',
  registers: 'Caisses',
  register: 'Caisse',
  market: 'Pays',
  outlet: 'Établissement',
  operation: 'En service',
  receipts: 'Tickets',
  sums: 'Montants TTC par mois et par taux',
  sumsNote: 'De tous les tickets acceptés, hors tickets école.',
  month: 'Mois',
  rate: 'Taux',
  amount: 'TTC',
  outages: 'Pannes pendant la période',
  noOutages: 'Aucune connue.',
  cause: 'Cause',
  device: "aucune unité de signature n'a fonctionné",
  registerCause: "la caisse n'a pas joint le serveur",
  began: 'Début',
  ended: 'Fin',
  goesOn: 'en cours',
  verified: 'Vérification',
  verifiedNote:
    "Chaque fichier a été relu par un vérificateur qui n'a rien en commun avec ce qui l'a signé.",
  file: 'Fichier',
  verdict: 'Résultat',
  ok: 'en ordre',
  notOk: 'constats',
  empty: 'rien pendant la période',
  findings: 'Constats',
  files: 'Fichiers',
  filesNote: "Rien d'autre que ces fichiers n'est dans l'archive. Pour les vérifier :",
  keys:
    'Le fichier cryptographic-material.json contient la clé AES du compteur de chiffre ' +
    "d'affaires. Qui la possède lit le chiffre d'affaires dans chaque ticket de cette " +
    "caisse : ne remettre le dossier qu'aux ayants droit.",
  check: 'sha256sum -c SHA256SUMS',
  report: 'Rapport de vérification',
}

export const bundleWords: Readonly<Record<BundleLanguage, BundleWords>> = { de, en, fr }
