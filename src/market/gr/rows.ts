// What a Greek queue stores beside its receipts: documents as they are sent, and what the authority
// said of them. Kinds of one letter are chains, numbered from 1 on.
import { z } from 'zod'
import { memberIn, type SentDocument, type Told, type Transmitted } from '../../device/gr/mydata.js'

/** Documents in the order in which they were made. */
export const RECORDS = 'R'
export interface StoredRecord extends SentDocument {
  /** cbReceiptReference. */
  reference: string
  /** MARK of the document without a receipt that it takes back. */
  settles?: string
  /** Of a process that died, and of a kind that nothing takes back: no receipt shows it. */
  isLeft?: true
}

/** A document without a receipt: the same sale, whenever it comes again, is that one. */
export const leftDocument = z.object({
  /** SHA-256 of all that it says but its number. */
  content: z.string(),
  ...{ aa: z.string(), uid: z.string(), url: z.string(), mark: z.string() },
  ...{ authenticationCode: z.string(), qrUrl: z.string() },
})
export type LeftDocument = z.infer<typeof leftDocument>

type Known = Pick<Transmitted, 'mark' | 'authenticationCode' | 'qrUrl'>

/** What the authority said of the document with the same number. */
export const OUTCOMES = 'T'
export interface StoredOutcome extends Known {
  isTaken: boolean
  code: string
  text: string
  /** What was told in the place of the document: its number was used by a process that died. */
  instead?: readonly Instead[]
  /** What stays there without a receipt. */
  left?: LeftDocument
}

export interface Instead extends Omit<Known, 'qrUrl'> {
  record: StoredRecord
}

export function outcomeOf(told: Told): StoredOutcome {
  const of = (name: string) => memberIn(told, name)
  const [{ code, message: text } = { code: '', message: '' }] = told.errors
  return {
    ...{ isTaken: told.isTaken, mark: of('invoiceMark'), qrUrl: of('qrUrl') },
    ...{ authenticationCode: of('authenticationCode'), code, text },
  }
}

export const taken = ({ mark, authenticationCode, qrUrl }: Known): StoredOutcome => ({
  ...{ isTaken: true, mark, authenticationCode, qrUrl, code: '', text: '' },
})

/** Under the hashed reference of a receipt that got its MARK later. */
export interface LateMark {
  reference: string
  mark: string
}
