// The messages of group D as schemas; those of receipts are made from the field tables.
import { z } from 'zod'
import {
  type PosField,
  posChargeFields,
  posPayFields,
  posRequestFields,
} from '../../model/pos-fields.js'
import {
  chargeItemFields,
  payItemFields,
  requestFields,
  responseFields,
  signatureFields,
} from '../../model/receipt-fields.js'
import { anything, int64, moment, textOf, uuid, whole, wordOf } from '../shared/openapi/parts.js'
import { memberExamples } from '../shared/openapi/receipt-examples.js'
import { abortOutcomes } from './abort.js'

export const caseWord = wordOf({
  id: 'possystem.CaseWord',
  description: 'A case word of 64 bits: country letters, version, flags and case; 0 is not set.',
  text: /^(?:[0-9]{1,20}|0x[0-9a-fA-F]{1,16})$/,
  signed: false,
  example: '0x4154200000000001',
})

export const tick = wordOf({
  id: 'possystem.Tick',
  description: 'A moment as 100 ns since 0001-01-01 UTC.',
  text: /^(?:-?[0-9]{1,19}|0x[0-9a-fA-F]{1,15})$/,
  signed: true,
  example: '0',
})

const LONGEST = 1023
/** What the members mean, by name; most are those of version 1. */
const MEANINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...requestFields,
      ...chargeItemFields,
      ...payItemFields,
      ...responseFields,
      ...signatureFields,
    ].map(({ name, text }) => [name, text]),
  ),
  ftChargeItemId: 'Id of the line; made by the server where it is left out.',
  ftPayItemId: 'Id of the payment; that of the answer of pay.',
  MoneyBarcode: 'Barcode or reference of the means of payment.',
  Currency: 'ISO 4217; that of the queue where it is left out, and no other is signed.',
  DecimalPrecisionMultiplier:
    'Amounts are whole numbers of this part: 100 means cents. Left out: 1.',
  ftReceiptCase: 'Kind of business event; a sale at the register where it is left out.',
  cbReceiptReference: 'Reference of the register, unique per register.',
  cbPreviousReceiptReference: 'Earlier receipts of the same business case; several as a list.',
  cbUser: 'Who made the receipt: a name, or an object.',
  cbArea: 'Section or table: a name, or an object.',
  cbCustomer: 'Customer: a name, or an object.',
  cbSettlement: 'Settlement: a text, or an object.',
  Position: 'Line number on the receipt, from 1; parts of a line have decimals.',
}

const decimal = () => z.number()
const plainText = () => z.string().max(LONGEST)

/** Items of a list and of an answer differ in what they may leave out. */
const INPUT: Record<PosField['kind'], () => z.ZodType> = {
  guid: () => z.string().meta({ format: 'uuid' }),
  text: plainText,
  reference: () => z.string().min(1).max(LONGEST),
  decimal,
  position: decimal,
  word: () => caseWord,
  moment: () => z.string().meta({ format: 'date-time' }),
  json: () => z.unknown(),
  references: () => z.union([plainText(), z.array(plainText()).max(100)]),
  currency: () => z.string().max(LONGEST),
  multiplier: () =>
    z.union([
      ...([z.literal(0), z.literal(1), z.literal(100), z.literal(10_000)] as const),
      ...([z.literal(1_000_000), z.literal(100_000_000)] as const),
    ]),
  chargeItems: () => z.array(chargeItem).max(10_000),
  payItems: () => z.array(payItem).max(10_000),
}

function inputOf(id: string, fields: readonly PosField[]) {
  return objectOf(
    id,
    fields.map((field) => [field, given(INPUT[field.kind](), field)] as const),
  )
}

/** A missing amount is 0; one that is null is a fault. Lists may be null where they are empty. */
function given(schema: z.ZodType, { kind, missing }: PosField): z.ZodType {
  const isList = kind === 'chargeItems' || kind === 'payItems'
  if (missing === 'required') return isList ? schema.nullable() : schema
  // free JSON may be null anyway
  if (kind === 'json') return schema.optional()
  return kind === 'decimal' && missing !== undefined ? schema.optional() : schema.nullish()
}

function objectOf(id: string, members: readonly (readonly [PosField, z.ZodType])[]) {
  const shape = members.map(([{ name }, schema]) => [name, told(name, schema)] as const)
  return z.object(Object.fromEntries(shape)).meta({ id: `possystem.${id}` })
}

function told(name: string, schema: z.ZodType): z.ZodType {
  const example = memberExamples[name]
  const description = MEANINGS[name] ?? name
  return schema.meta({ description, ...(example === undefined ? {} : { examples: [example] }) })
}

const chargeItem = inputOf('ChargeItem', posChargeFields)
const payItem = inputOf('PayItem', posPayFields)
export const receiptRequest = inputOf('ReceiptRequest', posRequestFields)

/** An item of an answer: the same member under both spellings of the id. */
function answeredOf(id: string, fields: readonly PosField[]) {
  const kept = fields.filter(({ kind }) => kind !== 'multiplier' && kind !== 'currency')
  const members = kept.map(
    (field) =>
      [field, (field.kind === 'word' ? int64('') : INPUT[field.kind]()).optional()] as const,
  )
  return objectOf(id, members)
}

const texts = (name: string) => told(name, z.array(z.string()).optional())

export const receiptResponse = z
  .object({
    ftQueueID: uuid('Queue of the receipt.'),
    ftQueueItemID: uuid('Id of this receipt.'),
    ftQueueRow: told('ftQueueRow', int64('')),
    ftCashBoxIdentification: told('ftCashBoxIdentification', z.string()),
    ftCashBoxID: uuid('CashBox of the receipt.'),
    cbTerminalID: told('cbTerminalID', z.string().optional()),
    cbReceiptReference: told('cbReceiptReference', z.string()),
    ftReceiptIdentification: told('ftReceiptIdentification', z.string()),
    ftReceiptMoment: moment('When the queue processed it (UTC).'),
    ftReceiptHeader: texts('ftReceiptHeader'),
    ftChargeItems: z
      .array(answeredOf('ReceiptChargeItem', posChargeFields))
      .optional()
      .describe('Further charge items.'),
    ftChargeLines: texts('ftChargeLines'),
    ftPayItems: z
      .array(answeredOf('ReceiptPayItem', posPayFields))
      .optional()
      .describe('Further pay items.'),
    ftPayLines: texts('ftPayLines'),
    ftSignatures: z
      .array(
        z
          .object({
            ftSignatureFormat: told('ftSignatureFormat', int64('')),
            ftSignatureType: told('ftSignatureType', int64('')),
            Caption: told('Caption', z.string()),
            Data: told('Data', z.string()),
          })
          .meta({ id: 'possystem.SignatureItem' }),
      )
      .describe('What must be printed.'),
    ftReceiptFooter: texts('ftReceiptFooter'),
    ftState: told('ftState', int64('')),
    ftStateData: anything('Further data of the state: an object, or a text.').optional(),
  })
  .meta({ id: 'possystem.ReceiptResponse' })

// ------------------------------------------------------------------- payments

export const payRequest = z
  .object({
    Action: z.enum(['payment', 'refund', 'cancel']).describe('What the terminal is to do.'),
    Protocol: textOf('use_auto, test, or a provider.'),
    cbPayItem: z
      .object({
        Description: plainText().nullish().describe('What the terminal shows; Card unless told.'),
        Amount: z.number().optional().describe('In the currency; above 0 for a payment.'),
        Currency: z.string().nullish().describe('ISO 4217; that of the queue unless told.'),
        DecimalPrecisionMultiplier: told(
          'DecimalPrecisionMultiplier',
          INPUT.multiplier().nullish(),
        ),
        ftPayItemId: uuid('refund, cancel: the earlier payment.').nullish(),
        MoneyBarcode: plainText().nullish().describe('refund, cancel: its reference.'),
        ftPayItemCaseData: anything('refund, cancel: that of its answer.').optional(),
      })
      .meta({ id: 'possystem.PayItemRequest' }),
    cbTerminalID: plainText().nullish().describe('The terminal, where there are several.'),
  })
  .meta({ id: 'possystem.PayRequest' })

export const payResponse = z
  .object({
    Protocol: textOf('As requested.'),
    ftQueueID: uuid('The queue that served it.'),
    ftPayItems: z
      .array(
        z
          .object({
            ftPayItemId: uuid('Id of the payment.'),
            Description: textOf('How it was paid.'),
            Amount: z.number().describe('Amount paid; below 0 where money went back.'),
            ftPayItemCase: int64('Means of payment; a case word.'),
            ftPayItemCaseData: anything('What the provider said.').optional(),
            Moment: moment('When it was paid (UTC).'),
          })
          .meta({ id: 'possystem.PaidItem' }),
      )
      .describe('Go into cbPayItems of sign as they are.'),
  })
  .meta({ id: 'possystem.PayResponse' })

// ----------------------------------------------------------- small messages

export const echoMessage = z
  .object({ Message: z.string().max(LONGEST).nullish().describe('Any text.') })
  .meta({ id: 'possystem.EchoRequest' })
export const echoAnswer = z
  .object({ Message: z.string().nullable().describe('Exactly what was sent.') })
  .meta({ id: 'possystem.EchoResponse' })

export const journalRequest = z
  .object({
    ftJournalType: caseWord.describe(
      '1 actions, 2 receipts, 3 queue items, 255 configuration, or an export of the market.',
    ),
    From: tick.describe('First tick; nothing is 0.').nullish(),
    To: tick.describe('Last tick, inclusive; nothing is 0, without end.').nullish(),
    ftQueueID: uuid('A queue of the CashBox; nothing is the oldest.').nullish(),
  })
  .meta({ id: 'possystem.JournalRequest' })

const state = z.enum(['never', 'running', 'done', 'rolledback'])

const lookedUp = {
  State: state.describe('never: nothing has happened; rolledback: nothing of it counts.'),
  Id: uuid('The operation.').optional(),
  Method: textOf('Of the call.').optional(),
  Path: textOf('As it was called.').optional(),
  ftOperationItemMoment: moment('When it began (UTC).').optional(),
  ResponseCode: whole('Of the first execution.').optional(),
  Response: textOf('The answer, as it was sent.').optional(),
  ftQueueID: uuid('Queue of the receipt.').optional(),
  ftQueueItemID: uuid('Item of the receipt.').optional(),
}
export const outcome = z.object(lookedUp).meta({ id: 'possystem.OperationOutcome' })
export const outcomes = z
  .object({ State: state.describe('That of the newest.'), Items: z.array(outcome) })
  .meta({ id: 'possystem.ReceiptOutcomes' })
export const stopped = z
  .object({ Outcome: z.enum(abortOutcomes).describe('What came of the wish.'), ...lookedUp })
  .meta({ id: 'possystem.AbortOutcome' })

export const record = z
  .object({
    cbOperationItemID: uuid('The operation.'),
    ftQueueID: uuid('The queue that served it.').optional(),
    Method: textOf('POST or PUT.'),
    Path: textOf('As it was called.'),
    RequestHeaders: z.record(z.string(), z.unknown()).describe('In lower case; secrets are ***.'),
    Request: z.string().nullable().describe('As it was sent.'),
    Response: z.string().nullable().describe('As it was answered.'),
    ResponseCode: whole('Of the first execution; 0 while it runs.'),
    LastState: z.enum(['processing', 'done', 'failed']).describe('How it stands.'),
    TimeStamp: moment('When it changed last (UTC).'),
    ftOperationItemMoment: moment('When it began (UTC).'),
  })
  .meta({ id: 'possystem.OperationRecord' })

export const pairRequest = z
  .object({
    Pin: z
      .string()
      .regex(/^[0-9]{4}$/)
      .describe('Four digits, good for five minutes.'),
  })
  .meta({ id: 'possystem.PairRequest' })
export const pairResponse = z
  .object({
    CashBoxId: uuid('The CashBox.'),
    AccessToken: textOf('Its access token.'),
  })
  .meta({ id: 'possystem.PairResponse' })

// ------------------------------------------------------------ issued receipts

export const issueRequest = z
  .object({
    ReceiptRequest: z.record(z.string(), z.unknown()).describe('As sign took it.'),
    ReceiptResponse: z.record(z.string(), z.unknown()).describe('As sign gave it.'),
  })
  .meta({ id: 'possystem.IssueRequest' })
export const issueResponse = z
  .object({
    ftQueueID: uuid('Queue of the receipt.'),
    ftQueueItemID: uuid('Item of the receipt.'),
    ftQueueRow: int64('Running number of the request.').optional(),
    DocumentURL: textOf('Where everybody with the address reads it.'),
    DocumentContentType: textOf('Of that address.'),
  })
  .meta({ id: 'possystem.IssueResponse' })

export const shortLink = z
  .object({
    DocumentURL: textOf('The address of the receipt.'),
    ShortURL: textOf('Signed with the keys of installation and CashBox.'),
  })
  .meta({ id: 'possystem.ReceiptLink' })

export const deliveryState = z
  .object({
    state: textOf('Printed, or how else it was delivered.'),
    message: textOf('The same as a sentence.'),
    DeliveryMethod: textOf('How it was taken last.'),
    DeliveredMoment: moment('When (UTC).'),
    Count: whole('How often.'),
  })
  .meta({ id: 'possystem.DeliveryState' })

export const deliveries = z
  .object({
    Count: whole('How many.'),
    Items: z.array(
      z
        .object({
          Moment: moment('When (UTC).'),
          Method: textOf('How it was taken.'),
          Kind: textOf('Who: customer, app, pos, robot; or message.'),
          AppId: z.string().nullable().optional().describe('The app that took it.'),
          UserAgent: z.string().nullable().optional().describe('The program that took it.'),
          Address: textOf('Of a message that was refused.').optional(),
          Reason: textOf('Why it was refused.').optional(),
        })
        .loose()
        .meta({ id: 'possystem.Delivery' }),
    ),
  })
  .meta({ id: 'possystem.Deliveries', description: 'Newest first.' })
