// What the first page asks: what brings you here? One answer for each reader of the product.
import { escapeHtml } from '../../lib/html.js'

interface Choice {
  /** Who says it, in his own words. */
  who: string
  /** What he uses and where it is; markup of ours. */
  what: string
  /** Where the heading leads. */
  href: string
  /** The group of calls without which the choice would lead nowhere, as under `/docs`. */
  group: string
}

const CHOICES: readonly Choice[] = [
  {
    who: 'I write a new till',
    what: `The PosSystem interface: take a payment, have the receipt signed, hand it over as a page.
Every call can be sent again without being done twice.`,
    ...{ href: '/docs/possystem', group: 'possystem' },
  },
  {
    who: 'My till already speaks the Middleware interface',
    what: `Keep it as it is. REST with JSON or XML, SOAP and gRPC, in the spellings that existing
clients use: only address and credentials change.`,
    ...{ href: '/docs/middleware', group: 'middleware' },
  },
  {
    who: 'I look after shops',
    what: `The portal: bring merchants, roll out tills, see what does not work.
By script it is the <a href="/docs/dealer">Dealer interface</a>; what happens and what is wrong
comes from the <a href="/docs/platform">Platform</a>.`,
    ...{ href: '/portal', group: 'dealer' },
  },
  {
    who: 'I audit a shop',
    what: `<code>npx fiskalwerk verify FILE</code> judges an export and needs no server. Exports are
the <em>journal</em> calls of the Middleware interface; everything for an inspection in one
file comes from the <a href="/docs/platform">Platform</a>.`,
    ...{ href: '/docs/middleware', group: 'middleware' },
  },
  {
    who: 'I want to see receipts',
    what: `Every kind of receipt of every country, as page, PDF, picture and for printers, and the
amounts that make a test payment fail. In the sandbox only.`,
    ...{ href: '/sandbox/receipts', group: 'sandbox' },
  },
  {
    who: 'I bought something',
    what: 'Scan the code of your receipt, or open the address that is printed on it.',
    href: '/receipt-information',
    group: 'receipt',
  },
]

/** Words that every page uses, with what they mean. */
const WORDS: readonly (readonly [string, string])[] = [
  ['CashBox', 'one till as the platform knows it: its id and token are what the till logs in with'],
  ['Queue', 'the numbered chain of receipts of a till; to the law, one cash register'],
  ['SCU', 'signature creation unit: the device or key that signs'],
  ['case', 'the number that says what a receipt, a line or a payment is; it carries the country'],
]

/**
 * Headings and lists of the first page; a choice whose interface this server does not offer is left
 * out. `groups`: the names of what it offers, as under `/docs`.
 */
export function choices(groups: ReadonlySet<string>): string {
  const offered = CHOICES.filter(({ group }) => groups.has(group))
  const rows = offered.map(
    ({ who, what, href }) =>
      `<li><a href="${escapeHtml(href)}">${escapeHtml(who)}</a><span>${what}</span></li>`,
  )
  const words = WORDS.map(([word, meaning]) => `<dt>${word}</dt><dd>${escapeHtml(meaning)}</dd>`)
  return `<h2>What brings you here?</h2><ul>${rows.join('')}</ul>
<h2>Four words first</h2><dl>${words.join('')}</dl>`
}
