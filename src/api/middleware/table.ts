// The route table of group B: what each operation takes and answers. Router and document are made
// from it.
import { z } from 'zod'
import { hexWord } from '../../case/word.js'
import { element } from '../../lib/xml-write.js'
import { markets } from '../../market/index.js'
import { decodeRequest } from '../../model/receipt-json.js'
import { requestTree, XSI_NAMESPACE } from '../../model/receipt-xml.js'
import { camelName } from '../../model/response-json.js'
import { asText, content, json, textOf } from '../shared/openapi/parts.js'
import { jsonRefusal } from '../shared/openapi/plain-refusal.js'
import type { ApiRoute, ApiTable, Content } from '../shared/openapi/route.js'
import { ECHO_NAMESPACE } from './echo.js'
import { refusals, xmlRefusal } from './refusals.js'
import { handlers } from './rest.js'
import { type Operation, type RouteSpelling, routeSpellings } from './routes.js'
import { echoRequest, echoResponse, receiptRequest, receiptResponseOf } from './schemas.js'
import { soapTable } from './soap-page.js'

/** What the page says above the calls; Markdown. */
export const pageDetails = `**Credentials.** Press *Authorize* and enter the id and the access token
of a cash box; \`npx fiskalwerk demo\` prints a pair. A locally hosted server
(\`MIDDLEWARE_AUTH=off\`) asks for none.

**Addresses.** Two spellings of many are shown. \`json\` or \`xml\` and \`v0\` or \`v1\` may each
stand once, in either order, or not at all; the queue may be left out where the headers name the
cash box; the header \`queueid\` (an id or an alias) chooses among its queues. Case does not matter.

**Numbers.** Case words have 64 bits. In requests they may be texts, decimal or hexadecimal, as in
the examples of *sign*. Answers hold them as numbers, exactly; a browser rounds what it shows.`

export const tags = {
  Middleware: 'Sign, journal and echo with bodies in JSON.',
  'Middleware in XML': 'The same calls with bodies in XML.',
  'Middleware over SOAP': 'The same operations over SOAP, and the WSDL.',
}

const SECURITY = [['cashboxid', 'accesstoken']]
export const queuePath = z.object({ queue: textOf('Id of the queue, or an alias.') })

type Described = Pick<ApiRoute, 'title' | 'text' | 'query' | 'body' | 'success'>

const camel = (item: object): object =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [camelName(name), value]))

/** The sale that `fiskalwerk demo` shows of each country, with its case words as texts. */
const sales = Object.entries(markets).map(([country, { rollout }]) => {
  const sale = {
    cbReceiptReference: 'docs-1',
    cbReceiptMoment: '2026-01-31T10:15:00Z',
    ...rollout.demo.sale,
  }
  return [country, shownSale(sale)] as const
})

/** Words as texts, members of items as answers name them. */
function shownSale(sale: object): unknown {
  const text = JSON.stringify(sale, (_name, value: unknown) =>
    typeof value === 'bigint' ? hexWord(value) : Array.isArray(value) ? value.map(camel) : value,
  )
  return JSON.parse(text)
}

function xmlSale(sale: unknown): string {
  const { request } = decodeRequest(JSON.stringify(sale))
  return element('ReceiptRequest', { '@xmlns:i': XSI_NAMESPACE, ...requestTree(request) })
}

const XML = 'application/xml'
const echoXml = element('EchoRequest', { '@xmlns': ECHO_NAMESPACE, Message: 'hello' })

const bodies: Record<'json' | 'xml', Record<'echo' | 'sign', Content>> = {
  json: {
    echo: json(echoRequest, { hello: { message: 'hello' } }),
    sign: json(receiptRequest, Object.fromEntries(sales)),
  },
  xml: {
    echo: asText(XML, { hello: echoXml }),
    sign: asText(XML, Object.fromEntries(sales.map(([name, sale]) => [name, xmlSale(sale)]))),
  },
}

const journalQuery = z.object({
  type: textOf('ftJournalType, decimal or 0x…: 1 actions, 2 receipts, 3 queue items.').meta({
    examples: ['3'],
  }),
  from: textOf('First tick (100 ns since 0001-01-01 UTC); nothing is 0.').optional(),
  to: textOf(
    'Last tick, inclusive; nothing is 0, without end; below 0: the first rows.',
  ).optional(),
  format: z.enum(['json', 'csv', 'xml']).optional().describe('Left out: that of the type.'),
  view: z
    .enum(['receipts'])
    .optional()
    .describe('Type 3 as CSV or XML: receipts with their items instead of rows.'),
})

function describedOf(operation: Operation, form: 'json' | 'xml', pascal: boolean): Described {
  const answered = form === 'json' ? json(receiptResponseOf(pascal).nullable()) : asText(XML)
  switch (operation) {
    case 'echo':
      return {
        title: 'Echo',
        text:
          'Returns the message. Version 0 sends and gets a text, version 1 an object. Changes ' +
          'nothing.',
        body: bodies[form].echo,
        success: {
          200: {
            text: 'The same message.',
            content: form === 'json' ? json(echoResponse) : asText(XML),
          },
        },
      }
    case 'sign':
      return {
        title: 'Sign a receipt',
        text:
          'Signs the receipt and returns what must be printed on it. The answer is durable when ' +
          'it arrives. Names are matched without regard to case, unknown ones are ignored. A ' +
          'receipt request that finds nothing gets `null`, and in version 0 204 without a body.',
        body: bodies[form].sign,
        success: {
          200: { text: 'What to print, and the state of the queue.', content: answered },
          204: { text: 'Version 0: the receipt request found nothing.' },
        },
      }
    case 'journal':
      return {
        title: 'Export a journal',
        text:
          'Streams a journal. `from` and `to` are ticks (100 ns since 0001-01-01 UTC), ' +
          'inclusive; `to` = 0 has no end, `to` < 0 gives the first rows only. The body of the ' +
          'call is ignored.',
        query: journalQuery,
        success: {
          200: {
            text: 'The journal, in the form of its type or as asked for.',
            content: {
              'application/json': { schema: z.unknown() },
              'text/csv': { schema: content() },
              'application/xml': { schema: content() },
            },
          },
        },
      }
  }
}

export interface MiddlewareRow extends RouteSpelling {
  /** Bodies are receipts; the others have the small limit of the app. */
  isLarge: boolean
  /** What is not read cannot be wrong. */
  bodyIgnored: boolean
  handler: (typeof handlers)[Operation]
}

/** Every address of the group over REST. */
export const middlewareRows: readonly MiddlewareRow[] = routeSpellings().map((spelling) => ({
  ...spelling,
  isLarge: spelling.operation === 'sign',
  bodyIgnored: spelling.operation === 'journal',
  handler: handlers[spelling.operation],
}))

/** `pascal`: as the members of answers are named by this server. */
export function middlewareTable(pascal: boolean): ApiTable {
  const shown = middlewareRows.filter((row) => row.shown)
  return {
    routes: [...shown.map((row) => routeOf(row, pascal)), ...soapTable.routes],
    refusalOf: (code, route) => {
      if (route.tag === 'Middleware over SOAP') return soapTable.refusalOf(code, route)
      return route.tag === 'Middleware' ? jsonRefusal(code, route) : xmlRefusal(code, route)
    },
  }
}

function routeOf({ operation, path, format }: MiddlewareRow, pascal: boolean): ApiRoute {
  const form = format === 'xml' ? 'xml' : 'json'
  return {
    ...describedOf(operation, form, pascal),
    id: form === 'xml' ? `${operation}Xml` : operation,
    tag: form === 'xml' ? 'Middleware in XML' : 'Middleware',
    method: 'POST',
    path,
    security: SECURITY,
    params: queuePath,
    refusals: refusals[operation],
  }
}
