// What a reader can do with the receipt: keep it, send it, open it elsewhere. Every text is escaped
// here.
import { Decimal } from '../lib/decimal.js'
import { escapeHtml as e } from '../lib/html.js'
import type { WalletMaker } from '../model/wallet.js'
import { numberText, plainText } from './plain-text.js'
import type { ReceiptView } from './view.js'
import type { Language, Words } from './words.js'

export interface PageLinks {
  /** Public address of the receipt, without a slash at its end. */
  address: string
  /** Behind addresses of other formats: `?AppId=…` where an app would take them over; else ''. */
  query: string
  /** Apps of the merchant's choice, with the address that takes this receipt over. */
  apps: readonly { name: string; href: string }[]
  /** Wallets that take it. */
  wallets?: readonly WalletMaker[]
  /** What was put to the receipt; sizes in bytes. */
  files: readonly { name: string; href: string; size: number }[]
  /** Where an opinion goes; the number of stars is added as `rating`. */
  feedback?: string | undefined
  hideShare: boolean
  hideFeedback: boolean
  /** The download stands out. */
  pdfFirst: boolean
}

/**
 * On the first screen: keeping it and handing it on; the others stand below the receipt. Sharing is
 * a mail without script, else the sheet of the device, and where there is none a copy of the link.
 */
export function firstActions(view: ReceiptView, links: PageLinks): string {
  const { words } = view
  const entries = [
    link(`${links.address}/pdf${links.query}`, words.save, links.pdfFirst ? 'first wide' : 'first'),
    ...(links.hideShare ? [] : [link(mailAddress(view, links.address), words.share, 'share')]),
  ]
  return `<ul id="keep" class="buttons screen">${entries.join('')}</ul>${said(words)}`
}

export function actionBlock(view: ReceiptView, links: PageLinks): string {
  const { words } = view
  const entries = [
    ...(links.wallets ?? []).map((maker) =>
      link(
        `${links.address}/wallet/${maker}`,
        maker === 'apple' ? words.walletApple : words.walletGoogle,
        'wallet wide',
      ),
    ),
    link(`${links.address}/png${links.query}`, words.savePng),
    button('print', words.printIt),
    ...(links.hideShare ? [] : shareEntries(view, links)),
  ]
  const opinion = links.hideFeedback ? '' : stars(view, links.feedback)
  return (
    `<section id="actions" class="screen">${opinion}<h2>${e(words.actions)}</h2>` +
    `<ul class="buttons">${entries.join('')}</ul>` +
    `${said(words)}</section>`
  )
}

/** Tells what a button has done, where nothing else shows it. */
const said = (words: Words): string =>
  `<p class="said screen" role="status" data-copied="${e(words.copied)}"></p>`

/** Whatever they are, a browser only keeps them. */
export function fileBlock({ words, language }: ReceiptView, { files }: PageLinks): string {
  if (files.length === 0) return ''
  const entries = files.map(
    ({ name, href, size }) =>
      `<li><a href="${e(href)}" rel="noopener noreferrer nofollow" download>` +
      `<bdi>${e(plainText(name))}</bdi></a> <span>${e(sizeText(size, language))}</span></li>`,
  )
  return (
    `<section id="documents" class="screen"><h2>${e(words.files)}</h2>` +
    `<ul class="files">${entries.join('')}</ul></section>`
  )
}

const KILO = 1_000
const MEGA = 1_000_000

/** `12 kB`, `3,4 MB`; never less than there is. */
function sizeText(bytes: number, language: Language): string {
  const [unit, size] = bytes < MEGA ? ['kB', Math.ceil(bytes / KILO)] : ['MB', tenths(bytes / MEGA)]
  return `${numberText(Decimal.of(String(size)), language)} ${unit}`
}

function tenths(value: number): string {
  return (Math.ceil(value * 10) / 10).toFixed(1)
}

function shareEntries(view: ReceiptView, { address, apps }: PageLinks): string[] {
  const { words } = view
  return [
    button('copy-link', words.copyLink),
    link(mailAddress(view, address), words.mail),
    ...apps.flatMap(({ name, href }) => {
      const target = webAddress(href)
      return target === undefined ? [] : link(target, `${words.openIn} ${plainText(name)}`)
    }),
  ]
}

/** As a browser spells it. Undefined for what leads to no page: a script, a file, nothing. */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined
}

function link(href: string, text: string, kind = ''): string {
  const look = kind === '' ? '' : ` class="${kind}"`
  return `<li><a${look} href="${e(href)}" rel="noopener noreferrer nofollow">${e(text)}</a></li>`
}

/** The script of the page shows it. */
function button(id: string, text: string): string {
  return `<li><button type="button" id="${id}" hidden>${e(text)}</button></li>`
}

function mailAddress({ merchant, title, number, words }: ReceiptView, address: string): string {
  const subject = [merchant[0], `${title} ${number}`.trim()].filter(Boolean).join(': ')
  const body = `${words.mailText}\r\n${address}\r\n`
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

const MOST_STARS = 5

function stars({ words }: ReceiptView, feedback: string | undefined): string {
  const address = feedback === undefined ? undefined : webAddress(feedback)
  if (address === undefined) return ''
  const entries = Array.from({ length: MOST_STARS }, (_, at) => {
    const target = new URL(address)
    target.searchParams.set('rating', String(at + 1))
    const label = `${at + 1} ${words.stars}`
    return (
      `<li><a href="${e(target.href)}" rel="noopener noreferrer nofollow" ` +
      `aria-label="${e(label)}">★</a></li>`
    )
  })
  return `<h2>${e(words.feedback)}</h2><ul class="stars">${entries.join('')}</ul>`
}
