// A sheet as a page that needs nothing else, on a screen and on paper.
import { escapeHtml as e } from '../../lib/html.js'
import { qrSvg } from '../qr.js'
import type { Sheet, SheetPart } from './sheet.js'

/** It loads and runs nothing. */
export const SHEET_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const STYLE = `
:root { color-scheme: light }
body { font: 15px/1.45 system-ui, sans-serif; color: #111; background: #fff; margin: 0 auto;
  padding: 24px; max-width: 760px }
h1 { font-size: 24px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere }
h2 { font-size: 16px; margin: 28px 0 8px; padding-bottom: 4px; border-bottom: 1px solid #bbb }
header p, footer { color: #555; margin: 0; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: minmax(120px, 34%) 1fr; gap: 6px 16px; margin: 0 }
dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere }
code { font: 14px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; font-size: 14px }
th, td { text-align: left; vertical-align: top; padding: 5px 8px 5px 0;
  border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
th { color: #555; font-weight: 600 }
tr, dt, dd, figure { break-inside: avoid }
figure { margin: 0 } svg.qr { width: 220px; height: 220px; display: block }
footer { margin-top: 32px; font-size: 13px }
@media (max-width: 480px) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: 8px } }
@media print { body { padding: 0; max-width: none } }
@page { size: A4; margin: 18mm }
`

export function sheetPage({ language, title, subtitle, parts, footer }: Sheet): string {
  const shown = parts.map((part) => `<section><h2>${e(part.heading)}</h2>${body(part)}</section>`)
  return (
    `<!doctype html>\n<html lang="${e(language)}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<meta name="robots" content="noindex">' +
    `<title>${e(title)}</title><style>${STYLE}</style></head>\n` +
    `<body><header><h1>${e(title)}</h1><p>${e(subtitle)}</p></header>\n` +
    `<main>${shown.join('\n')}</main>\n<footer>${e(footer)}</footer></body></html>\n`
  )
}

function body(part: SheetPart): string {
  if (part.kind === 'notes') {
    return `<ul>${part.lines.map((line) => `<li>${e(line)}</li>`).join('')}</ul>`
  }
  if (part.kind === 'code') {
    const picture = qrSvg(part.data, e(part.label)) ?? ''
    return `<figure>${picture}<figcaption><code>${e(part.data)}</code></figcaption></figure>`
  }
  if (part.kind === 'table') {
    const head = part.columns.map(({ name }) => `<th scope="col">${e(name)}</th>`).join('')
    const rows = part.rows.map(
      (row) => `<tr>${row.map((cell) => `<td>${e(cell)}</td>`).join('')}</tr>`,
    )
    return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
  }
  const fields = part.fields.map(({ label, value, isExact }) => {
    const shown = isExact === true ? `<code>${e(value)}</code>` : e(value)
    return `<dt>${e(label)}</dt><dd>${shown}</dd>`
  })
  return `<dl>${fields.join('')}</dl>`
}
