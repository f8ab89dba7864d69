// The built pages of the portal: one document for every address below it, and its files.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { header } from '../shared/caller.js'
import { htmlPage, PAGE_POLICY } from '../shared/html.js'
import { firstLinksOf } from './first-files.js'

/** Nothing from elsewhere, nothing inline, and no text becomes a script. */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "frame-src 'self'",
  "img-src 'self' data: blob:",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
}

const SAFE_HEADERS = { ...HEADERS, 'cross-origin-opener-policy': 'same-origin' }

/**
 * Browsers say how a page is fetched to servers alone that they trust: over TLS, or of their own
 * machine. To the others the policy is a fault on the console, and nothing else.
 */
const headersFor = ({ protocol, headers }: FastifyRequest) =>
  protocol === 'https' || headers['sec-fetch-mode'] !== undefined ? SAFE_HEADERS : HEADERS

const HEAD_END = '</head>'

export function pages(app: FastifyInstance, folder: string | undefined): void {
  const shown = folder === undefined ? undefined : documentOf(folder)
  const document = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (shown === undefined) {
      const missing = '<h1>The portal is not built</h1><p class="lead">npm run build</p>'
      void reply.code(503).header('content-security-policy', PAGE_POLICY)
      return reply.type('text/html; charset=utf-8').send(htmlPage('fiskalwerk', missing))
    }
    void reply.headers(headersFor(request)).header('vary', 'accept-language')
    return reply.type('text/html; charset=utf-8').send(shown(request))
  }
  if (folder !== undefined) {
    void app.register(files, {
      root: join(folder, 'assets'),
      prefix: '/portal/assets/',
      // names change with what is in them
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
      index: false,
    })
  }
  app.get('/portal', document)
  app.get('/portal/*', document)
}

/** The one document, with what the first view of the address needs. */
function documentOf(folder: string): (request: FastifyRequest) => string {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const at = html.indexOf(HEAD_END)
  const linksOf = firstLinksOf(folder)
  return (request) => {
    const [address = ''] = request.url.split('?')
    const links = linksOf(address, header(request, 'accept-language'))
    return html.slice(0, at) + links + html.slice(at)
  }
}
