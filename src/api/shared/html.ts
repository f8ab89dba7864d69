// Small HTML pages of the server itself.

import { escapeHtml } from '../../lib/html.js'
import { lookOf } from '../../lib/look.js'

const STYLE = `
${lookOf(['ink', 'soft', 'line', 'paper', 'accent'])}
* { box-sizing: border-box } body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.55 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.2rem }
h1 { font-size: 1.9rem; margin: 0 0 .3rem } p.lead { color: var(--soft); margin: 0 0 2rem }
a { color: var(--accent) } ul { list-style: none; padding: 0 }
li { border-top: 1px solid var(--line); padding: .9rem 0 }
li span { display: block; color: var(--soft); font-size: .95rem }
pre { background: color-mix(in srgb, var(--ink) 7%, transparent); padding: .9rem 1rem;
  overflow-x: auto; border-radius: .4rem; font-size: .9rem }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem } code { font-size: .9em; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1rem; margin: 0 }
dt { font-weight: 600 } dd { margin: 0; color: var(--soft) }
footer { margin-top: 2.4rem; color: var(--soft); font-size: .9rem }`

/** A page without scripts; `body` is trusted markup of ours. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`
}

export const PAGE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
].join('; ')
