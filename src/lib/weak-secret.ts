// Secrets that can be guessed: keys with a pattern, and passwords that stand in every manual.

/** Of 32 bytes of chance fewer differ in one of 10^9 keys; of half a key twice over always. */
const FEWEST_DIFFERENT = 17

/** Repeated bytes, series, and texts: what people type, and what samples show. */
export function isWeakKey(key: Buffer): boolean {
  if (new Set(key).size < FEWEST_DIFFERENT) return true
  const steps = new Set(key.subarray(1).map((byte, at) => byte - (key[at] ?? 0)))
  // all letters, digits and signs of a keyboard: a sentence, or digits that stand for bytes
  return steps.size === 1 || key.every((byte) => byte >= 0x20 && byte < 0x7f)
}

const DEFAULTS = new Set(
  (
    'fiskalwerk postgres postgresql password passwort passw0rd admin administrator root secret ' +
    'changeme change-me change_me default demo test example user database db pass letmein qwerty ' +
    '1234 12345 123456 12345678 123456789 1234567890 0000'
  ).split(' '),
)

/** Stands for the host of an address that names none: `postgresql:///till?host=/run`. */
const NO_HOST = /^(postgres(?:ql)?:\/\/)(?=\/)/

/** True for an address whose password is its user, its database, or one of every manual. */
export function isDefaultPassword(address: string): boolean {
  const whole = address.replace(NO_HOST, '$1none')
  if (!URL.canParse(whole)) return false
  const { username, password, pathname, searchParams } = new URL(whole)
  // what stands behind the question mark counts more, as it does for the driver
  const text = (searchParams.get('password') ?? decoded(password)).toLowerCase()
  if (text === '') return false
  const user = searchParams.get('user') ?? decoded(username)
  return DEFAULTS.has(text) || text === user.toLowerCase() || `/${text}` === pathname
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
