// The look of the receipt page: light and dark, narrow and wide, paper.
import { dark, light } from '../lib/look.js'

/** The page, and the colour of its links, on light screens and dark ones. */
export const LIGHT = { paper: light('raised'), link: light('accent') }
export const DARK = { paper: dark('paper'), link: dark('accent') }

/** What this page calls the colours of the house. */
function coloursOf(of: typeof light, paper: string): string {
  const colours = {
    ...{ ink: of('ink'), soft: of('soft'), line: of('line'), paper, ground: of('ground') },
    ...{ mark: of('red'), 'mark-back': of('red-paper'), note: of('on-amber') },
    ...{ 'note-back': of('amber'), act: of('accent'), fill: of('accent') },
    'fill-ink': of('on-accent'),
  }
  return Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}

/** The head of a merchant without colours, where the logo needs this ground to be seen. */
function groundOf(name: 'light' | 'dark', of: typeof light): string {
  const head = `#merchant.on-${name}:not(.branded)`
  const paper = name === 'light' ? of('raised') : of('paper')
  return (
    `${head} { background: ${paper}; color: ${of('ink')} } ` +
    `${head} p { color: ${of('soft')} } ${head} .name { color: inherit }`
  )
}

const SOURCE = `
:root { color-scheme: light dark; ${coloursOf(light, LIGHT.paper)};
  --shade: 0 1px 2px #0001, 0 8px 28px #10201c14 }
@media (prefers-color-scheme: dark) { :root { ${coloursOf(dark, DARK.paper)}; --shade: none } }
* { box-sizing: border-box }
[hidden] { display: none !important }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; padding: 1.25rem .75rem 2rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
main { max-width: 34rem; margin: 0 auto; background: var(--paper); border-radius: 1rem;
  box-shadow: var(--shade); overflow: hidden; overflow-wrap: anywhere; padding: 0 1.25rem 1.25rem }
p, dl, dd, h1, h2, table, figure, ul { margin: 0; padding: 0 }
h1 { font-size: 1.25rem; line-height: 1.3 }
h2 { font-size: 1rem; margin-bottom: .5rem }
section { margin-top: 1.25rem }
a { color: var(--act) }
a:focus-visible, button:focus-visible, summary:focus-visible {
  outline: 3px solid var(--act); outline-offset: 2px; border-radius: .4rem }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap }
#merchant { margin: 0 -1.25rem 1rem; padding: 1.1rem 1.25rem .9rem; text-align: center;
  border-bottom: 1px dashed var(--line) }
#merchant p { color: var(--soft); font-size: .9rem; line-height: 1.35 }
#merchant .name { font-size: 1.3rem; font-weight: 700; line-height: 1.25; color: var(--ink);
  margin-bottom: .15rem; text-wrap: balance } #merchant .name.long { font-size: 1.05rem }
#merchant.branded { border: 0 } #merchant.branded p { color: inherit }
#merchant img { display: block; margin: 0 auto .6rem; max-width: 100%; max-height: 6rem;
  height: auto; object-fit: contain; border-radius: .4rem }
#marks, #notices p { border-radius: .6rem; padding: .55rem .9rem; margin-bottom: .8rem;
  text-align: center; text-wrap: balance }
#marks { background: var(--mark-back); color: var(--mark); border: 2px solid; font-weight: 800;
  line-height: 1.25 } #marks p:first-child { font-size: 1.35rem }
#marks.long p:first-child { font-size: 1.05rem }
#marks p::first-letter { text-transform: uppercase }
#notices p { background: var(--note-back); color: var(--note); font-weight: 600 }
dl { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: .2rem 1rem }
.rows { display: block } .rows div { display: flex; flex-wrap: wrap; gap: 0 .6rem;
  justify-content: space-between; padding: .1rem 0 } .rows dd { margin-inline-start: auto }
.rows .wide { display: block } .rows .wide dd { text-align: start }
dt { color: var(--soft) } dd { text-align: end; font-variant-numeric: tabular-nums }
#summary { text-align: center; margin-top: 0 } #summary h1 { font-size: 1rem; font-weight: 600;
  color: var(--soft); text-wrap: balance } h1 bdi { display: inline-block; max-width: 100% }
#sum { --most: 2.6rem; line-height: 1.2; letter-spacing: -.02em; font-weight: 800;
  font-variant-numeric: tabular-nums }
#when { color: var(--soft) } #keep { margin-top: .9rem } #summary dl { margin-top: .9rem;
  text-align: start }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { vertical-align: top; text-align: end; padding: .5rem 0 .5rem .75rem; font-weight: 400 }
th:first-child, td:first-child { text-align: start; padding-inline-start: 0 }
#items { border-top: 2px solid var(--ink) }
#items tr + tr { border-top: 1px solid var(--line) }
#items td { white-space: nowrap; width: 1% } #items td.long { white-space: normal; min-width: 8rem }
#items td:last-child { width: 1.75rem; color: var(--soft) }
#items th, .name, h1 { hyphens: auto; hyphenate-limit-chars: 14 6 5 }
#items .belongs th { padding-inline-start: 1.25rem }
#items tr.belongs { border-top: 0 } #items .belongs th, #items .belongs td { padding-top: 0 }
small { display: block; color: var(--soft); font-size: .9rem }
small.note { color: var(--mark); font-weight: 600 }
#summary + #total, #customer + #total { margin-top: 1.25rem }
#total { --most: 1.25rem; font-size: 1.25rem; display: flex; flex-wrap: wrap;
  justify-content: space-between; gap: 0 1rem;
  border-top: 2px solid var(--ink); padding-top: .6rem; margin-top: .25rem;
  line-height: 1.3; font-weight: 800; font-variant-numeric: tabular-nums }
#total span:last-child { margin-inline-start: auto }
#summary, #total { container-type: inline-size }
#sum, #total span:last-child { white-space: nowrap; font-size: 1.2rem;
  font-size: min(var(--most), calc(100cqi / (var(--letters) * .7))) }
#vat table { font-size: .95rem } #vat thead th { color: var(--soft); padding-top: 0 }
#vat th, #vat td { padding-block: .25rem; padding-inline-start: .6rem }
#vat th:first-child { padding-inline-start: 0 }
#vat th, #vat td, #vat dd { white-space: nowrap }
#vat thead th { white-space: normal; overflow-wrap: normal; vertical-align: bottom }
#vat .wide dd { white-space: normal }
#vat dl + dl { border-top: 1px solid var(--line); margin-top: .3rem; padding-top: .3rem }
#vat tbody tr { border-top: 1px solid var(--line) }
#vat p { color: var(--soft) }
#payments dl { grid-template-columns: minmax(0, 1fr) fit-content(60%) }
#payments dt { color: inherit } #payments small { font-size: .9rem }
#payments dd { white-space: nowrap } #payments dd.long { white-space: normal }
.lines { white-space: pre-wrap; margin-top: 1rem }
#payreceipt { border-top: 1px dashed var(--line); padding-top: 1rem }
#payreceipt h2 { text-align: center } #payreceipt h2:not(:first-child) { margin-top: 1rem }
.card { margin-top: 0; text-align: center; font: .85rem/1.45 ui-monospace, "DejaVu Sans Mono",
  Menlo, Consolas, monospace }
.signature { margin-top: .8rem; font-size: .95rem }
p.signature { white-space: pre-line } .signature span { color: var(--soft) }
figure.signature { text-align: center }
figure.signature figcaption { color: var(--soft); margin-bottom: .4rem }
.qr { display: block; width: 17rem; max-width: 100%; margin: 0 auto; background: #fff;
  border-radius: .6rem }
#fiscal { border-top: 1px dashed var(--line); padding-top: 1rem }
#fiscal dl { font-size: .9rem; margin-top: .8rem }
#fiscal .wide dd { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: .9em; margin-bottom: .3rem }
summary { cursor: pointer; margin-top: .6rem; padding: .3rem 0; color: var(--soft) }
#hospitality { border-top: 1px dashed var(--line); margin-top: 1.25rem; padding-top: .4rem }
#hospitality summary { color: inherit; font-weight: 600 }
#technical { border-top: 1px dashed var(--line); margin-top: 1.25rem; padding-top: .4rem;
  font-size: .9rem }
#hospitality dl > * { padding-top: 1.4rem } #hospitality dd { border-bottom: 1px solid var(--ink) }
#sandbox { border-top: 1px dashed var(--line); margin-top: 1.25rem; font-size: .9rem }
#footer { margin-top: 1.25rem; text-align: center; color: var(--soft) }
#footer .lines { margin-top: .5rem }
#documents { border-top: 1px dashed var(--line); padding-top: 1rem }
.files { list-style: none } .files li { display: flex; justify-content: space-between; gap: 0 1rem }
.files a { padding: .35rem 0 } .files span { color: var(--soft); padding: .35rem 0;
  white-space: nowrap }
#actions { border-top: 1px dashed var(--line); padding-top: 1rem }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; list-style: none }
.buttons li { display: grid; flex: 1 1 8.5rem }
.buttons li:has([hidden]) { display: none }
.buttons a, button { display: flex; align-items: center; justify-content: center; width: 100%;
  min-height: 2.9rem; padding: .4rem; font: inherit; font-weight: 600; line-height: 1.2;
  text-align: center; text-decoration: none; color: var(--act); background: none;
  border: 2px solid var(--act); border-radius: .7rem; cursor: pointer }
.buttons .first { color: var(--fill-ink); background: var(--fill); border-color: var(--fill) }
.buttons li:has(.wide) { flex-basis: 100% }
.said { text-align: center; color: var(--soft) } #actions .said { min-height: 1.5em }
.stars { display: flex; justify-content: center; gap: .2rem; list-style: none;
  margin-bottom: 1rem }
.stars a { display: block; min-width: 2.9rem; line-height: 2.9rem; text-align: center;
  font-size: 1.8rem; text-decoration: none }
#guest { border-top: 1px dashed var(--line); padding-top: 1rem } h3 { margin: 1rem 0 .3rem;
  font-size: 1rem } #guest summary { color: var(--act); font-weight: 600 }
#guest form { display: grid; gap: .7rem; padding: .3rem 0 .8rem }
label { display: grid; gap: .2rem; font-size: .95rem }
.hint { color: var(--soft); font-size: .9rem }
input, textarea { width: 100%; min-height: 2.75rem; padding: .5rem .7rem; font: inherit;
  color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: .6rem }
input:focus-visible, textarea:focus-visible { outline: 3px solid var(--act); outline-offset: 1px }
#mine button { margin-top: .6rem }
.missing { text-align: center; padding-top: 2rem } .missing svg { width: 5rem; color: var(--soft) }
.missing p { margin-top: .8rem } .missing ul { margin: .4rem 0 0 1.2rem; text-align: start }
.missing h2 { margin: 1.5rem 0 0; text-align: start }
@media (max-width: 22.5rem) { body { padding: 0 } main { border-radius: 0; padding-inline: 1rem }
  #merchant { margin-inline: -1rem } #vat table { font-size: .85rem } }
@media screen and (prefers-color-scheme: dark) { ${groundOf('light', light)} }
@media screen { ${groundOf('dark', dark)} }
@media screen { .paper { display: none }
  main:has(> figure:first-child) { display: grid; grid-template-columns: 10rem minmax(0, 1fr) }
  main > figure ~ * { grid-column: 1 / -1; min-width: 0 }
  main > figure:first-child { margin: .6rem 0; grid-column: 1 }
  main > figure:first-child + #merchant { grid-column: 2; margin-left: .75rem; border: 0;
    display: grid; align-content: center; padding-inline: .5rem } }
@media print { @page { margin: 10mm }
  :root { color-scheme: light; --ink: #000; --soft: #333; --line: #999; --paper: #fff;
    --ground: #fff; font-size: 9.5pt;
    --mark: #000; --mark-back: #fff; --note: #000; --note-back: #fff }
  body { padding: 0; background: none }
  main { max-width: 90mm; box-shadow: none; border-radius: 0; padding: 0; overflow: visible }
  #merchant, #merchant.branded { margin-inline: 0; padding-top: 0; background: none !important;
    color: #000 !important }
  section, #footer, #technical { margin-top: .7rem } #sum { --most: 18pt }
  th, td { padding-block: .12rem } .screen, #sandbox dl { display: none !important }
  summary { list-style: none } .qr { width: 45mm }
  main > figure:first-child { margin-bottom: 1rem }
  main > figure:first-child .qr { width: 36mm } #merchant.on-dark img { padding: 2mm;
    background: ${dark('paper')}; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  details::details-content { content-visibility: visible; block-size: auto }
  tr, figure, p, #total, #vat, #payments, #technical, dl > * { break-inside: avoid }
  summary, #fiscal details div:nth-child(-n+2), #fiscal p,
  #total:has(+ #vat), #vat:has(+ #payments) { break-after: avoid }
  a { color: inherit } }
@media print and (min-width: 150mm) { main { max-width: none; columns: 2; column-gap: 12mm }
  main > figure:first-child, #merchant, #marks, #notices { column-span: all } }`

/** Without the blanks that only the reader of this file needs. */
export const STYLE = SOURCE.trim()
  .replace(/\s*\n\s*/g, ' ')
  .replace(/ ?([{};,]) ?/g, '$1')
