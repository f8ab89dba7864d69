// LIESMICH.html and the report for people: one file each, without script, for small screens and for
// paper.
import { escapeHtml as text } from '../../../lib/html.js'
import { lookOf } from '../../../lib/look.js'
import type { InspectedOutage } from '../../../store/journal/inspection.js'
import type { VerifyResult } from '../../audit/verify/file.js'
import type { Plan, QueuePlan, Wish } from './plan.js'
import type { Sums } from './sums.js'
import { type BundleWords, bundleWords } from './words.js'

export interface Judged {
  file: string
  queue: QueuePlan
  /** Null: there is nothing to judge. */
  result: VerifyResult | null
}

export interface PageFacts {
  wish: Wish
  plan: Plan
  account: Readonly<Record<string, string>>
  sums: Sums
  outages: readonly InspectedOutage[]
  judged: readonly Judged[]
  files: readonly string[]
  hasKeys: boolean
}

const STYLE = `
${lookOf(['ink', 'soft', 'line', 'paper', 'raised', 'accent', 'red', 'amber'])}
:root{--back:var(--paper);--card:var(--raised);--good:var(--accent);--bad:var(--red);
--warn:var(--amber)}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:clamp(1.6rem,5vw,2.3rem);line-height:1.15;margin:.5rem 0 1.25rem;letter-spacing:-.02em}
h2{font-size:1.15rem;margin:2.2rem 0 .6rem}
dl{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.35rem 1.25rem;margin:0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
section,.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;
padding:1rem 1.15rem;margin-top:1rem}
section h2{margin-top:0}
p{margin:.3rem 0 .7rem}.note{color:var(--soft);font-size:.92rem}
.warn{background:var(--warn)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.94rem}
th{text-align:left;color:var(--soft);font-weight:600}
th,td{padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;padding-right:0}
code,pre{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
pre{background:var(--back);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem;
overflow-x:auto;margin:.4rem 0}
ul{margin:.3rem 0;padding-left:1.2rem}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
.stack td:empty{display:none}
@media screen and (max-width:36rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}
.stack thead{display:none}.stack tr,.stack td{display:block;border:0}
.stack tr{padding:.55rem 0;border-bottom:1px solid var(--line)}
.stack tr:last-child{border-bottom:0}.stack td{padding:.1rem 0;text-align:left!important}
.stack td::before{content:attr(data-of);color:var(--soft);display:inline-block;min-width:7rem}}
@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--back:#fff;--card:#fff;
--good:#000;--bad:#000;--warn:#fff}main{max-width:none;padding:0}
section{break-inside:avoid-page;border:0;padding:0}
body{font-size:10.5pt}a{color:inherit}}`

const POLICY = "default-src 'none'; style-src 'unsafe-inline'"

function pageOf(language: string, title: string, body: string): string {
  return (
    `<!doctype html>\n<html lang="${language}">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">\n` +
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n` +
    `<title>${text(title)}</title>\n<style>${STYLE}\n</style>\n</head>\n<body>\n<main>\n` +
    `<h1>${text(title)}</h1>\n${body}</main>\n</body>\n</html>\n`
  )
}

type Column = readonly [name: string, isNumber?: boolean]

/** Wider tables become a list on small screens. */
const STACKED = 3

/** Cells are HTML already. */
function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const mark = (at: number) => (columns[at]?.[1] === true ? ' class="n"' : '')
  const head = columns.map(([name], at) => `<th${mark(at)}>${text(name)}</th>`).join('')
  const label = (at: number) => ` data-of="${text(columns[at]?.[0] ?? '')}"`
  const lines = rows.map(
    (cells) =>
      `<tr>${cells.map((cell, at) => `<td${mark(at)}${label(at)}>${cell}</td>`).join('')}</tr>`,
  )
  const kind = columns.length > STACKED ? ' class="stack"' : ''
  return (
    `<div class="wide"><table${kind}><thead><tr>${head}</tr></thead>\n` +
    `<tbody>${lines.join('\n')}</tbody></table></div>\n`
  )
}

const section = (title: string, body: string): string =>
  `<section><h2>${text(title)}</h2>\n${body}</section>\n`

const moment = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

export function readMe(facts: PageFacts): string {
  const { wish, plan, account } = facts
  const words = bundleWords[wish.language]
  const address = [
    account.line1,
    `${account.postalCode ?? ''} ${account.city ?? ''}`,
    account.country,
  ]
  const ids = [account.vatId, account.taxId].filter((one) => (one ?? '') !== '')
  const top =
    `<section><dl><dt>${text(words.merchant)}</dt>` +
    `<dd><strong>${text(account.name ?? '')}</strong>` +
    `<br>${text(
      address
        .map((one) => (one ?? '').trim())
        .filter(Boolean)
        .join(', '),
    )}` +
    `${ids.length === 0 ? '' : `<br>${text(ids.join(' · '))}`}</dd>` +
    `<dt>${text(words.period)}</dt><dd>${moment(wish.from)} – ${moment(wish.to)}</dd>` +
    `<dt>${text(words.upTo)}</dt><dd>${moment(plan.moment)}</dd></dl></section>\n`
  const warning = facts.hasKeys
    ? `<section class="warn"><p>${text(words.keys)}</p></section>\n`
    : ''
  const body =
    top +
    warning +
    section(words.registers, registers(plan, words)) +
    section(words.sums, sumsTable(facts.sums, wish, words)) +
    section(words.outages, outagesTable(facts, words)) +
    section(
      words.verified,
      `<p class="note">${text(words.verifiedNote)}</p>\n${verdicts(facts, words)}`,
    ) +
    section(words.files, filesList(facts.files, words))
  return pageOf(wish.language, words.title, body)
}

function registers({ queues }: Plan, words: BundleWords): string {
  return table(
    [[words.register], [words.market], [words.outlet], [words.operation], [words.receipts, true]],
    queues.map((queue) => [
      `<strong>${text(queue.identification)}</strong>${noteOf(queue.description)}`,
      text(queue.market),
      queue.outletNumber === null ? '' : String(queue.outletNumber),
      [queue.startMoment, queue.stopMoment]
        .map((at) => (at === null ? '…' : at.slice(0, 10)))
        .join(' – '),
      String(queue.receipts),
    ]),
  )
}

const noteOf = (told: string): string =>
  told === '' ? '' : `<br><span class="note">${text(told)}</span>`

function sumsTable(sums: Sums, { language }: Wish, words: BundleWords): string {
  const form = new Intl.NumberFormat(language, { minimumFractionDigits: 2 })
  const rows = Object.entries(sums).flatMap(([month, rates]) =>
    Object.entries(rates).map(([rate, amount]) => [
      month,
      `${text(rate)} %`,
      text(form.format(amount as Intl.StringNumericLiteral)),
    ]),
  )
  if (rows.length === 0) return `<p>${text(words.empty)}</p>\n`
  const columns = [[words.month], [words.rate, true], [words.amount, true]] as const
  return `<p class="note">${text(words.sumsNote)}</p>\n${table(columns, rows)}`
}

function outagesTable({ outages, plan }: PageFacts, words: BundleWords): string {
  if (outages.length === 0) return `<p>${text(words.noOutages)}</p>\n`
  const names = new Map(plan.queues.map(({ id, identification }) => [id, identification]))
  return table(
    [[words.register], [words.cause], [words.began], [words.ended]],
    outages.map(({ queueId, cause, beganAt, endedAt }) => [
      text(names.get(queueId) ?? queueId),
      text(cause === 'device' ? words.device : words.registerCause),
      moment(beganAt.toISOString()),
      endedAt === null ? text(words.goesOn) : moment(endedAt.toISOString()),
    ]),
  )
}

function verdicts({ judged }: PageFacts, words: BundleWords): string {
  return table(
    [[words.file], [words.verdict]],
    judged.map(({ file, result }) => [`<code>${text(file)}</code>`, verdictOf(result, words)]),
  )
}

function verdictOf(result: VerifyResult | null, words: BundleWords): string {
  if (result === null) return text(words.empty)
  if (result.ok) return `<span class="good">${text(words.ok)}</span>`
  const codes = [...new Set(result.findings.map(({ code }) => code))].join(', ')
  return `<span class="bad">${result.findings.length} ${text(words.notOk)}</span><br>${text(codes)}`
}

function filesList(files: readonly string[], words: BundleWords): string {
  const lines = files.map((one) => `<li><code>${text(one)}</code></li>`).join('\n')
  return `<p>${text(words.filesNote)}</p>\n<pre>${words.check}</pre>\n<ul>\n${lines}\n</ul>\n`
}

/** Each file with everything that was found. */
export function reportPage({ wish, judged }: Pick<PageFacts, 'wish' | 'judged'>): string {
  const words = bundleWords[wish.language]
  const body = judged.map(({ file, result }) => {
    const found = [...(result?.findings ?? []), ...(result?.notices ?? [])]
    const rows = found.map(({ code, receipt, text: told }) => [
      `<code>${text(code)}</code>`,
      text(receipt),
      text(told),
    ])
    const head = `<p>${verdictOf(result, words)}</p>\n`
    return section(
      file,
      rows.length === 0 ? head : head + table([[words.findings], [words.receipts], ['']], rows),
    )
  })
  return pageOf(wish.language, words.report, body.join(''))
}
