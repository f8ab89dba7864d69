// What a kind of message brings along: its data, its letter, and what else happens once it was
// taken. The kinds stand in kinds.ts.
import type { Letter } from '../../notify/transport.js'
import type { Connection } from '../../store/transaction.js'

/** A message of this kind on its way. */
export interface Draft<Data> {
  accountId: string
  language: string
  channel: string
  createdAt: Date
  data: Data
}

export interface MessageKind<Data> {
  /** Of the JSON that was stored with the message; throws for anything else. */
  read(value: unknown): Data
  /** Throws LetterError when there is nothing to send any more. */
  letter(draft: Draft<Data>): Promise<Letter>
  /** Within the transaction that records it; what it returns is called behind the commit. */
  taken?(on: Connection, draft: Draft<Data>, moment: Date): Promise<() => void>
  /** Within the transaction that records that it failed for good. */
  refused?(on: Connection, draft: Draft<Data>, refusal: Refusal): Promise<void>
}

/** Why a message failed for good; nothing in it is personal but what is masked. */
export interface Refusal {
  messageId: string
  addressMasked: string
  reason: string
  moment: Date
}

/** The message can never be written: what it is about is gone. No personal data in its text. */
export class LetterError extends Error {
  override name = 'LetterError'
}

/** The kinds of messages, by the word that is stored. */
export type MessageKinds = ReadonlyMap<string, AnyKind>

/** A kind whose data was not looked at yet. */
export interface AnyKind {
  letter(draft: Draft<unknown>): Promise<Letter>
  taken(on: Connection, draft: Draft<unknown>, moment: Date): Promise<() => void>
  refused(on: Connection, draft: Draft<unknown>, refusal: Refusal): Promise<void>
}

export function anyKind<Data>(kind: MessageKind<Data>): AnyKind {
  const whole = (draft: Draft<unknown>): Draft<Data> => ({ ...draft, data: kind.read(draft.data) })
  const nothing = (): void => undefined
  return {
    letter: async (draft) => kind.letter(whole(draft)),
    taken: async (on, draft, moment) => (await kind.taken?.(on, whole(draft), moment)) ?? nothing,
    refused: async (on, draft, refusal) => kind.refused?.(on, whole(draft), refusal),
  }
}
