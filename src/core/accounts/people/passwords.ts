// Passwords: Argon2id with the parameters of OWASP (19 MiB, two passes). So many at a time: each
// takes memory and a thread.
import { hash, verify } from '@node-rs/argon2'
import { Semaphore } from '../../../lib/semaphore.js'

export interface Passwords {
  hash(password: string): Promise<string>
  /** The same work whether somebody has a password or not. */
  fits(password: string, stored: string | null | undefined): Promise<boolean>
}

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_A_TIME = 2
/** Of a password that nobody has. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$to1GJ12QGqCN9DpjiWel9w$' +
  '16O1gK34ryaCR/pfj9SbEoLthjnKvwds6YBUgObtlrs'

export const LEAST_PASSWORD = 8
export const LONGEST_PASSWORD = 200

export function createPasswords(): Passwords {
  const places = new Semaphore(AT_A_TIME)
  return {
    hash: (password) => places.run(() => hash(password, COST)),
    fits: async (password, stored) => {
      const right = await places.run(() => verify(stored ?? NOBODY, password))
      return right && stored !== null && stored !== undefined
    },
  }
}

/** Upper case, lower case and a digit, as the field's portals ask; long ones need none of it. */
export function isStrong(password: string, email: string): boolean {
  const length = [...password].length
  if (length < LEAST_PASSWORD || password.length > LONGEST_PASSWORD) return false
  if (password.toLowerCase() === email.toLowerCase()) return false
  if (length >= 16) return new Set(password).size > 4
  return /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\d/.test(password)
}
