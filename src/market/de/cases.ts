// The v0/v1 receipt cases of Germany as data: DSFinV-K kind (BON_TYP), processType, flow and text.

export const processTypes = {
  receipt: 'Kassenbeleg-V1',
  order: 'Bestellung-V1',
  other: 'SonstigerVorgang',
  none: '',
} as const
export type ProcessType = (typeof processTypes)[keyof typeof processTypes]

/** Kinds of a Bon (DSFinV-K, BON_TYP); null: no Bon. */
export type BonType =
  | 'Beleg'
  | 'AVRechnung'
  | 'AVTransfer'
  | 'AVBestellung'
  | 'AVTraining'
  | 'AVBelegstorno'
  | 'AVBelegabbruch'
  | 'AVSachbezug'
  | 'AVSonstige'

/** Which path a receipt takes through the queue. */
export type Path =
  | 'business'
  | 'zero'
  | 'start'
  | 'stop'
  | 'monthly'
  | 'yearly'
  | 'daily'
  | 'startTransaction'
  | 'updateTransaction'
  | 'failTransaction'
  | 'initiateSwitch'
  | 'finishSwitch'
  | 'startMigration'

export interface ReceiptCase {
  path: Path
  bonType: BonType | null
  processType: ProcessType
  /** `I`: only with the implicit flag, `E`: never with it, `IE`: both. */
  flow: 'I' | 'E' | 'IE'
  /** Data of SonstigerVorgang; '' where the data come from the items. */
  text: string
  /** True when the training flag is refused. */
  noTraining: boolean
}

export const receiptCases = {
  zero: 0x0002,
  start: 0x0003,
  stop: 0x0004,
  monthly: 0x0005,
  yearly: 0x0006,
  daily: 0x0007,
  startTransaction: 0x0008,
  updateTransaction: 0x0009,
  deltaTransaction: 0x000a,
  failTransaction: 0x000b,
  order: 0x0010,
  infoInternal: 0x0013,
  protocol: 0x0014,
  foreignSales: 0x0015,
  void: 0x0016,
  initiateSwitch: 0x0017,
  finishSwitch: 0x0018,
  startMigration: 0x0019,
} as const

function business(bonType: BonType): ReceiptCase {
  const processType = processTypes.receipt
  return { path: 'business', bonType, processType, flow: 'IE', text: '', noTraining: false }
}

function operation(path: Path, text: string, noTraining = true): ReceiptCase {
  const processType = processTypes.other
  return { path, bonType: null, processType, flow: 'I', text, noTraining }
}

function step(path: Path): ReceiptCase {
  const processType = processTypes.none
  return { path, bonType: null, processType, flow: 'E', text: '', noTraining: false }
}

function log(text: string): ReceiptCase {
  return { ...operation('business', text, false), flow: 'IE' }
}

/** By code; 0010 and 0013 look at their items as well, see caseOf. */
const table: readonly ReceiptCase[] = [
  business('Beleg'), // 0000 unknown
  business('Beleg'), // 0001 point of sale
  operation('zero', 'zero-receipt', false),
  operation('start', 'initial operation receipt / start-receipt'),
  operation('stop', 'out of operation receipt / stop-receipt'),
  operation('monthly', 'monthly-closing'),
  operation('yearly', 'yearly-closing'),
  operation('daily', 'daily-closing'),
  step('startTransaction'), // 0008
  step('updateTransaction'), // 0009
  step('updateTransaction'), // 000A delta
  { ...business('AVBelegabbruch'), path: 'failTransaction' }, // 000B
  business('Beleg'), // 000C invoice B2B
  business('Beleg'), // 000D invoice B2C
  business('AVRechnung'), // 000E
  business('AVTransfer'), // 000F delivery note
  { ...business('AVBestellung'), processType: processTypes.order }, // 0010 order
  business('Beleg'), // 0011 pay-in, pay-out, exchange
  business('AVSachbezug'), // 0012
  log('info-internal'), // 0013
  log('protocol'), // 0014
  business('AVSonstige'), // 0015 foreign sales
  business('AVBelegstorno'), // 0016
  operation('initiateSwitch', 'initiate-scu-switch'), // 0017
  operation('finishSwitch', 'finish-scu-switch'), // 0018
  operation('startMigration', 'start-migration'), // 0019
]

/** How many items of each kind a receipt has: orders and internal information depend on it. */
export interface ItemCounts {
  charges: number
  pays: number
}

/** The row of a code, or undefined for codes above 0019. */
export function caseOf(code: number, { charges, pays }: ItemCounts): ReceiptCase | undefined {
  const row = table[code]
  if (row === undefined) return undefined
  if (code === receiptCases.order && pays > 0) return business('AVBestellung')
  if (code === receiptCases.infoInternal && charges > 0 && pays > 0) return business('AVSonstige')
  return row
}

/** BON_TYP with the training flag looked at: it counts for Kassenbeleg-V1 only. */
export function bonTypeOf(row: ReceiptCase, training: boolean): BonType | null {
  return training && row.processType === processTypes.receipt ? 'AVTraining' : row.bonType
}

/** Bits 16 to 33 of a v0/v1 receipt case, moved down by 16. */
export const receiptFlags = {
  lateSigning: 0x0001,
  training: 0x0002,
  void: 0x0004,
  handwritten: 0x0008,
  tseInfo: 0x0080,
  /** Zero receipt: self-test. Start, stop, initiate switch: the TSE's state is left alone. */
  selfTestOrClientOnly: 0x0100,
  tarDownload: 0x0200,
  bypassTar: 0x0400,
  masterData: 0x0800,
  failIfOpen: 0x1000,
  dropUnknown: 0x2000,
  force: 0x4000,
  implicit: 0x1_0000,
  closeAll: 0x2_0000,
} as const
