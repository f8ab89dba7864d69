// POST …/send and …/note: what a guest asks for on the page of a receipt, by a form. A browser
// gets a page as answer, a program what every other call gives.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentOfNote, sendToGuest } from '../../core/receipts/guest.js'
import { published } from '../../core/receipts/read.js'
import { type ErrorCode, FiscalError, fail } from '../../errors.js'
import { chooseLanguage } from '../../render/accept.js'
import { answerPage } from '../../render/html.js'
import { type Language, type Words, wordsOf } from '../../render/words.js'
import { RECEIPT_LANGUAGES } from '../../words/words.js'
import { header } from '../shared/caller.js'
import { receiptAddress } from '../shared/receipt-address.js'
import type { ReceiptDeps, ReceiptFrame } from './deps.js'
import { mountOtherMethods } from './other-methods.js'
import { isMissing, READER_HEADERS, readsPages, toInformation } from './reader.js'

const FORM = 'application/x-www-form-urlencoded'
/** Six answers of 400 letters, each of them three bytes of three letters. */
const LONGEST_FORM = 32 * 1024

type Handler = (
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** `urls`: the addresses of each call. */
export function mountGuest(
  app: FastifyInstance,
  deps: ReceiptDeps,
  { frame, urls }: { frame: ReceiptFrame; urls: { send: string[]; note: string[] } },
): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: LONGEST_FORM },
      (_, body, end) => end(null, new URLSearchParams(String(body))),
    )
    const mounted: [string[], Handler][] = [
      [urls.send, send],
      [urls.note, note],
    ]
    for (const [paths, handler] of mounted) {
      for (const url of paths) {
        scope.post(url, { handler: (request, reply) => told(deps, { handler, request, reply }) })
        mountOtherMethods(scope, frame, { url, own: ['POST'] })
      }
    }
    done()
  })
}

interface Turn {
  handler: Handler
  request: FastifyRequest
  reply: FastifyReply
}

/** Refusals as a page for browsers. */
async function told(deps: ReceiptDeps, { handler, request, reply }: Turn): Promise<FastifyReply> {
  try {
    return await handler(deps, request, reply)
  } catch (error) {
    if (!(error instanceof FiscalError) || !readsPages(request)) throw error
    if (isMissing(error)) return toInformation(deps.address, request, reply)
    const known = REFUSED[error.code]
    if (known === undefined) throw error
    const words = wordsOf(languageOf(request))
    const text = words[known.field(error)]
    return answer(deps, { request, reply: reply.code(known.status) }, [words.guestRefused, text])
  }
}

type WordName = { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words]

const REFUSED: Partial<
  Record<ErrorCode, { status: number; field: (error: FiscalError) => WordName }>
> = {
  MESSAGES_LIMITED: { status: 429, field: () => 'guestLimited' },
  FIELD_MISSING: { status: 400, field: () => 'guestNothing' },
  FIELD_INVALID: {
    status: 400,
    field: ({ details }) =>
      details.field === 'email' ? ('guestWrongEmail' as const) : ('guestTooLong' as const),
  },
}

async function send(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const receipt = await receiptOf(deps, request)
  await sendToGuest(deps, {
    receipt,
    address: formOf(request).get('email') ?? '',
    languages: header(request, 'accept-language'),
    link: receiptAddress(deps.address, request, receipt),
    guest: { address: request.ip, userAgent: header(request, 'user-agent') },
  })
  const words = wordsOf(languageOf(request))
  return answer(deps, { request, reply: reply.code(202) }, [words.guestSent, words.guestSentText])
}

async function note(
  deps: ReceiptDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const receipt = await receiptOf(deps, request)
  const form = formOf(request)
  const languages = header(request, 'accept-language')
  const { contentType, body, filename, headers } = await contentOfNote(deps, {
    receipt,
    languages,
    answerOf: (field) => form.get(field) ?? '',
  })
  return reply
    .headers({ ...READER_HEADERS, ...headers, 'cache-control': 'no-store' })
    .header('content-disposition', `attachment; filename="${filename}"`)
    .type(contentType)
    .send(body)
}

function receiptOf({ store }: ReceiptDeps, { params }: FastifyRequest) {
  return published(store, params as { queueId: string; queueItemId: string })
}

/** Throws FIELD_MISSING: nothing was sent. */
function formOf({ body }: FastifyRequest): URLSearchParams {
  if (body instanceof URLSearchParams) return body
  throw fail('BODY_MISSING', { expected: 'a form' })
}

function languageOf(request: FastifyRequest): Language {
  return chooseLanguage(RECEIPT_LANGUAGES, header(request, 'accept-language')) ?? 'en'
}

function answer(
  { address }: ReceiptDeps,
  { request, reply }: Omit<Turn, 'handler'>,
  [title, text]: readonly [string, string],
): FastifyReply {
  const { queueId, queueItemId } = request.params as { queueId: string; queueItemId: string }
  const language = languageOf(request)
  const back = receiptAddress(address, request, { queueId, queueItemId })
  return reply
    .headers({ ...READER_HEADERS, 'cache-control': 'no-store', 'content-language': language })
    .type('text/html; charset=utf-8')
    .send(answerPage(language, { title, text, address: new URL(back).pathname }))
}
