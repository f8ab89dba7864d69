// The pages behind the link of an invitation: plain HTML, no script.

import type { ShownLink } from '../../core/accounts/invitation/activation.js'
import type { AgreementText } from '../../core/accounts/invitation/agreement.js'
import { escapeHtml } from '../../lib/html.js'
import type { Language } from '../../lib/language.js'
import { lookOf } from '../../lib/look.js'
import { filled, WORDS, type Words } from '../../words/words.js'

type PageWords = Words['activationPage']

/** Forms go back to this server only; nothing is loaded. */
export const ACTIVATION_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "style-src 'unsafe-inline'",
].join('; ')

const LOOK = lookOf(['ink', 'soft', 'line', 'paper', 'accent', 'on-accent', 'red'])
const STYLE = `${LOOK} * { box-sizing: border-box }
body { margin: 0; font: 17px/1.55 system-ui, sans-serif; background: var(--paper);
  color: var(--ink) } a { color: var(--accent) }
main { max-width: 38rem; margin: 0 auto; padding: 2.5rem 1.2rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.15rem }
section { border: 1px solid var(--line); border-radius: .4rem; padding: 0 1rem; margin: 1.2rem 0 }
label { display: block; margin: 1rem 0 } input[type=text] { display: block; width: 100%;
  font: inherit; padding: .5rem; margin-top: .2rem }
a.button { text-decoration: none; display: inline-block }
button, a.button { font: inherit; font-weight: 600; padding: .7rem 1.4rem; border: 0;
  border-radius: .4rem; background: var(--accent); color: var(--on-accent); cursor: pointer }
p.fault { color: var(--red); font-weight: 600 } small { color: var(--soft) }`

function pageOf(language: Language, title: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
}

const paragraph = (text: string, kind = ''): string =>
  `<p${kind === '' ? '' : ` class="${kind}"`}>${escapeHtml(text)}</p>`

const linkTo = (address: string, text: string): string =>
  `<p><a class="button" href="${escapeHtml(address)}">${escapeHtml(text)}</a></p>`

/** Markdown of the simplest kind: headings and paragraphs. */
function agreementSection(words: PageWords, { text, version }: AgreementText): string {
  const parts = text
    .split(/(?:\r\n|\r|\n){2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const heading = /^#{1,6}\s+(.*)$/.exec(part)?.[1]
      return heading === undefined ? paragraph(part) : `<h3>${escapeHtml(heading)}</h3>`
    })
  const label = `${escapeHtml(words.version)} ${escapeHtml(version)}`
  return [
    `<section><h2>${escapeHtml(words.agreement)}</h2>`,
    ...parts,
    `<p><small>${label}</small></p></section>`,
  ].join('')
}

export interface OpenPage {
  language: Language
  link: ShownLink
  agreement: AgreementText
  /** Of the form, when it comes back because something was missing. */
  name: string
  missing: boolean
}

/** Company, right, agreement, and the button. */
export function openPage({ language, link, agreement, name, missing }: OpenPage): string {
  const words = WORDS[language].activationPage
  const say = (text: string): string => filled(text, { dealer: link.dealer, company: link.company })
  const right = link.rights === 'Read' || link.rights === 'ReadWrite' ? link.rights : 'Full'
  const body = [
    paragraph(say(words.asks)),
    paragraph(say(words[right])),
    agreementSection(words, agreement),
    missing ? paragraph(words.missing, 'fault') : '',
    '<form method="post">',
    `<label>${escapeHtml(words.name)}<input type="text" name="name" required maxlength="200"`,
    ` autocomplete="name" value="${escapeHtml(name)}"></label>`,
    '<label><input type="checkbox" name="agree" value="yes" required> ',
    `${escapeHtml(words.tick)}</label>`,
    `<button>${escapeHtml(words.accept)}</button></form>`,
  ]
  return pageOf(language, words.title, body.join(''))
}

export interface ConnectedPage {
  language: Language
  link: ShownLink
  agreement: AgreementText
  /** Where the end is asked for. */
  action: string
  /** The form comes back because something was missing. */
  missing: boolean
  /** Where a password for the portal is chosen; undefined: who logs in has one. */
  password: string | undefined
}

const dayOf = (moment: Date | null): string =>
  moment
    ?.toISOString()
    .replace('T', ' ')
    .replace(/(:00)?\.\d+Z$/, ' UTC') ?? ''

/** That both are connected, what was agreed, and how to end it. */
export function connectedPage(page: ConnectedPage): string {
  const { language, link, agreement, action, missing, password } = page
  const { dealer, company } = link
  const words = WORDS[language].activationPage
  const ends = WORDS[language].connectionEndPage
  const say = (text: string): string => filled(text, { dealer, company, date: dayOf(link.endsAt) })
  const body = [
    paragraph(say(words.accepted)),
    password === undefined
      ? linkTo('/portal/login', words.portal)
      : linkTo(password, WORDS[language].personLinkMessage.link),
    link.endsAt === null ? '' : paragraph(say(ends.ends)),
    agreementSection(words, agreement),
    `<h2>${escapeHtml(ends.end)}</h2>`,
    paragraph(say(ends.what)),
    missing ? paragraph(ends.missing, 'fault') : '',
    `<form method="post" action="${escapeHtml(action)}">`,
    `<label>${escapeHtml(ends.day)}<input type="date" name="on"></label>`,
    '<label><input type="checkbox" name="sure" value="yes" required> ',
    `${escapeHtml(say(ends.sure))}</label>`,
    `<button>${escapeHtml(ends.end)}</button></form>`,
  ]
  return pageOf(language, words.title, body.join(''))
}

export function endedPage(language: Language, { dealer, company, endsAt }: ShownLink): string {
  const { end, ended } = WORDS[language].connectionEndPage
  return pageOf(language, end, paragraph(filled(ended, { dealer, company, date: dayOf(endsAt) })))
}

/** `action`: where a new link is asked for. */
export function expiredPage(language: Language, action: string): string {
  const words = WORDS[language].activationPage
  const button = `<button>${escapeHtml(words.again)}</button>`
  const form = `<form method="post" action="${escapeHtml(action)}">${button}</form>`
  return pageOf(language, words.title, paragraph(words.expired) + form)
}

export function agreementPage(language: Language, agreement: AgreementText): string {
  const words = WORDS[language].activationPage
  return pageOf(language, words.agreement, agreementSection(words, agreement))
}

export function plainPage(
  language: Language,
  key: 'sent' | 'notSent' | 'unknown' | 'limited',
): string {
  const words = WORDS[language].activationPage
  return pageOf(language, words.title, paragraph(words[key]))
}
