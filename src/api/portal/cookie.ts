// The cookie of a session. The name promises what browsers then enforce: this host, all paths, TLS.
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const SAFE = '__Host-fw'
/** A machine's own address has no TLS, and needs none. */
const LOCAL = 'fw-local'

const isSafe = ({ protocol }: FastifyRequest): boolean => protocol === 'https'

const rulesOf = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, secure: isSafe(request), sameSite: 'strict' }) as const

export function sessionToken(request: FastifyRequest): string | undefined {
  return request.cookies[isSafe(request) ? SAFE : LOCAL]
}

/** Until the browser is closed, or the session ends. */
export function giveToken(request: FastifyRequest, reply: FastifyReply, token: string): void {
  void reply.setCookie(isSafe(request) ? SAFE : LOCAL, token, rulesOf(request))
}

const SAFE_STEP = '__Host-fw-step'
const LOCAL_STEP = 'fw-step'
const nameOfStep = (request: FastifyRequest) => (isSafe(request) ? SAFE_STEP : LOCAL_STEP)

/** The first half of a login: it comes back from a provider of logins, which is another site. */
const stepRules = (request: FastifyRequest) => ({ ...rulesOf(request), sameSite: 'lax' }) as const

export function giveStep(request: FastifyRequest, reply: FastifyReply, step: string): void {
  void reply.setCookie(nameOfStep(request), step, stepRules(request))
}

/** Gone from the browser, too. */
export function takeStepToken(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const step = request.cookies[nameOfStep(request)]
  void reply.clearCookie(nameOfStep(request), stepRules(request))
  return step
}

export function takeToken(request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(isSafe(request) ? SAFE : LOCAL, rulesOf(request))
}
