// The first page that a browser sees, and the index of the documentation.
import type { FastifyInstance, FastifyReply } from 'fastify'
import { escapeHtml } from '../../lib/html.js'
import { PROCESSING_VERSION } from '../../lib/version.js'
import { choices } from './choices.js'
import type { GroupPage } from './document.js'
import { htmlPage, PAGE_POLICY } from './html.js'
import { ICON } from './look.js'

/** `taken`: a group answers the first address itself. */
export function welcome(
  app: FastifyInstance,
  pages: GroupPage[],
  { taken, production }: { taken: boolean; production: boolean },
): void {
  if (!taken) app.get('/', (_request, reply) => send(reply, front(pages, production)))
  // browsers ask for the second one by themselves, beside pages that are plain JSON
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, (_request, reply) =>
      reply
        .header('content-type', 'image/svg+xml')
        .header('cache-control', 'max-age=86400')
        .send(ICON),
    )
  }
  app.get('/docs', (_request, reply) => send(reply, index(pages)))
}

function send(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .send(page)
}

/** The page itself. */
export function front(pages: readonly GroupPage[], production: boolean): string {
  const names = pages.map(({ name }) => name)
  const offered = production ? names.filter((name) => name !== 'sandbox') : names
  return htmlPage(
    'fiskalwerk',
    `<h1>fiskalwerk</h1><p class="lead">This server signs cash register receipts and keeps the
journals that the tax office asks for.</p>
${choices(new Set(offered))}
<h2>Just looking?</h2>
<p>In the folder of the program, this makes a demo register of each country and prints lines to
paste:</p>
<pre>npx fiskalwerk demo</pre>
<h2>Every interface</h2>
<p>Letters of groups are those of the specification; they say nothing of the order to read in.</p>
<ul>${list(pages)}
<li><a href="/health">Health</a><span>Is the server ready, and is its database?</span></li>
<li><a href="/version">Version</a><span>Which program is this?</span></li></ul>
<footer>fiskalwerk ${escapeHtml(PROCESSING_VERSION)}</footer>`,
  )
}

function index(pages: GroupPage[]): string {
  return htmlPage(
    'fiskalwerk: documentation',
    `<h1>Interactive documentation</h1><p class="lead">Every call can be tried on its page.</p>
<ul>${list(pages)}</ul><p><a href="/">Back</a></p>`,
  )
}

function list(pages: readonly GroupPage[]): string {
  return pages
    .map(
      (page) => `<li><a href="/docs/${page.name}">${escapeHtml(page.title)}</a>
<span>${escapeHtml(page.text)}
<a href="/docs/${page.name}/openapi.json">openapi.json</a></span></li>`,
    )
    .join('')
}
