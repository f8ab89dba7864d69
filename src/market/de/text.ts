// Every text that Germany puts on a receipt or into its action journal, in one place. German ones
// are printed for the taxpayer and the tax office.

export const captions = {
  tseFailed: 'Kommunikation mit der technischen Sicherheitseinrichtung (TSE) fehlgeschlagen',
  training: 'Trainingsbuchung',
  started: 'In-Betriebnahme-Beleg',
  stopped: 'Außer-Betriebnahme-Beleg',
  separated: 'TSE-Trennungs-Beleg',
  connected: 'TSE-Verbindungs-Beleg',
  separation: 'SCU von Queue getrennt',
  connection: 'SCU mit Queue verbunden',
  recorderFailed: 'Elektronisches Aufzeichnungssystem ausgefallen',
  failedSince: (since: string, count: number) => `Fehlerzähler seit ${since}: ${count}`,
  restored: (now: string) => `TSE Kommunikation wiederhergestellt am ${now}.`,
  restoredData: (count: number, from: string, to: string) =>
    `${count} Aktionen ohne TSE Kommunikation im Zeitraum von ${from} bis ${to}`,
  lateSigning: (moment: string) => `Ausfallsnacherfassung vom ${moment}`,
  lateSigningDone: (now: string) => `Ausfallsnacherfassung abgeschlossen am ${now}.`,
  lateSigningData: (count: number, from: string, to: string) =>
    `${count} Aktionen im Zeitraum von ${from} bis ${to}`,
  dropped: 'Offene Transaktion verworfen',
  droppedData: (number: number, reference: string | undefined) => {
    const named = reference === undefined ? '' : ` (${reference})`
    return `Transaktion ${number}${named} ist in der TSE nicht mehr offen.`
  },
  notStarted: 'Transaktion nicht begonnen',
  notStartedData: (reference: string) => `Die TSE hat die Transaktion (${reference}) abgelehnt.`,
  notEnded: 'Transaktion nicht beendet',
  notEndedData: (number: number) =>
    `Transaktion ${number} gehört keinem Client, der in der TSE angemeldet ist.`,
  handwritten: (moment: string) => `Handschriftbelegerfassung vom ${moment}`,
} as const

/** Register, TSE and queue of a life-cycle receipt. */
export function parties(serial: string, tse: string, queueId: string): string {
  const device = tse === '' ? '' : `TSE-Seriennummer: ${tse}, `
  return `Kassenseriennummer: ${serial}, ${device}Queue-ID: ${queueId}`
}

/** Captions of the transaction items, by the kind of receipt that carries them. */
export const itemCaptions = {
  businessStart: 'start-transaction-signature',
  businessFinish: 'finish-transaction-signature',
  specialStart: 'start-transaction-result',
  specialFinish: 'finish-transaction-result',
  finishPayload: 'finish-transaction-payload',
  updatePayload: 'update-transaction-payload',
  update: 'update-transaction-signature',
  certificationId: '<certification-id>',
  tseSerial: '<tse-seriennummer>',
  qrVersion: '<qr-code-version>',
  serial: '<kassen-seriennummer>',
  processType: '<processType>',
  processData: '<processData>',
  transactionNumber: '<transaktions-nummer>',
  counter: '<signatur-zaehler>',
  startTime: '<start-zeit>',
  logTime: '<log-time>',
  algorithm: '<sig-alg>',
  logTimeFormat: '<log-time-format>',
  signature: '<signatur>',
  publicKey: '<public-key>',
  actionStart: '<vorgangsbeginn>',
} as const

export const actionTypes = {
  started: '4445000000000003-ActivateQueueSCU',
  stopped: '4445000000000004-DeactivateQueueSCU',
  switchBegun: '4445000000000003-InitiateSCUSwitch',
  switchEnded: '4445000000000003-FinishSCUSwitch',
  zero: '2',
  text: '4445000000000002-String',
  dropped: '4445000020000000-OpenTransaction',
  migration: '4445000100000019',
} as const

/** Types of closings by code, with and without new master data. */
export function closingType(code: number, masterDataChanged: boolean): string {
  return `4445${masterDataChanged ? '00000800' : '00000000'}${code.toString().padStart(4, '0')}`
}

const closingNames: Record<number, string> = { 5: 'Monthly', 6: 'Yearly', 7: 'Daily' }

export const actions = {
  closing: (code: number, masterDataChanged: boolean) =>
    `${closingNames[code] ?? ''}-closing receipt was processed${
      masterDataChanged ? ', and a master data update was performed' : ''
    }.`,
  withoutTse: ' However TSE was not reachable.',
  zero: 'Zero receipt was processed.',
  migration: (queueId: string) =>
    `Queue ${queueId} is ready for its migration: no further receipt is signed.`,
  droppedOpen: (number: number) =>
    `Removed open transaction ${number}, which was not open on the TSE anymore.`,
  droppedFinish: (number: number) =>
    `Removed failed finish-transaction ${number}, which was not open on the TSE anymore.`,
  droppedBySwitch: (number: number) =>
    `Removed transaction ${number}: it is open on a TSE that the queue does not use any more.`,
  refusedStart: (reference: string, reason: string) =>
    `The start of cbReceiptReference '${reference}' was refused by the TSE: ${reason}`,
  notEnded: (number: number, reason: string) =>
    `Transaction ${number} is left open on the TSE: ${reason}`,
  droppedStart: (reference: string) =>
    `The failed start of cbReceiptReference '${reference}' is not kept: there are too many.`,
  tseFailed: (scuId: string, reason: string) => `TSE ${scuId}: ${reason}`,
  exportFailed: (reason: string) => `The TSE could not be exported: ${reason}`,
  exportSkipped: 'The TSE was not exported: it has open transactions, or kept its memory.',
  leaveFailed: (reason: string) => `The TSE could not be told that it is left: ${reason}`,
  notActive: (queueId: string) =>
    `Queue ${queueId} is not active: receipts are stored without signature.`,
  alreadyActive: (queueId: string) =>
    `Queue ${queueId} is activated, initial-operations-receipt can not be executed.`,
  deactivated: (queueId: string) =>
    `Queue ${queueId} is de-activated, initial-operations-receipt can not be executed.`,
  switching: 'SCU switching process initiated, but not yet finished.',
  sumsDiffer: (charges: string, pays: string) =>
    `The sum of the charge items (${charges}) is not the sum of the pay items (${pays}).`,
} as const

export const refusals = {
  training: 'The training flag can not be used with this receipt case.',
  implicitOnly: 'This receipt case must use the implicit-flow flag.',
  explicitOnly: 'This receipt case can not use the implicit-flow flag.',
  noReference: 'A transaction of its own needs a cbReceiptReference.',
  noTransaction: (reference: string) =>
    `No transactionnumber found for cbReceiptReference '${reference}'.`,
  alreadyStarted: (number: number, reference: string) =>
    `Transactionnumber ${number} was already started using cbReceiptReference '${reference}'.`,
  failOne: 'A single transaction is failed without the implicit-flow flag.',
  failMany:
    'Several transactions are failed with the implicit-flow flag, without cbReceiptReference.',
  failList:
    "ftReceiptCaseData must hold the array 'CurrentStartedTransactionNumbers' of the TSE's " +
    'transactions to fail.',
  gone: (number: number, reference: string) =>
    `Transaction ${number} of cbReceiptReference '${reference}' is not open on the TSE any more. ` +
    'The next zero receipt or daily closing drops it; then the receipt can be sent again.',
  failNumber: (number: string) =>
    `CurrentStartedTransactionNumbers: ${number} is no number of a transaction.`,
  failUnknown: (numbers: readonly number[]) =>
    `CurrentStartedTransactionNumbers: not open on the TSE: ${numbers.join(', ')}. ` +
    'Nothing was done.',
  failCount: (most: number) =>
    `CurrentStartedTransactionNumbers: at most ${most} numbers, a TSE has no more open.`,
  noOpen: (reference: string) => `No open transaction found for cbReceiptReference '${reference}'.`,
  itemsOnMigration: 'A start-migration receipt must not have charge or pay items.',
  migrated: 'This Queue was migrated: it takes no further receipts.',
  noScu: 'No SCU is connected to this Queue.',
  start: (unit: string, reason: string) =>
    `The TSE of SCU ${unit} could not be put into operation: ${reason}`,
  notAfterClosing:
    'The SCU switch can only be initiated right after a daily-closing receipt, or with the force ' +
    'flag.',
  source: 'The source SCU is not set up for a switch: it must be prepared in the portal.',
  target: 'The target SCU is not set up for a switch: it must be prepared in the portal.',
  notSwitching:
    'There is no SCU switch in progress: it begins with an initiate-scu-switch receipt.',
  finish: (unit: string, reason: string) =>
    `The target TSE of SCU ${unit} could not be put into operation: ${reason}`,
} as const
