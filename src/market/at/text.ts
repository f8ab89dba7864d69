// Every text that Austria puts on a receipt or into its action journal, in one place. German ones
// are printed for the taxpayer and the tax office.

export const captions = {
  /** § 17 (4) RKSV: the words have to be visible on the receipt. */
  signerFailed: 'Sicherheitseinrichtung ausgefallen',
  /** § 10 (3) RKSV: training and void receipts are to be named so. */
  training: 'Trainingsbuchung',
  void: 'Stornobuchung',
  start: 'Startbeleg',
  stop: 'Stopbeleg',
  monthly: 'Monatsbeleg',
  yearly: 'Jahresbeleg',
  handwritten: 'Mobil-Nacherfassung',
  lateSigning: 'Ausfall-Nacherfassung',
  collective: 'Sammelbeleg',
  certificate: 'Signaturzertifikat',
  startUnsigned: 'Startbeleg nicht signiert',
  sandbox: 'S A N D B O X',
} as const

/** First and last receipt of a recovery. */
export function fromTo(first: string, last: string): string {
  return `Von ${first} bis ${last}`
}

/** Captions of the FinanzOnline notifications, which are the messages of the action journal too. */
export const finanzOnline = {
  activation: (queueId: string) =>
    `Aktivierung (Inbetriebnahme) einer Sicherheitseinrichtung ${queueId} nach RKSV. (Queue)`,
  deactivation: (queueId: string) =>
    `De-Aktivierung (Ausserbetriebnahme) einer Sicherheitseinrichtung ${queueId} ` +
    'nach RKSV. (Queue)',
  verification: (jws: string) => `Prüfen der Signatur ${jws} mittels FON.`,
} as const

/** Explanations of the sandbox: `Sign: True Counter:False`. */
export function signAndCount(sign: boolean, count: boolean): string {
  return `Sign: ${capital(sign)} Counter:${capital(count)}`
}

function capital(value: boolean): string {
  return value ? 'True' : 'False'
}

export const explanations = {
  signAll: 'Sign-All-Mode',
  zero: 'Zero-Receipt',
  decision: 'Decision',
  exception: 'Exception',
  counter: 'Counter Add',
} as const

export const refusals = {
  zeroWithItems: 'Zero receipts must not contain charge- or payitems.',
  noScu: 'No SCU is connected to this Queue.',
  keyMissing: 'This Queue has no encryption key for its turnover counter.',
  keyInvalid: 'The encryption key of this Queue is not 32 bytes in base64.',
  counterFull: 'The turnover counter would exceed 8 bytes.',
  kassenId:
    'The ftCashBoxIdentification of this Queue is not usable in the RKSV: ' +
    '1 to 64 of the characters A-Z a-z 0-9 . : + / - and blanks inside.',
  training: (receipt: string) => `Training mode cannot be used for ${receipt}.`,
  void: (receipt: string) => `The void flag cannot be used for ${receipt}.`,
} as const

/** Names of the receipts that refuse flags. */
export const receiptNames = {
  zero: 'a zero receipt (ftReceiptCase 0002)',
  start: 'a start receipt (ftReceiptCase 0003)',
  stop: 'a stop receipt (ftReceiptCase 0004)',
  monthly: 'a monthly receipt (ftReceiptCase 0005)',
  yearly: 'a yearly receipt (ftReceiptCase 0006)',
} as const

export const actions = {
  notActive: (queueId: string) =>
    `Queue ${queueId} is not active: receipts are stored without signature.`,
  withItems: (queueId: string, receipt: string) =>
    `Queue ${queueId} got ${receipt} with charge or pay items; it was not executed.`,
  alreadyActive: (queueId: string) => `Queue ${queueId} is already activated.`,
  keyMade: (kassenId: string) => `A new encryption key was made for ${kassenId}.`,
  activated: (queueId: string) => `Queue ${queueId} was activated.`,
  startUnsigned: (queueId: string, reasons: string) =>
    `Queue ${queueId} could not be activated: its start receipt was not signed. ${reasons}`,
  deactivated: (queueId: string) => `Queue ${queueId} was deactivated.`,
  stopFailed: (queueId: string) =>
    `Queue ${queueId} stays active: its stop receipt was made without signing device.`,
  monthly: (month: number) => `Monthly receipt number ${month} was made.`,
  yearly: (queueId: string) => `The yearly receipt of queue ${queueId} was made.`,
  yearlyFailed: (queueId: string) =>
    `The yearly receipt of queue ${queueId} was made without signing device; it is still due.`,
  lateSigning: (queueId: string) => `Queue ${queueId} entered the mode for receipts signed later.`,
  noneInUse: 'None of its signing units is in use.',
  signersFailed: (reasons: string) => `No signing unit gave a signature. ${reasons}`,
  signerChanged: (scuId: string, reasons: string) =>
    `Signing unit ${scuId} was used after others had failed. ${reasons}`,
  recovered: (caption: string, range: string) => `${caption}: ${range}`,
} as const
