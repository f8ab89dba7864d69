// What a reader wants: a format, a language, and whether a person sits there.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PUBLIC_FORMATS } from '../../core/receipts/show.js'
import { FiscalError, fail } from '../../errors.js'
import { type Choice, chooseFormat, chooseLanguage, mostWanted } from '../../render/accept.js'
import { missingPage, RECEIPT_POLICY } from '../../render/html.js'
import { RECEIPT_LANGUAGES } from '../../words/words.js'
import { header } from '../shared/caller.js'
import { queryValue } from '../shared/query.js'
import { type AddressDeps, receiptBase } from '../shared/receipt-address.js'

/** Pages of receipts are nobody's but the reader's, and are asked for anew each time. */
export const READER_HEADERS = {
  'cache-control': 'private, no-cache',
  'content-security-policy': RECEIPT_POLICY,
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Accept, x-print-width, Accept-Language',
} as const

/** What cannot be had becomes the page: a reader is never told about media types. */
export function choiceOf(request: FastifyRequest): Choice {
  const printWidth = header(request, 'x-print-width')
  const wish = { accept: header(request, 'accept'), format: queryValue(request, 'format') }
  const found = chooseFormat(PUBLIC_FORMATS, { ...wish, printWidth })
  const usual = { accept: undefined, format: undefined, printWidth }
  const choice = found ?? chooseFormat(PUBLIC_FORMATS, usual)
  if (choice === undefined) throw new Error('there is always a usual format')
  return choice
}

/** The format of an address that names it. Throws ROUTE_UNKNOWN where there is no such format. */
export function fixedChoice(request: FastifyRequest, format: string): Choice {
  const printWidth = header(request, 'x-print-width')
  const choice = chooseFormat(PUBLIC_FORMATS, { accept: undefined, format, printWidth })
  if (choice !== undefined) return choice
  throw fail('ROUTE_UNKNOWN', { method: request.method, path: request.url.split('?')[0] ?? '' })
}

/** True for browsers: programs are told in their own form. */
export function readsPages(request: FastifyRequest): boolean {
  return PAGES.has(mostWanted(header(request, 'accept')) ?? '')
}

const PAGES = new Set(['text/html', 'application/xhtml+xml'])

export function isMissing(error: unknown): boolean {
  return error instanceof FiscalError && error.code === 'RECEIPT_UNKNOWN'
}

/** Kept by nobody: what is missing now may be there in a second. */
export function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply
    .code(301)
    .header('cache-control', 'no-store')
    .header('location', address)
    .removeHeader('content-security-policy')
    .send()
}

const INFORMATION = '/receipt-information'

/** To the page about missing receipts: one for all of them. */
export function toInformation(
  address: AddressDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // without a name of its own the server repeats none that a caller has made up
  const own = address.publicUrl !== undefined || address.mount.host !== null
  const base = own ? receiptBase(address, request) : address.mount.prefix
  return redirect(reply, base + INFORMATION)
}

/** GET /receipt-information */
export function information(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = chooseLanguage(RECEIPT_LANGUAGES, header(request, 'accept-language')) ?? 'en'
  return reply
    .headers({ ...READER_HEADERS, 'cache-control': 'no-store', 'content-language': language })
    .header('vary', 'Accept-Language')
    .type('text/html; charset=utf-8')
    .send(missingPage(language))
}
