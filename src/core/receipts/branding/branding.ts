// How a receipt is to look: the settings of its queue, for what they leave open those of its
// operator.
import { type Branding, type Logo, NO_BRANDING } from '../../../model/branding.js'
import type { Store } from '../../../store/client.js'
import {
  findSettings,
  type SettingsRow,
  type StoredLogo,
} from '../../../store/receipt/receipt-settings.js'
import { listIssuers } from '../../../store/receipt/wallet-issuers.js'
import { coloursOf, documentOf, MOST_PIXELS, type SettingsDocument } from './document.js'
import { groundOf } from './logo-ground.js'
import { sizeOf } from './picture-size.js'

export interface BrandedReceipt {
  accountId: string
  queueId: string
  /** Of the settings of queue and operator; '' where neither has any. */
  settingsVersion: string
}

export async function brandingOf(store: Store, receipt: BrandedReceipt): Promise<Branding> {
  const { accountId, queueId, settingsVersion } = receipt
  if (settingsVersion === '') return NO_BRANDING
  const key = `${accountId}/${queueId}/${settingsVersion}`
  const known = store.brandings.get(key)
  if (known !== undefined) return known
  const [rows, issuers] = await Promise.all([
    findSettings(store, accountId, [queueId, accountId]),
    listIssuers(store, accountId),
  ])
  const wallets = issuers.map(({ maker }) => maker)
  const branding = { ...brandingOfRows([rows.get(queueId), rows.get(accountId)]), wallets }
  store.brandings.set(key, branding)
  return branding
}

/** The first that says something about a property counts. */
export function brandingOfRows(rows: readonly (SettingsRow | undefined)[]): Branding {
  const found = rows.filter((row) => row !== undefined)
  const documents = found.map(({ document }) => documentOf(document))
  const text = (name: string): string => textOf(documents, name)
  const flag = (name: string): boolean => settingOf(documents, name) === true
  const feedbackAppId = text('feedbackRedirectAppId')
  const footer = textOf(documents, 'footertext')
  return {
    version: found.map(({ version }) => version).join(' '),
    name: text('name1Text'),
    street: text('address1Text'),
    postalCode: text('address1PostalCode'),
    city: text('address1City'),
    country: text('Country'),
    vatId: text('vat'),
    footer: footer === '' ? [] : footer.split(/\r?\n/),
    website: text('website'),
    logo: logoOf(found, documents),
    colours: pairOf(documents),
    hospitality: flag('printBewirtungsBeleg'),
    showFeedback: flag('showFeedback'),
    feedbackAppId: feedbackAppId === '' ? undefined : feedbackAppId,
    shareAppIds: listOf(documents, 'shareButtonAppIds'),
    wallets: [],
  }
}

function settingOf(documents: readonly SettingsDocument[], name: string) {
  return documents.map((document) => document[name]).find((value) => value !== undefined)
}

function textOf(documents: readonly SettingsDocument[], name: string): string {
  const value = settingOf(documents, name)
  return typeof value === 'string' ? value : ''
}

function listOf(documents: readonly SettingsDocument[], name: string): string[] {
  const value = settingOf(documents, name)
  return Array.isArray(value) ? value : []
}

/** Never one colour of the queue and one of the operator: that pair nobody has checked. */
function pairOf(documents: readonly SettingsDocument[]): Branding['colours'] {
  const pair = documents.map(coloursOf).find((one) => one !== undefined)
  return pair === undefined ? undefined : { primary: pair[0], background: pair[1] }
}

function logoOf(
  rows: readonly SettingsRow[],
  documents: readonly SettingsDocument[],
): Logo | undefined {
  const at = rows.findIndex((row) => row.logo !== null)
  const logo = rows[at]?.logo
  if (logo === undefined || logo === null) return undefined
  return sized(logo, documents[at] ?? {})
}

/** A logo without a wish fits into this: drawn smaller than it is, it stays sharp on a phone. */
const USUAL_WIDTH = 240
const USUAL_HEIGHT = 120

/** In the size that the settings with the logo say; one side alone keeps the shape. */
function sized({ type, data }: StoredLogo, document: SettingsDocument): Logo | undefined {
  const size = sizeOf(data)
  if (size === undefined || (type !== 'image/png' && type !== 'image/jpeg')) return undefined
  const wish = (name: string): number | undefined => {
    const value = document[name]
    return typeof value === 'number' ? value : undefined
  }
  const [width, height] = [wish('logowidth'), wish('logoheight')]
  const ground = groundOf(data)
  const seen = ground === undefined ? {} : { ground }
  if (width !== undefined && height !== undefined) return { type, data, width, height, ...seen }
  const scale =
    width !== undefined
      ? width / size.width
      : height !== undefined
        ? height / size.height
        : Math.min(1, USUAL_WIDTH / size.width, USUAL_HEIGHT / size.height)
  const side = (pixels: number): number =>
    Math.min(MOST_PIXELS, Math.max(1, Math.round(pixels * scale)))
  return { type, data, width: side(size.width), height: side(size.height), ...seen }
}
