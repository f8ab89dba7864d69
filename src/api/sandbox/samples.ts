// GET /sandbox/receipts: test cards and receipts of every kind, in every format, for who tests a
// printer, a scanner or an app. Nothing of it is in production.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Samples } from '../../core/receipts/samples/samples.js'
import { PUBLIC_FORMATS, type ShowDeps, showReceipt } from '../../core/receipts/show.js'
import { savedPass } from '../../core/receipts/wallet/pass.js'
import { fail } from '../../errors.js'
import { escapeHtml as e } from '../../lib/html.js'
import { chooseFormat } from '../../render/accept.js'
import { RECEIPT_POLICY } from '../../render/html.js'
import { qrMatrix, qrPng } from '../../render/qr.js'
import { TEST_AMOUNTS } from '../../simulator/payment/rules.js'
import type { Store } from '../../store/client.js'
import { header } from '../shared/caller.js'
import { htmlPage, PAGE_POLICY } from '../shared/html.js'
import { queryValue } from '../shared/query.js'
import { sampleRows } from './table.js'

export interface SampleDeps extends ShowDeps {
  samples: Samples
  store: Store
  production: boolean
}

export function mountSamples(app: FastifyInstance, deps: SampleDeps): void {
  const guarded = (handler: (request: FastifyRequest, reply: FastifyReply) => unknown) => ({
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      if (deps.production) throw fail('NOT_IN_PRODUCTION')
      return handler(request, reply)
    },
  })
  app.get(
    sampleRows.list.path,
    guarded((_, reply) => sendList(deps, reply)),
  )
  app.get(
    sampleRows.show.path,
    guarded((request, reply) => sendSample(deps, request, reply)),
  )
  app.get(
    sampleRows.wallet.path,
    guarded((request, reply) => sendSaved(deps, request, reply)),
  )
}

async function sendSample(
  deps: SampleDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { market, kind } = request.params as { market: string; kind: string }
  const receipt = deps.samples.receiptOf(market, kind)
  const format = queryValue(request, 'format')
  const width = queryValue(request, 'width') ?? header(request, 'x-print-width')
  const wish = { accept: header(request, 'accept'), format, printWidth: width }
  const choice =
    chooseFormat(PUBLIC_FORMATS, wish) ??
    chooseFormat(PUBLIC_FORMATS, { ...wish, format: undefined, accept: undefined })
  if (receipt === undefined || choice === undefined) {
    throw fail('RECEIPT_UNKNOWN', { queue: market, item: kind })
  }
  const languages = queryValue(request, 'lang') ?? header(request, 'accept-language')
  const { contentType, headers, body } = await showReceipt(deps, receipt, { ...choice, languages })
  return reply
    .headers(headers)
    .header('content-security-policy', RECEIPT_POLICY)
    .header('x-robots-tag', 'noindex, nofollow')
    .type(contentType)
    .send(body)
}

function sendList({ samples }: SampleDeps, reply: FastifyReply): FastifyReply {
  const list = samples.list()
  const markets = [...new Set(list.map(({ market }) => market))]
  const parts = markets.map((market) => {
    const rows = list
      .filter((one) => one.market === market)
      .map(({ name, title }) => row(`/sandbox/receipts/${market.toLowerCase()}/${name}`, title))
    return `<h2 id="${market.toLowerCase()}">${market}</h2><ul>${rows.join('')}</ul>`
  })
  const amounts = TEST_AMOUNTS.map(
    ([amount, text]) => `<dt>${e(amount)}</dt><dd>${e(text)}</dd>`,
  ).join('')
  const body = `<h1>Sample receipts</h1><p class="lead">${list.length} receipts of
${markets.length} countries, each signed by a queue that is gone: for printers, scanners, apps and
eyes. <code>?format=</code> is html, txt, pdf, png, jpg or escpos, <code>&amp;width=58mm</code> the
paper, <code>&amp;lang=fr</code> the reader.</p>
<p>${markets.map((one) => `<a href="#${one.toLowerCase()}">${one}</a>`).join(' · ')}</p>
<h2>Test cards</h2><p>Amounts with which the test terminal of every CashBox here does something
else than to pay at once:</p><dl>${amounts}</dl>${parts.join('')}<p><a href="/">Back</a></p>`
  return reply
    .header('content-security-policy', PAGE_POLICY)
    .header('x-robots-tag', 'noindex, nofollow')
    .type('text/html; charset=utf-8')
    .send(htmlPage('Sample receipts', body))
}

async function sendSaved(
  { store }: SampleDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = queryValue(request, 'token') ?? ''
  const { shop, header: head, subheader, code, lines, links } = await savedPass(store, token)
  const rows = lines.map(({ label, value }) => `<dt>${e(label)}</dt><dd>${e(value)}</dd>`)
  const matrix = qrMatrix(code)
  const picture =
    matrix === undefined
      ? ''
      : `<p><img alt="${e(code)}" src="data:image/png;base64,` +
        `${qrPng(matrix, 4).toString('base64')}"></p>`
  const ways = links.map((href) => `<p><a href="${e(href)}">${e(subheader)}</a></p>`)
  const body =
    `<h1>${e(head)}</h1><p class="lead">${e(shop)} · ${e(subheader)}</p>` +
    `<p>A simulated wallet has taken this pass.</p>${picture}<dl>${rows.join('')}</dl>` +
    ways.join('')
  return reply
    .header(
      'content-security-policy',
      PAGE_POLICY.replace("img-src 'self'", "img-src 'self' data:"),
    )
    .header('x-robots-tag', 'noindex, nofollow')
    .type('text/html; charset=utf-8')
    .send(htmlPage('A pass', body))
}

const SHOWN = ['pdf', 'png', 'txt', 'escpos'] as const

function row(path: string, title: string): string {
  const others = SHOWN.map((format) => `<a href="${path}?format=${format}">${format}</a>`)
  return `<li><a href="${path}">${e(title)}</a><span>${others.join(' · ')}</span></li>`
}
