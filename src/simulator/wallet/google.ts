// What Google does with the address of a pass before it offers to save it: the token is signed by
// the service account that it names, fresh, and has an object of a class of the same issuer.
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { SIMULATED_DOMAIN } from './keys.js'

/** What the phone shows. */
export interface SavedPass {
  id: string
  shop: string
  header: string
  subheader: string
  code: string
  lines: { label: string; value: string }[]
  links: string[]
  colour: string
}

/** Whose simulated service account has signed the token; undefined: it is none of those. */
export async function signerOf(token: string): Promise<string | undefined> {
  const { decodeJwt, errors } = await import('jose')
  try {
    const [accountId, domain] = (decodeJwt(token).iss ?? '').split('@')
    return domain === SIMULATED_DOMAIN ? accountId : undefined
  } catch (error) {
    if (error instanceof errors.JWTInvalid) return undefined
    throw error
  }
}

/** Throws an error that says what is wrong. `privateKey`: of the service account, in PEM. */
export async function openToken(token: string, privateKey: string): Promise<SavedPass> {
  const { jwtVerify } = await import('jose')
  const key = createPublicKey(createPrivateKey(privateKey))
  const { payload } = await jwtVerify(token, key, { audience: 'google', algorithms: ['RS256'] })
  must(payload.typ === 'savetowallet', 'typ is not savetowallet')
  const { genericClasses, genericObjects } = partsOf(payload.payload)
  const [found] = genericObjects
  if (found === undefined) throw new Error('the pass cannot be saved: it has no object')
  const known = genericClasses.some(({ id }) => id === found.classId)
  must(known, 'its class is not among those of the token')
  const issuer = String(found.classId).split('.')[0]
  must(/^[\w.-]+$/.test(String(found.id)), 'its id has letters that ids may not have')
  must(String(found.id).startsWith(`${issuer}.`), 'its id is not one of the issuer')
  must(textIn(found.cardTitle) !== '' && textIn(found.header) !== '', 'title or header is missing')
  return shownOf(found)
}

function must(good: boolean, otherwise: string): void {
  if (!good) throw new Error(`the pass cannot be saved: ${otherwise}`)
}

type Members = Record<string, unknown>

function partsOf(payload: unknown): { genericClasses: Members[]; genericObjects: Members[] } {
  const { genericClasses, genericObjects } = Object(payload) as Members
  const list = (given: unknown): Members[] => (Array.isArray(given) ? given.map(Object) : [])
  return { genericClasses: list(genericClasses), genericObjects: list(genericObjects) }
}

function textIn(localized: unknown): string {
  const { defaultValue } = Object(localized) as Members
  return String((Object(defaultValue) as Members).value ?? '')
}

function shownOf(found: Members): SavedPass {
  const list = (given: unknown): Members[] => (Array.isArray(given) ? given.map(Object) : [])
  return {
    id: String(found.id),
    shop: textIn(found.cardTitle),
    header: textIn(found.header),
    subheader: textIn(found.subheader),
    code: String((Object(found.barcode) as Members).value ?? ''),
    lines: list(found.textModulesData).map(({ header, body }) => {
      return { label: String(header), value: String(body) }
    }),
    links: list((Object(found.linksModuleData) as Members).uris).map(({ uri }) => String(uri)),
    colour: String(found.hexBackgroundColor),
  }
}
