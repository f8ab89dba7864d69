// A receipt as a wallet shows it: what stands on the pass, and its pictures.
import { createCanvas, type Image } from '@napi-rs/canvas'
import { light } from '../lib/look.js'
import type { PassLine, WalletPass } from '../model/wallet.js'
import { logoImage } from './logo.js'
import { sumOf } from './summary.js'
import type { ReceiptView } from './view.js'

/** Without colours of the merchant. */
const USUAL = { primary: light('on-accent'), background: light('accent') }

export async function walletPass(
  view: ReceiptView,
  { serial, address }: { serial: string; address: string },
): Promise<WalletPass> {
  const { merchant, title, number, words, language } = view
  const [shop = title] = merchant
  const colours = view.colours ?? USUAL
  const logo = view.logo === undefined ? undefined : await logoImage(view.logo)
  return {
    ...{ serial, address, language, shop, colours },
    title: `${title} ${number}`.trim(),
    sum: { label: words.total, value: sumOf(view) },
    under: underOf(view),
    details: [...detailsOf(view), { label: words.website, value: address }],
    code: codeOf(view) ?? address,
    icons: [1, 2, 3].map((scale) => icon(colours, scale)),
    logos: logo === undefined ? [] : [1, 2].map((scale) => fitted(logo, scale)),
  }
}

function underOf({ facts, payments, words }: ReceiptView): PassLine[] {
  const when = facts.filter(({ is }) => is === 'moment').slice(0, 1)
  const ways = payments.filter(({ isWay }) => isWay).map(({ description }) => description)
  return [
    ...when.map(({ label, value }) => ({ label, value })),
    ...(ways.length === 0 ? [] : [{ label: words.paid, value: [...new Set(ways)].join(', ') }]),
  ]
}

function detailsOf(view: ReceiptView): PassLine[] {
  const { words, merchant, marks, notices, items, vat, signatures } = view
  const all: [string, string[]][] = [
    [view.title, [...marks, ...notices]],
    [merchant[0] ?? '', merchant.slice(1)],
    [words.items, items.map((item) => told([item.detail, item.description, item.amount]))],
    [words.tax, vat.map(({ letter, rate, tax }) => told([letter, rate, tax]))],
    [
      words.signature,
      signatures
        .filter(({ code, aside, data }) => !code && aside === undefined && data !== '')
        .map(({ caption, data }) => told([caption, data])),
    ],
  ]
  return all
    .map(([label, lines]) => ({ label, value: lines.filter((one) => one !== '').join('\n') }))
    .filter(({ value }) => value !== '')
}

const told = (parts: readonly string[]): string => parts.filter((one) => one !== '').join(' ')

/** That of the law, where there is one and no other. */
function codeOf({ signatures }: ReceiptView): string | undefined {
  const codes = signatures.filter(({ code }) => code)
  return codes.length === 1 ? codes[0]?.data : undefined
}

const ICON_SIDE = 29
const LOGO_WIDTH = 160
const LOGO_HEIGHT = 50

/** A receipt in the colours of the shop. */
function icon({ primary, background }: WalletPass['colours'], scale: number): Buffer {
  const side = ICON_SIDE * scale
  const canvas = createCanvas(side, side)
  const context = canvas.getContext('2d')
  context.scale(side / 16, side / 16)
  context.fillStyle = background
  context.fillRect(0, 0, 16, 16)
  context.fillStyle = primary
  context.beginPath()
  for (const [x, y] of PAPER) context.lineTo(x, y)
  context.fill()
  context.fillStyle = background
  for (const y of [5, 7.5]) context.fillRect(6, y, 4, 0.9)
  return canvas.toBuffer('image/png')
}

const PAPER = [
  ...[
    [4, 2.5],
    [12, 2.5],
    [12, 13.5],
    [10.66, 12.6],
    [9.33, 13.5],
  ],
  ...[
    [8, 12.6],
    [6.66, 13.5],
    [5.33, 12.6],
    [4, 13.5],
  ],
] as [number, number][]

/** As large as the place for it allows, on nothing. */
function fitted(image: Image, scale: number): Buffer {
  const { width, height } = image
  const fit = Math.min((LOGO_WIDTH * scale) / width, (LOGO_HEIGHT * scale) / height)
  const [wide, high] = [width * fit, height * fit].map((side) => Math.max(1, Math.round(side)))
  const canvas = createCanvas(wide ?? 1, high ?? 1)
  canvas.getContext('2d').drawImage(image, 0, 0, wide ?? 1, high ?? 1)
  return canvas.toBuffer('image/png')
}
