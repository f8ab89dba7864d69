// Google Wallet: a pass is a signed JWT in an address; whoever opens it saves the pass (Google
// Wallet API, "Generic pass", "JWT").
import { fail } from '../../errors.js'
import type { WalletIssuer, WalletPass } from '../../model/wallet.js'
import type { WalletDriver } from './driver.js'
import { keyOf, textOf } from './entered.js'

export const GOOGLE_SAVE = 'https://pay.google.com/gp/v/save/'
/** Browsers and servers cut longer addresses; the maker's own limit. */
export const LONGEST_TOKEN = 1_800

export const googleWallet: WalletDriver = {
  issuerOf: (entered) => {
    const issuerId = textOf(entered, 'issuerId')
    if (!/^\d{6,24}$/.test(issuerId)) {
      throw fail('FIELD_INVALID', { field: 'issuerId', expected: 'the digits of an issuer' })
    }
    const account = accountOf(textOf(entered, 'serviceAccount'))
    const email = textOf(account, 'client_email')
    const key = keyOf(textOf(account, 'private_key'), 'serviceAccount')
    return {
      told: { issuerId, serviceAccount: email },
      secrets: { privateKey: String(key.export({ type: 'pkcs8', format: 'pem' })) },
    }
  },
  issue: async (pass, issuer, now) => {
    const { saveAt = GOOGLE_SAVE } = issuer.told
    for (const details of fewer(pass)) {
      const token = await signed({ ...pass, details }, issuer, now)
      if (token.length <= LONGEST_TOKEN) return { address: saveAt + token }
    }
    const short = { ...pass, details: [], code: pass.address }
    return { address: saveAt + (await signed(short, issuer, now)) }
  },
}

/** The file that Google hands out, as its text. */
function accountOf(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const expected = 'the JSON file of a service account'
  throw fail('FIELD_INVALID', { field: 'serviceAccount', expected })
}

/** Less and less of what is not needed: an address has little room. */
function* fewer({ details }: WalletPass): Generator<WalletPass['details']> {
  for (let count = Math.min(details.length, MOST_DETAILS); count >= 0; count -= 1) {
    yield details.slice(0, count)
  }
}

const MOST_DETAILS = 6

async function signed(pass: WalletPass, { told, secrets }: WalletIssuer, now: Date) {
  const { importPKCS8, SignJWT } = await import('jose')
  const key = await importPKCS8(secrets.privateKey ?? '', 'RS256')
  const classId = `${told.issuerId}.receipt`
  return new SignJWT({
    ...{ aud: 'google', typ: 'savetowallet', origins: [] },
    payload: {
      genericClasses: [{ id: classId }],
      genericObjects: [objectOf(pass, { classId, issuerId: told.issuerId ?? '' })],
    },
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(told.serviceAccount ?? '')
    .setIssuedAt(now)
    .sign(key)
}

function objectOf(pass: WalletPass, { classId, issuerId }: Record<'classId' | 'issuerId', string>) {
  const { sum, under, details } = pass
  const lines = [...(sum.value === '' ? [] : under), ...details]
  return {
    ...{ id: `${issuerId}.${pass.serial}`, classId, state: 'ACTIVE' },
    cardTitle: told(pass, pass.shop),
    subheader: told(pass, pass.title),
    header: told(pass, sum.value || (under[0]?.value ?? pass.title)),
    hexBackgroundColor: pass.colours.background,
    barcode: { type: 'QR_CODE', value: pass.code },
    textModulesData: lines.map(({ label, value }, at) => ({
      ...{ id: `t${at}`, header: label, body: value },
    })),
    linksModuleData: { uris: [{ id: 'receipt', uri: pass.address, description: pass.title }] },
  }
}

function told({ language }: WalletPass, value: string): object {
  return { defaultValue: { language, value } }
}
