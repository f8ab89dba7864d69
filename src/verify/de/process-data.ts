// The grammar of processData (DSFinV-K 2.2, Annex I).

export const PROCESS_TYPES: ReadonlySet<string> = new Set([
  'Kassenbeleg-V1',
  'Bestellung-V1',
  'SonstigerVorgang',
])

export const BON_TYPES: ReadonlySet<string> = new Set([
  'Beleg',
  'AVRechnung',
  'AVTransfer',
  'AVBestellung',
  'AVTraining',
  'AVBelegstorno',
  'AVBelegabbruch',
  'AVSachbezug',
  'AVSonstige',
])

export interface Kassenbeleg {
  bonType: string
  /** General, reduced, key 3, key 4, zero; in cents. */
  buckets: bigint[]
  /** `Bar`, `Unbar`, `Bar:CHF` → cents of that currency. */
  payments: Map<string, bigint>
}

const AMOUNT = /^-?(?:0|[1-9]\d*)\.\d\d$/
const PAYMENT = /^(-?(?:0|[1-9]\d*)\.\d\d):((?:Bar|Unbar)(?::[A-Z]{3})?)$/

/** Kassenbeleg-V1; a text says what was expected. */
export function readKassenbeleg(text: string): Kassenbeleg | string {
  const parts = text.split('^')
  if (parts.length !== 3) return `three parts between ^, not ${parts.length}`
  const [bonType = '', amounts = '', paid = ''] = parts
  if (!BON_TYPES.has(bonType)) return 'a BON_TYP of DSFinV-K as the first part'
  const buckets = amounts.split('_')
  if (buckets.length !== 5 || !buckets.every((amount) => AMOUNT.test(amount))) {
    return 'five amounts like -12.50 between _ as the second part'
  }
  const payments = readPayments(paid)
  if (typeof payments === 'string') return payments
  return { bonType, buckets: buckets.map(cents), payments }
}

function readPayments(text: string): Map<string, bigint> | string {
  const payments = new Map<string, bigint>()
  if (text === '') return payments
  let last = ''
  for (const part of text.split('_')) {
    const [, amount = '', kind = ''] = PAYMENT.exec(part) ?? []
    if (kind === '') return 'payments like 10.00:Bar or 5.00:Unbar:CHF between _ as the third part'
    if (kind <= last)
      return 'each kind of payment once, in the order Bar, Bar:CHF, Unbar, Unbar:CHF'
    last = kind
    payments.set(kind, cents(amount))
  }
  return payments
}

function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}

const ORDER_LINE = /-?\d+(?:\.\d{1,10})?;"(?:[^"]|"")*";-?\d+\.\d\d/y

/**
 * Bestellung-V1: the lines, and what stands between them; undefined for anything else. An order
 * without lines is empty.
 */
export function readBestellung(text: string): { lines: string[]; joints: string[] } | undefined {
  const lines: string[] = []
  const joints: string[] = []
  if (text === '') return { lines, joints }
  let at = 0
  for (;;) {
    ORDER_LINE.lastIndex = at
    const found = ORDER_LINE.exec(text)
    if (found === null) return undefined
    lines.push(found[0])
    at += found[0].length
    if (at === text.length) return { lines, joints }
    const joint = text.charAt(at)
    if (!['\r', '\n', ' '].includes(joint)) return undefined
    joints.push(joint)
    at += 1
  }
}

/** Undefined when the sums agree, or cannot be compared because of other currencies. */
export function sumFault({ bonType, buckets, payments }: Kassenbeleg): string | undefined {
  if (bonType !== 'Beleg' || [...payments.keys()].some((kind) => /:/.test(kind))) return undefined
  const turnover = buckets.reduce((sum, amount) => sum + amount, 0n)
  const paid = [...payments.values()].reduce((sum, amount) => sum + amount, 0n)
  if (turnover === paid) return undefined
  return `expected payments of ${euro(turnover)}, found ${euro(paid)}`
}

export function euro(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
