// The answer to a receipt: one codec per version of the interface, and the text that is stored,
// hashed and sent.
import { sha256 } from '../../lib/hash.js'
import type { ReceiptOutcome } from '../../market/contract.js'
import { encodePosResponse } from '../../model/pos-response.js'
import type {
  InterfaceVersion,
  ReceiptLines,
  ReceiptResponse,
  Signature,
} from '../../model/receipt.js'
import { encodeResponse, type ResponseStyle } from '../../model/response-json.js'
import type { ItemRow } from '../../store/sign/sign-batch.js'
import type { Position } from './entry-draft.js'
import { hintSignatures } from './hints.js'
import type { SignDeps, SignJob, SignResult } from './job.js'
import {
  failureSignatures,
  posSignatures,
  posStateData,
  respondItems,
  SANDBOX,
  withSandboxMark,
} from './pos-answer.js'
import { faultText, type Rejection } from './rejection.js'

/** What an answer is made from, beside the decision. */
export interface Answering {
  deps: SignDeps
  before: Position
  job: SignJob
  item: ItemRow
  /** ftReceiptMoment. */
  moment: Date
}

/** The text as it is stored and sent, and its hash. */
export class AnswerText {
  readonly hash: Buffer
  readonly response: ReceiptResponse | undefined
  private known: string | undefined

  /**
   * `bytes`: in UTF-8, hashed and stored as they are. `response`: what they say, for interfaces
   * that write it in another form.
   */
  constructor(
    readonly bytes: Buffer,
    { text, response }: { text?: string; response?: ReceiptResponse },
  ) {
    this.hash = sha256(bytes)
    this.known = text
    this.response = response
  }

  /** Made for those who want it: most answers leave as bytes. */
  get text(): string {
    this.known ??= this.bytes.toString()
    return this.known
  }
}

/** What a caller is told of an answer. */
export class GivenAnswer {
  readonly kind = 'answered'

  constructor(
    private readonly answer: AnswerText,
    readonly queueItemId: string,
    readonly isUnsigned: boolean,
  ) {}

  get responseText(): string {
    return this.answer.text
  }

  get response(): ReceiptResponse | undefined {
    return this.answer.response
  }

  get responseBytes(): Buffer {
    return this.answer.bytes
  }
}

/** With what the caller is told. */
export interface Answered {
  answer: AnswerText
  result: SignResult
}

/** In what the versions of the interface differ. */
interface AnswerCodec {
  /** What the market says, and what the version says besides. */
  accepted(by: Answering, outcome: ReceiptOutcome<unknown>): Shown
  /** Why there is no receipt. */
  failed(by: Answering, outcome: Rejection): Signature[]
  /** Items that are given back. */
  items(by: Answering): Pick<ReceiptResponse, 'chargeItems' | 'payItems'>
  encode(by: Answering, response: ReceiptResponse): AnswerText
  /** A refusal is answered like a receipt, whatever tables its case belongs to. */
  answersFailures: boolean
}

type Shown = Pick<ReceiptResponse, 'signatures' | 'stateData'>

const NO_ITEMS = Object.freeze({ chargeItems: null, payItems: null })

const older: AnswerCodec = {
  accepted: (by, { signatures, stateData }) => ({
    signatures: withHints(by, signatures),
    stateData,
  }),
  failed: ({ before }, { faults }) =>
    failureSignatures({}, { market: before.loaded.market, faults }),
  items: () => NO_ITEMS,
  encode: ({ before, job }, response) =>
    new AnswerText(encodeResponse(response, styleOf(before, job.style)), { response }),
  answersFailures: false,
}

const pos: AnswerCodec = {
  accepted: (by, { signatures: given, stateData }) => ({
    signatures: posSignatures(by.before.loaded.market, {
      ...{ job: by.job, given, sandboxOf: sandboxOf(by) },
    }),
    stateData: posStateData(by.job, stateData),
  }),
  failed: ({ job, before, deps }, { faults }) =>
    withSandboxMark(
      failureSignatures(job, { market: before.loaded.market, faults }),
      deps.sandbox ? before.head.id : undefined,
    ),
  items: ({ job }) => respondItems(job.words),
  encode: (_by, response) => {
    const text = encodePosResponse(response)
    return new AnswerText(Buffer.from(text), { text })
  },
  answersFailures: true,
}

const CODECS: Record<InterfaceVersion, AnswerCodec> = { v0: older, v1: older, v2: pos }

const sandboxOf = ({ deps, before }: Answering): string | undefined =>
  deps.sandbox ? before.head.id : undefined

export function acceptedAnswer(by: Answering, outcome: ReceiptOutcome<unknown>): AnswerText {
  const codec = CODECS[by.job.version]
  const { signatures, stateData } = codec.accepted(by, outcome)
  const { identification, stateWord: state, lines } = outcome
  return textOf(by, { identification, state, lines, signatures, stateData })
}

export function failedAnswer(by: Answering, outcome: Rejection): Answered {
  const codec = CODECS[by.job.version]
  const answer = textOf(by, {
    identification: `ft${by.before.head.receiptNumerator.toString(16).toUpperCase()}#`,
    state: outcome.stateWord,
    signatures: codec.failed(by, outcome),
    stateData: outcome.stateData ?? null,
  })
  if (outcome.answered || codec.answersFailures) {
    return { answer, result: new GivenAnswer(answer, by.item.id, false) }
  }
  if (outcome.kind === 'broken') return { answer, result: { kind: 'failed' } }
  const [first] = outcome.faults
  const message = faultText(outcome.faults)
  return { answer, result: { kind: 'refused', message, field: first?.member } }
}

interface AnswerParts extends Shown {
  identification: string
  state: bigint
  lines?: ReceiptLines | undefined
}

function textOf(by: Answering, parts: AnswerParts): AnswerText {
  const { job, item, moment, before } = by
  const codec = CODECS[job.version]
  const { chargeItems, payItems } = codec.items(by)
  return codec.encode(by, {
    cashBoxId: job.cashBoxId,
    queueId: before.head.id,
    queueItemId: item.id,
    queueRow: BigInt(item.row),
    terminalId: job.request.terminalId,
    receiptReference: job.request.receiptReference,
    cashBoxIdentification: before.head.identification,
    receiptIdentification: parts.identification,
    receiptMoment: moment,
    receiptHeader: parts.lines?.header ?? null,
    chargeItems,
    chargeLines: parts.lines?.charge ?? null,
    payItems,
    payLines: parts.lines?.pay ?? null,
    signatures: parts.signatures,
    receiptFooter: parts.lines?.footer ?? null,
    state: parts.state,
    stateData: parts.stateData,
  })
}

/** The mark of the sandbox stays the last. */
function withHints({ before, job }: Answering, given: Signature[]): Signature[] {
  const { request, words, hints: known } = job
  if (known === undefined) return given
  const hints = hintSignatures({ request, words, known, rules: before.loaded.market.cases })
  if (hints.length === 0) return given
  const isMark = ({ type, caption }: Signature) => type === 0n && caption === SANDBOX
  return [...given.filter((one) => !isMark(one)), ...hints, ...given.filter(isMark)]
}

/** A queue may say how nested members are named; it counts more than the server's setting. */
function styleOf({ loaded }: Position, style: ResponseStyle): ResponseStyle {
  const { 'nested-names': names } = loaded.configuration as { 'nested-names'?: unknown }
  return names === undefined ? style : { ...style, pascal: names === 'pascal' }
}
