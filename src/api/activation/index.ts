// The page that the link of an invitation opens, where the PosOperator accepts. One plugin, mounted
// by app.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Activations, ShownLink } from '../../core/accounts/invitation/activation.js'
import { FiscalError } from '../../errors.js'
import { acceptedCulture, type Language } from '../../lib/language.js'
import { parseMoment } from '../../lib/moment.js'
import { reaching } from '../../store/client.js'
import { header } from '../shared/caller.js'
import type { FailureLimit } from '../shared/failure-limit.js'
import { publicBase } from '../shared/receipt-address.js'
import { traceIdOf } from '../shared/trace.js'
import {
  ACTIVATION_POLICY,
  agreementPage,
  connectedPage,
  endedPage,
  expiredPage,
  openPage,
  plainPage,
} from './page.js'

export interface ActivationDeps {
  activations: Activations
  /** Wrong links per address. */
  failures: FailureLimit
  publicUrl: string | undefined
  /** In which people of a market are written to. */
  languageOf(market: string): Language
}

const HEADERS = {
  'content-security-policy': ACTIVATION_POLICY,
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Accept-Language',
}
/** 32 bytes as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const LONGEST_NAME = 200
const LONGEST_FORM = 4096

export function activation(app: FastifyInstance, deps: ActivationDeps): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: LONGEST_FORM },
    (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
  )
  app.get('/activate/agreement', {
    handler: (request, reply) => terms(deps, request, reply),
  })
  app.get('/activate/:token', { handler: guarded(deps, look) })
  app.post('/activate/:token', { handler: guarded(deps, accept) })
  app.post('/activate/:token/end', { handler: guarded(deps, end) })
  app.post('/activate/:token/again', { handler: guarded(deps, again) })
}

interface Visit {
  request: FastifyRequest
  token: string
  link: ShownLink
  language: Language
}

interface Page {
  status: number
  html: string
}

type Handler = (deps: ActivationDeps, visit: Visit) => Promise<Page> | Page

/** A link that there is not gets a page as well, and not many of them. */
function guarded(deps: ActivationDeps, handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { token = '' } = request.params as { token?: string }
    const known = TOKEN.test(token)
    const link = known ? await reaching(() => deps.activations.look(token)) : UNKNOWN
    const language = languageFor(deps, request, link.market)
    const page =
      link.state === 'unknown'
        ? await unknown(deps, request, language)
        : await handler(deps, { request, token, link, language })
    return send(reply, page)
  }
}

const UNKNOWN: ShownLink = {
  ...{ state: 'unknown', dealer: '', company: '', rights: 'None', market: '', endsAt: null },
}

function send(reply: FastifyReply, { status, html }: Page): FastifyReply {
  return reply.code(status).headers(HEADERS).type('text/html; charset=utf-8').send(html)
}

function languageFor(deps: ActivationDeps, request: FastifyRequest, market: string): Language {
  const asked = acceptedCulture(header(request, 'accept-language'))
  return asked?.language ?? deps.languageOf(market)
}

async function unknown(
  { failures }: ActivationDeps,
  request: FastifyRequest,
  language: Language,
): Promise<Page> {
  try {
    await failures.failed('activation', request.ip)
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error
    return { status: 429, html: plainPage(language, 'limited') }
  }
  return { status: 404, html: plainPage(language, 'unknown') }
}

function stale(
  deps: ActivationDeps,
  { token, link, language }: Visit,
  { missing = false, password }: { missing?: boolean; password?: string | undefined } = {},
): Page {
  if (link.state === 'ended') return { status: 200, html: endedPage(language, link) }
  if (link.state === 'accepted') {
    const agreement = deps.activations.agreement(language)
    const action = `/activate/${token}/end`
    const html = connectedPage({ language, link, agreement, action, missing, password })
    return { status: missing ? 400 : 200, html }
  }
  // withdrawn since this call began
  if (link.state === 'unknown') return { status: 404, html: plainPage(language, 'unknown') }
  return { status: 410, html: expiredPage(language, `/activate/${token}/again`) }
}

function look(deps: ActivationDeps, visit: Visit): Page {
  const { link, language } = visit
  if (link.state !== 'open') return stale(deps, visit)
  const agreement = deps.activations.agreement(language)
  return { status: 200, html: openPage({ language, link, agreement, name: '', missing: false }) }
}

async function accept(deps: ActivationDeps, visit: Visit): Promise<Page> {
  const { request, token, link, language } = visit
  if (link.state !== 'open') return stale(deps, visit)
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const name = (form.get('name') ?? '').replace(/\p{C}/gu, ' ').trim().slice(0, LONGEST_NAME)
  if (name === '' || form.get('agree') !== 'yes') {
    const agreement = deps.activations.agreement(language)
    return { status: 400, html: openPage({ language, link, agreement, name, missing: true }) }
  }
  const { link: after, password } = await reaching(() =>
    deps.activations.accept({
      ...{ token, signedBy: name, address: request.ip, language },
      ...{ base: publicBase(deps, request), traceId: traceIdOf(request) },
    }),
  )
  return stale(deps, { ...visit, link: after }, { password })
}

/** A day of the form, or nothing for at once. */
const DAY = /^(\d{4}-\d\d-\d\d)?$/

async function end(deps: ActivationDeps, visit: Visit): Promise<Page> {
  const { request, token, link } = visit
  if (link.state !== 'accepted') return look(deps, visit)
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const day = (form.get('on') ?? '').trim()
  const on = day === '' ? undefined : parseMoment(`${day}T00:00:00Z`)?.date
  const wrong = !DAY.test(day) || (day !== '' && on === undefined)
  if (wrong || form.get('sure') !== 'yes') return stale(deps, visit, { missing: true })
  const after = await reaching(() =>
    deps.activations.end(token, { on, traceId: traceIdOf(request) }),
  )
  return stale(deps, { ...visit, link: after })
}

async function again(deps: ActivationDeps, visit: Visit): Promise<Page> {
  const { request, token, link, language } = visit
  if (link.state !== 'expired') return look(deps, visit)
  const base = publicBase(deps, request)
  const call = { base, traceId: traceIdOf(request) }
  const sent = await reaching(() => deps.activations.sendAgain(token, call))
  return { status: sent ? 200 : 429, html: plainPage(language, sent ? 'sent' : 'notSent') }
}

function terms(deps: ActivationDeps, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageFor(deps, request, '')
  const html = agreementPage(language, deps.activations.agreement(language))
  return send(reply, { status: 200, html })
}
