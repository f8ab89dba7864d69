// Texts of answers and actions, and what a country says about the page of its receipts.
import {
  type ChargeTraits,
  type ChargeWord,
  type DocumentKind,
  type PageRules,
  type PayTraits,
  PLAIN_CHARGE,
  PLAIN_PAY,
  type ReceiptTraits,
  type SignatureLabel,
  type SignatureStyle,
} from '../../case/traits.js'
import { type Word, wordOf } from '../../case/word.js'
import { documentBy, markedBy, omitting } from '../kit/page.js'
import { receiptCases, signatureKinds, stateBits } from './cases.js'
import { caseRules } from './mapping.js'

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
  lateSigning: (queueId: string) =>
    `Queue ${queueId} has receipts that were made while it could not be reached.`,
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

// ---------------------------------------------------------------------------------------- the page

const documents: Record<number, DocumentKind> = {
  [receiptCases.zero]: 'zero',
  [receiptCases.start]: 'start',
  [receiptCases.stop]: 'stop',
  [receiptCases.monthly]: 'monthly',
  [receiptCases.yearly]: 'yearly',
  [receiptCases.daily]: 'daily',
  [receiptCases.startTransaction]: 'log',
  [receiptCases.updateTransaction]: 'log',
  [receiptCases.deltaTransaction]: 'log',
  [receiptCases.failTransaction]: 'log',
  [receiptCases.order]: 'order',
  [receiptCases.infoInternal]: 'log',
  [receiptCases.protocol]: 'log',
  [receiptCases.initiateSwitch]: 'switch',
  [receiptCases.finishSwitch]: 'switch',
  [receiptCases.startMigration]: 'migration',
  // invoice B2B, B2C, B2G or unknown; delivery note; pay-in and pay-out; internal use
  ...{ 12: 'invoice', 13: 'invoice', 14: 'invoice' },
  ...{ 15: 'deliveryNote', 17: 'transfer', 18: 'internal' },
}

/** Bits 16 and up of a v0 receipt case. */
const flags = { late: 0x01, training: 0x02, void: 0x04, handwritten: 0x08, smallBusiness: 0x10 }

/** Codes of receipts on which the flags mean what they say; closings have others there. */
function isSale(document: DocumentKind): boolean {
  return !['zero', 'start', 'stop', 'monthly', 'yearly', 'daily', 'switch'].includes(document)
}

function receiptOf({ flags: set, code }: Word): ReceiptTraits {
  const document = documents[code] ?? 'receipt'
  const has = (flag: number): boolean => isSale(document) && (set & flag) !== 0
  return {
    document,
    training: has(flags.training),
    void: has(flags.void) || code === receiptCases.void,
    refund: false,
    handwritten: has(flags.handwritten),
    late: has(flags.late),
    smallBusiness: has(flags.smallBusiness),
    grouped: false,
  }
}

/** V of version 2 by tax key, the last three bits of a code. */
const VAT_OF_KEY = [8, 3, 1, 4, 5, 8, 7, 0] as const
/** First codes of groups of eight. */
const groups = {
  returnable: 0x20,
  returned: 0x28,
  discount: 0x30,
  extra: 0x38,
  tip: 0x50,
  voucherSold: 0x60,
  voucherTaken: 0x68,
  downPayment: 0x80,
  downPaymentUsed: 0x88,
}
/** Tip for an employee: no turnover, in a group of its own. */
const EMPLOYEE_TIP = 0x59
const REAL_GRANT = 0x49

function chargeOf({ word: { code }, rate, at }: ChargeWord): ChargeTraits {
  if (code === 0) return { ...PLAIN_CHARGE, vat: vatOfRate(rate, at) }
  const group = code & 0xf8
  const is = (...firsts: number[]): boolean => firsts.includes(group)
  return {
    ...PLAIN_CHARGE,
    vat: isUntaxed(code) ? 8 : (VAT_OF_KEY[code & 7] ?? 0),
    tip: is(groups.tip) || code === EMPLOYEE_TIP,
    voucher: is(groups.voucherSold, groups.voucherTaken),
    discount: is(groups.discount, groups.extra),
    downPayment: is(groups.downPayment, groups.downPaymentUsed),
    returnable: is(groups.returnable, groups.returned),
  }
}

/** From 90 on money that is moved, reverse charge and sales of others. */
const isUntaxed = (code: number): boolean =>
  code >= 0x90 || code === EMPLOYEE_TIP || code === REAL_GRANT

const { vatOfRate } = caseRules

/** PP of version 2 by code. */
const payKinds: readonly number[] = [
  ...[0x00, 0x01, 0x01, 0x03, 0x04, 0x05, 0x07, 0x08, 0x0a, 0x0b, 0x0d, 0x01, 0x01, 0x06],
  ...[0x09, 0x09, 0x01, 0x0e, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c],
]

function payOf({ code }: Word): PayTraits {
  return {
    ...PLAIN_PAY,
    kind: payKinds[code] ?? 0,
    foreign: code === 0x02 || code === 0x0c,
    change: code === 0x0b || code === 0x0c,
    tip: code === 0x10,
  }
}

type KindName = keyof typeof signatureKinds

const shown: readonly (readonly [KindName, SignatureLabel])[] = [
  ['transactionNumber', 'transactionNumber'],
  ['counter', 'signatureCounter'],
  ['serial', 'registerSerial'],
  ['tseSerial', 'deviceSerial'],
  ['signature', 'signature'],
]
const moments: readonly (readonly [KindName, SignatureLabel])[] = [
  ['startTime', 'transactionStart'],
  ['logTime', 'transactionEnd'],
  ['actionStart', 'processStart'],
]
const details: readonly (readonly [KindName, SignatureLabel])[] = [
  ['qrVersion', 'qrVersion'],
  ['processType', 'processType'],
  ['processData', 'processData'],
  ['algorithm', 'algorithm'],
  ['logTimeFormat', 'timeFormat'],
  ['publicKey', 'publicKey'],
  ['certificationId', 'certification'],
]

const styles = new Map<number, SignatureStyle>([
  ...shown.map(styleOf({ detail: false, as: 'data' })),
  ...moments.map(styleOf({ detail: false, as: 'moment' })),
  ...details.map(styleOf({ detail: true, as: 'data' })),
])

function styleOf(style: Omit<SignatureStyle, 'label'>) {
  return ([name, label]: readonly [KindName, SignatureStyle['label']]) =>
    [signatureKinds[name].type, { label, ...style }] as const
}

/** "DE" in the top 16 bits, normal items only: reports and failures speak for themselves. */
function signatureStyle(type: bigint): SignatureStyle | undefined {
  const { country, code } = wordOf(type)
  return country === HOME ? styles.get(code) : undefined
}

const HOME = 0x4445

export const page: PageRules = {
  smallBusinessLaw: '§ 19 UStG',
  readsAsV0: (receipt) => caseRules.readsAsV0?.(receipt) === true,
  receiptOf,
  chargeOf,
  payOf,
  vatOfRate,
  signatureStyle,
  toldBy: documentBy({ mark: markedBy('caption', [captions.training]) }),
  omits: omitting(['operator']),
  codeText: (data) => data,
  outageOf: (signatures) =>
    signatures.some(({ caption }) => caption === captions.tseFailed)
      ? 'TSE ausgefallen'
      : undefined,
  keepsPaper: (state) => (state & BigInt(stateBits.tseFailed)) !== 0n,
}
