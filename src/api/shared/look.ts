// What pages look like: the icon of all, and the colours of the interactive ones.
import { light } from '../../lib/look.js'

/** A receipt with a tick. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="${light('accent')}"/>
<path d="M9 6h14v20l-3.5-2.4L16 26l-3.5-2.4L9 26z" fill="${light('paper')}"/>
<path d="m12 15 3 3 5-6" fill="none" stroke="${light('accent')}" stroke-width="2.4"/></svg>`

/** The interactive pages in the colours of the others. */
export const UI_STYLE = `
body { background: ${light('paper')}; color: ${light('ink')} }
.swagger-ui .wrapper { max-width: 66rem }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .info p, .swagger-ui .opblock-tag,
.swagger-ui .btn, .swagger-ui .tab li, .swagger-ui table thead tr th,
.swagger-ui .opblock .opblock-summary-description, .swagger-ui .parameter__name,
.swagger-ui .opblock-description-wrapper p {
  font-family: system-ui, sans-serif; color: ${light('ink')} }
.swagger-ui .info { margin: 2.2rem 0 1rem }
.swagger-ui .info .title { font-size: 1.9rem }
.swagger-ui .info .title small { background: ${light('soft')} }
.swagger-ui .info .title small.version-stamp { background: ${light('accent')} }
.swagger-ui .info .base-url, .swagger-ui .info hgroup.main > a { display: none }
.swagger-ui .info p { font-size: 1rem; line-height: 1.55; max-width: 46rem }
.swagger-ui .info .renderedMarkdown p { margin: .8em 0 }
.swagger-ui .info a { color: ${light('accent')}; font: inherit; text-decoration: underline }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code {
  color: ${light('accent')}; padding: .1em .35em }
.swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 .5rem }
.swagger-ui .btn.authorize { border-color: ${light('accent')}; color: ${light('accent')} }
.swagger-ui .btn.authorize svg { fill: ${light('accent')} }
.swagger-ui .btn.execute { background: ${light('accent')}; border-color: ${light('accent')};
  color: ${light('on-accent')} }
.swagger-ui .body-param__text { field-sizing: content; min-height: 5rem; max-height: 40rem }
.swagger-ui .opblock-tag { font-size: 1.2rem; border-bottom-color: ${light('line')} }
`
