// A call over HTTP as the sandbox keeps it for whoever made it.

export const CALL_WAYS = ['program', 'portal'] as const
export type CallWay = (typeof CALL_WAYS)[number]

export interface KeptCall {
  accountId: string
  /** Sorts by time. */
  id: string
  /** Null: an account has called. */
  cashBoxId: string | null
  at: Date
  /** False: whoever called has not shown that he is who he says; his texts are not kept. */
  isProven: boolean
  via: CallWay
  /** Group of interfaces, `middleware`. */
  api: string
  method: string
  /** `/json/v1/sign`; null: the address leads nowhere. */
  route: string | null
  /** With its query. */
  path: string
  status: number
  ms: number
  /** Of a refusal. */
  code: string | null
  message: string | null
  traceId: string
  /** Those that matter for a repetition; credentials are the names of variables. */
  headers: Readonly<Record<string, string>>
  /** Its beginning; null: there was none, or it is no text. */
  body: string | null
  bodyBytes: number
  answer: string | null
  /** Null: it went as a stream. */
  answerBytes: number | null
  answerType: string | null
}

/** Without its texts, for lists. */
export type CallLine = Omit<KeptCall, 'headers' | 'body' | 'answer' | 'answerType'>
