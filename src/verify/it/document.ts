// One line of an Italian journal, and what can be judged of it alone. Amounts are whole cents.
import { sha256 } from '../digest.js'
import type { Report } from './rules.js'

export interface Line {
  kind: string
  cents: bigint
  vat: string
}

export interface Document {
  previous: string
  type: 'sale' | 'refund' | 'void' | 'closing'
  serial: string
  z: number
  doc: number
  moment: string
  sha: string
  lines: Line[]
  subtotal: bigint
  payments: { kind: string; cents: bigint }[]
  vat: Map<string, { gross: bigint; tax: bigint }>
  total: bigint
  taxId: string
  lottery: string
  reference: { serial: string; z: number; doc: number } | undefined
  /** `0012-0001`, or `Z0012`. */
  name: string
  /** SHA-256 of the line as it stands. */
  hash: string
}

type Members = Record<string, unknown>
const TYPES: ReadonlySet<unknown> = new Set(['sale', 'refund', 'void', 'closing'])
const four = (number: number): string => String(number).padStart(4, '0')

/** Undefined for a line that is none. */
export function documentIn(line: string): Document | undefined {
  try {
    const given = JSON.parse(line) as Members
    if (!TYPES.has(given.type)) return undefined
    const { z, doc, reference } = given as unknown as Document
    if (![z, doc].every((one) => Number.isInteger(one) && one >= 0)) return undefined
    const rows = (name: string) => (given[name] as string[][]).map((row) => [...row])
    return {
      ...(given as unknown as Document),
      lines: rows('lines').map(([kind = '', , , cents = '', vat = '']) => ({
        ...{ kind, cents: BigInt(cents), vat },
      })),
      subtotal: BigInt(given.subtotal as string),
      payments: rows('payments').map(([kind = '', , cents = '']) => ({
        kind,
        cents: BigInt(cents),
      })),
      vat: new Map(
        rows('vat').map(([key = '', gross = '', tax = '']) => [
          key,
          { gross: BigInt(gross), tax: BigInt(tax) },
        ]),
      ),
      total: BigInt(given.total as string),
      reference: reference ?? undefined,
      name: given.type === 'closing' ? `Z${four(z)}` : `${four(z)}-${four(doc)}`,
      hash: sha256(line, 'hex'),
    }
  } catch {
    return undefined
  }
}

const LESS: ReadonlySet<string> = new Set(['off', 'voucher', 'deposit'])
const NOTHING: ReadonlySet<string> = new Set(['gift', 'note'])

function worth({ kind, cents }: Line): bigint {
  if (NOTHING.has(kind)) return 0n
  return LESS.has(kind) ? -cents : cents
}

export function judgeAlone(document: Document, report: Report): void {
  const { name, total, lines, subtotal, vat } = document
  const sold = lines.reduce((sum, line) => sum + worth(line), subtotal)
  const told = [...vat.values()].reduce((sum, { gross }) => sum + gross, 0n)
  if (sold !== total || told !== total) {
    report('TOTAL_WRONG', name, `expected ${sold} cents, found ${total} and by rates ${told}`)
  }
  for (const [key, { gross, tax }] of vat) {
    const own = lines.filter((one) => one.vat === key).reduce((sum, one) => sum + worth(one), 0n)
    // what is taken off the whole is split by rates
    if (subtotal === 0n && own !== gross) {
      report('RATE_WRONG', name, `expected ${own} cents at ${key}, found ${gross}`)
    }
    const inside = taxInside(gross, key)
    if (tax !== inside)
      report('TAX_WRONG', name, `expected ${inside} cents at ${key}, found ${tax}`)
  }
  judgePayments(document, sold, report)
  judgeBuyer(document, report)
}

function taxInside(gross: bigint, key: string): bigint {
  if (!/^\d+$/.test(key)) return 0n
  const rate = BigInt(key)
  return (gross * rate * 2n + 100n + rate) / (2n * (100n + rate))
}

function judgePayments({ type, payments, name }: Document, total: bigint, report: Report): void {
  if (type !== 'sale' || payments.length === 0) return
  const all = payments.reduce((sum, { cents }) => sum + cents, 0n)
  const cash = payments.reduce((sum, { kind, cents }) => sum + (kind === 'cash' ? cents : 0n), 0n)
  if (all < total || all - cash > total) {
    report('PAYMENT_WRONG', name, `expected ${total} cents, found ${all}, of it ${cash} in cash`)
  }
}

function judgeBuyer({ taxId, lottery, type, total, name }: Document, report: Report): void {
  if (taxId !== '' && !hasCheckCharacter(taxId)) {
    report('TAX_ID_WRONG', name, `expected a right check character, found ${taxId.slice(0, 16)}`)
  }
  if (lottery === '') return
  if (!/^[A-Z0-9]{8}$/.test(lottery) || type !== 'sale' || total < 100n) {
    report('LOTTERY_WRONG', name, `found ${lottery.slice(0, 16)} on a ${type} of ${total} cents`)
  }
}

const ODD_WORTH = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22]
const REST = [25, 24, 23]

function hasCheckCharacter(text: string): boolean {
  if (/^\d{11}$/.test(text)) {
    const sum = [...text].reduce((all, digit, at) => {
      const one = Number(digit) * (at % 2 === 0 ? 1 : 2)
      return all + (one > 9 ? one - 9 : one)
    }, 0)
    return sum % 10 === 0 && !/^0+$/.test(text)
  }
  if (!/^[A-Z0-9]{16}$/.test(text)) return false
  const worths = [...ODD_WORTH, ...REST]
  const sum = [...text.slice(0, 15)].reduce((all, one, at) => {
    const plain = /\d/.test(one) ? Number(one) : one.charCodeAt(0) - 65
    return all + (at % 2 === 0 ? (worths[plain] ?? 0) : plain)
  }, 0)
  return String.fromCharCode(65 + (sum % 26)) === text[15]
}
