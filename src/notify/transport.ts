// What a message is when it leaves, and what every way out can do.
import type { Logo } from '../model/branding.js'

export const CHANNELS = ['email', 'sms', 'whatsapp'] as const
export type Channel = (typeof CHANNELS)[number]

export interface Attachment {
  filename: string
  contentType: string
  bytes: Buffer
}

/** A receipt at a glance, for e-mails: in the look of its merchant. Texts are plain. */
export interface Card {
  /** Name first. */
  merchant: readonly string[]
  /** `Beleg ft1#2`, `16,60 €`, `01.07.2026 12:15 · Bar`; a sum of '' is not shown. */
  title: string
  sum: string
  under: string
  lines: readonly { text: string; amount: string }[]
  /** What follows the lines that are shown; '' for nothing. */
  more: string
  /** `#rrggbb` of writing and ground, readable on each other; undefined: those of the house. */
  colours: { primary: string; background: string } | undefined
  /** Goes with the e-mail itself: nothing is fetched when it is opened. */
  logo?: Logo | undefined
}

/** What a message says, whatever way it goes. Texts are plain and may hold anything. */
export interface Letter {
  language: string
  subject: string
  /** Without the link. */
  paragraphs: readonly string[]
  /** Lines of somebody else, set off behind the paragraphs. */
  quote?: readonly string[]
  /** Paragraphs between the quotation and the link. */
  afterQuote?: readonly string[]
  link: { label: string; url: string } | null
  /** Paragraphs behind the link. */
  closing?: readonly string[]
  /** Small print. */
  footer: string
  attachment: Attachment | null
  /** Shown before the paragraphs; its merchant is named as the sender. */
  card?: Card
  /** Further files; only e-mails carry them. */
  documents?: readonly Attachment[]
}

export interface Outgoing {
  /** Of the message: the same in every try, and told to whoever takes it. */
  id: string
  channel: Channel
  /** A checked address: notify/address.ts. */
  to: string
  createdAt: Date
  letter: Letter
}

/** One try. */
export interface Run {
  /**
   * Awaited once, just before the message cannot be taken back, by ways that cannot recognise a
   * second one; throws when it must not go out.
   */
  fence(): Promise<void>
  /** Aborted when the server stops; ignored behind the fence. */
  signal: AbortSignal
}

export interface Transport {
  /** Resolves when the message was taken, with what it is called there. Throws HandOverError. */
  hand(outgoing: Outgoing, run: Run): Promise<string | null>
}

/**
 * later: not taken, another try may do; never: refused for good; unsure: it may have been taken,
 * and a second one would be a double.
 */
export type Fate = 'later' | 'never' | 'unsure'

/** The message has no addresses and no secrets in it. */
export class HandOverError extends Error {
  override name = 'HandOverError'
  readonly fate: Fate

  constructor(fate: Fate, message: string) {
    super(scrubbed(message))
    this.fate = fate
  }
}

const LONGEST_REASON = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** What others say about a failure, without addresses and numbers: replies repeat them. */
export function scrubbed(text: string): string {
  return text
    .replace(CONTROLS, ' ')
    .replace(/\S*@\S*/g, '[address]')
    .replace(/\+?\d[\d ()/-]{5,}\d/g, '[number]')
    .replace(/[a-z]+:\/\/\S+/gi, '[link]')
    .slice(0, LONGEST_REASON)
    .trim()
}
