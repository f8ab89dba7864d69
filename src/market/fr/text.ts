// Every text that France puts on a receipt or into its action journal, in one place.

export const captions = {
  provisional: 'document provisoire',
  noProof: 'justificatif non valable pour encaissement',
  training: 'mode école',
  duplicate: 'Duplicata',
  failure: 'Failure registered',
  pending: 'Message pending',
  totals: {
    shift: 'Shift Totals',
    day: 'Day Totals',
    month: 'Month Totals',
    year: 'Year Totals',
    archive: 'Archive Totals',
  },
  perpetual: 'Totals',
  excerpt: 'Signature',
} as const

export const TRAINING_FOOTER = 'T R A I N I N G'

export function duplicateOf(count: number, reference: string): string {
  return `${count}. Duplicata de ${reference}`
}

/** What is to be done about a message that is pending. */
export const PENDING_DATA = 'Create a Zero receipt'

/** With the blank at its end that other programs expect. */
export function fromTo(first: string, last: string): string {
  return `From ${first} to ${last} `
}

export const actions = {
  archiveRight: 'The hashes of the archive were made once more: all are right.',
  archiveWrong: (count: number) =>
    `Code 90: ${count} differences were found when the hashes of the archive were made once more.`,
  exported: (type: string) => `Data were exported: journal type ${type}.`,
  version: (now: string, before: string) =>
    `This is version ${now} of the program; the receipt before was made by ${before}.`,
  faults: 'The received request contained errors.',
  outOfOrder: (queueId: string) =>
    `Queue ${queueId} is out of order: it was not activated, or it is disabled.`,
  failedMode: (queueId: string) => `Queue ${queueId} enabled mode "UsedFailed".`,
  recovered: (queueId: string, range: string) =>
    `Queue ${queueId} recovered from mode "UsedFailed"; ` +
    `closing chain of failed receipts ${range.trim().replace(/^F/, 'f')}.`,
} as const

export const refusals = {
  balance: (charged: string, paid: string) =>
    `The charge items add up to ${charged} and the pay items to ${paid}; expected the same sum.`,
  noCharges: 'This receipt case takes no charge items.',
  noPays: 'This receipt case takes no pay items.',
  counter: 'This receipt case takes exactly one pay item, the counter entry of case 0011.',
  noReference: 'A copy names the receipt that it copies in cbPreviousReceiptReference.',
  archiveFirst: 'The first receipt of a queue cannot be an archive receipt.',
  archiveLong: (days: number, since: string) =>
    `An archive holds at most ${days} days; the range of this one begins at ${since}.`,
  noUnit: 'The queue has no signing unit.',
  unitFailed: (reasons: string) => `No signing unit has signed the receipt: ${reasons}`,
} as const
