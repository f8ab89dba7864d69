// A commercial document as devices that want XML are told it: what their forms have room for,
// under the same names for every maker.
import { paymentsOf } from './sums.js'
import { type RtDocument, type RtLine, type RtPayment, RtRefusal } from './unit.js'
import { four, lineOf, type Values } from './wire.js'

/** Letters and numbers of a maker, or of one device as its technician has programmed it. */
export interface Wire {
  /** Letters of a description. */
  width: number
  money(cents: bigint): string | bigint
  vats: Readonly<Partial<Record<RtLine['vat'], number>>>
  payments: Readonly<Partial<Record<RtPayment['kind'], number>>>
  /** Second number of a payment, where there is one. */
  indexes?: Readonly<Record<RtPayment['kind'], number>>
  /** On the line before. */
  adjustments: Readonly<Partial<Record<RtLine['kind'], number>>>
  /** What is taken off the whole, or put on it. */
  subtotal: Readonly<Record<'off' | 'on', number>>
}

/** Of devices that know all of them. */
export type WholeWire = Wire & { [Key in 'vats' | 'payments']: Required<Wire[Key]> }

/** Of Custom printers, whose numbers are settings. */
const NO_VAT = 28
const NO_PAYMENT = 137

/** Throws RtRefusal for what the device is not programmed for: nothing was sent then. */
export function valuesOf(document: RtDocument, wire: Wire): Values {
  const { type, till, taxId, lottery, reference, subtotal } = document
  const { z = 0, doc = 0, date = '', serial = 'ND' } = reference ?? {}
  const [year = '', month = '', day = ''] = date.split('-')
  const [description, kind] =
    subtotal < 0n ? ['SCONTO', 'off' as const] : ['MAGGIORAZIONE', 'on' as const]
  const amount = wire.money(subtotal < 0n ? -subtotal : subtotal)
  return {
    ...{ [type]: true, reference: reference !== undefined, first: reference === undefined },
    ...{ numbered: z > 0, unnumbered: z === 0, z: four(z), doc, doc4: four(doc), serial },
    ...{ year, yy: year.slice(2), month, day, till, taxId, lottery },
    lines: document.lines.map((line) => lineValues(line, wire)),
    subtotal: subtotal === 0n ? [] : [{ description, adjustmentType: wire.subtotal[kind], amount }],
    payments: paymentsOf(document).map((one) => {
      const paymentType = wire.payments[one.kind]
      if (paymentType === undefined) {
        const text = `no payment is programmed for ${one.kind}: name it in payments`
        throw new RtRefusal(NO_PAYMENT, text)
      }
      const told = { description: lineOf(one.text, wire.width), payment: wire.money(one.cents) }
      return { ...told, paymentType, index: wire.indexes?.[one.kind] }
    }),
  }
}

function lineValues({ kind, text, quantity, cents, vat: key }: RtLine, wire: Wire): Values {
  const description = lineOf(text, wire.width)
  if (kind === 'note') return { note: true, description }
  const vat = wire.vats[key]
  if (vat === undefined) {
    throw new RtRefusal(NO_VAT, `no VAT is programmed for ${key}: name it in vats`)
  }
  const [amount, adjustmentType] = [wire.money(cents), wire.adjustments[kind]]
  if (adjustmentType !== undefined) return { adjustmentType, description, amount, vat }
  if (kind === 'gift') return { gift: true, description, vat }
  const unitPrice = wire.money(cents / BigInt(quantity))
  return { item: true, description, quantity, unitPrice, amount, vat }
}
