// The messages of group B as schemas, made from the field table: what a request may hold, and what
// an answer holds.
import { z } from 'zod'
import {
  chargeItemFields,
  type Field,
  payItemFields,
  requestFields,
  responseFields,
  signatureFields,
} from '../../model/receipt-fields.js'
import { camelName } from '../../model/response-json.js'
import { int64, wordOf } from '../shared/openapi/parts.js'
import { memberExamples } from '../shared/openapi/receipt-examples.js'

/** `Quantity` of an item is `quantity` in the cloud form of the field. */
type Naming = (name: string) => string
const asItIs: Naming = (name) => name

const WORD = /^(?:[+-]?[0-9]{1,19}|0x[0-9a-fA-F]{1,16})$/

const caseWord = wordOf({
  id: 'middleware.CaseWord',
  description: 'A case word of 64 bits: country letters, version, flags and case.',
  text: WORD,
  signed: true,
  example: '0x4154000000000001',
})

const integer = wordOf({
  ...{ id: 'middleware.Int64', description: 'A whole number of 64 bits.' },
  ...{ text: WORD, signed: true, example: '1' },
})

const decimal = z
  .union([z.number(), z.string().regex(/^[+-]?[0-9]{1,13}(?:\.[0-9]{1,15})?$/)])
  .meta({
    id: 'middleware.Decimal',
    description:
      'A number, or the same as text; kept exactly as it is written. At most 13 digits before ' +
      'the point.',
  })

type Make = (field: Field<never>) => z.ZodType

const guid: Make = () => z.string().meta({ format: 'uuid' })
const date: Make = () => z.string().meta({ format: 'date-time' })
const text: Make = ({ max }) => (max === undefined ? z.string() : z.string().max(max))

function listed(id: string, fields: readonly unknown[], { naming, kinds }: Side): z.ZodType {
  return z.array(objectOf(id, fields, { naming, kinds }))
}

interface Side {
  naming: Naming
  kinds: Record<Field<never>['kind'], Make>
}

function objectOf(id: string, fields: readonly unknown[], { naming, kinds }: Side) {
  const members = (fields as readonly Field<never>[]).map((field) => {
    const example = memberExamples[field.name]
    const shown = example === undefined ? {} : { examples: [example] }
    const made = kinds[field.kind](field).meta({ description: field.text, ...shown })
    return [naming(field.name), made] as const
  })
  return z.object(Object.fromEntries(members)).meta({ id: `middleware.${id}` })
}

/** What may be left out, and what may be null. An amount that is there must be one. */
const given =
  (make: Make): Make =>
  (field) => {
    const made = make(field)
    if (field.missing === 'required') return made
    return field.kind === 'decimal' && field.missing !== 'null' ? made.optional() : made.nullish()
  }

const inputKinds: Side['kinds'] = {
  guid: given(guid),
  text: given(text),
  decimal: given(() => decimal),
  int64: given(({ name }) => (name.startsWith('ft') ? caseWord : integer)),
  moment: given(date),
  texts: given(() => z.array(z.string())),
  chargeItems: given(() => listed('ChargeItem', chargeItemFields, input)),
  payItems: given(() => listed('PayItem', payItemFields, input)),
  signatures: given(() => z.array(z.unknown())),
}
const input: Side = { naming: camelName, kinds: inputKinds }

export const receiptRequest = objectOf('ReceiptRequest', requestFields, {
  ...input,
  naming: asItIs,
})

/** Members that are left out where there is nothing to say, and those that are null then. */
const told =
  (make: Make): Make =>
  (field) => {
    const made = make(field)
    if (field.optional === true) return made.optional()
    return field.missing === 'null' ? made.nullable() : made
  }

/** `pascal`: items and signatures of an answer are named as the tables name them. */
export function receiptResponseOf(pascal: boolean) {
  const kinds: Side['kinds'] = {
    guid: told(guid),
    text: told(() => z.string()),
    decimal: told(() => z.number()),
    int64: told(({ text: description }) => int64(description)),
    moment: told(date),
    texts: told(() => z.array(z.string())),
    chargeItems: told((_) => listed('ReceiptChargeItem', chargeItemFields, side)),
    payItems: told((_) => listed('ReceiptPayItem', payItemFields, side)),
    signatures: told((_) => listed('SignaturItem', signatureFields, side)),
  }
  const side: Side = { naming: pascal ? asItIs : camelName, kinds }
  return objectOf('ReceiptResponse', responseFields, { ...side, naming: asItIs })
}

const message = z.string().nullable()
export const echoRequest = z
  .object({ message: message.optional().describe('Any text; null has the CashBox read anew.') })
  .meta({ id: 'middleware.EchoRequest' })
export const echoResponse = z
  .object({ message: message.describe('Exactly what was sent.') })
  .meta({ id: 'middleware.EchoResponse' })
