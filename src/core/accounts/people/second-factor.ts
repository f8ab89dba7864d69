// The second factor: one-time codes by RFC 6238, as every authenticator app makes them, and ten
// recovery codes for whoever has lost the phone.
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { fail } from '../../../errors.js'
import { sha256 } from '../../../lib/hash.js'
import {
  changePerson,
  findPerson,
  type PersonRow,
  personCodeSecret,
  spendCode,
  spendRecoveryCode,
} from '../../../store/account/people.js'
import type { Store } from '../../../store/client.js'

export interface SecondFactorDeps {
  store: Store
  now(): Date
}

const ISSUER = 'fiskalwerk'
const PERIOD_SECONDS = 30
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 6
const SECRET_BYTES = 20

/** A secret to be shown once; codes are asked for as soon as one was given back. */
export async function beginCodes(
  { store }: SecondFactorDeps,
  { id, email }: Pick<PersonRow, 'id' | 'email'>,
): Promise<{ secret: string; address: string }> {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const codeSecretSealed = store.sealer.seal(secret, personCodeSecret(id))
  await changePerson(store, id, { codeSecretSealed, codeSince: null, recoveryHashes: [] })
  return { secret, address: generator(secret, email).toString() }
}

/** The recovery codes, told once. Throws CODE_WRONG. */
export async function confirmCodes(
  deps: SecondFactorDeps,
  personId: string,
  code: string,
): Promise<string[]> {
  const person = await findPerson(deps.store, personId)
  if (person?.codeSecretSealed == null || !(await fitsNow(deps, person, code))) {
    throw fail('CODE_WRONG')
  }
  const codes = Array.from({ length: RECOVERY_CODES }, recoveryCode)
  const recoveryHashes = codes.map((one) => sha256(one).toString('hex'))
  await changePerson(deps.store, personId, { codeSince: deps.now(), recoveryHashes })
  return codes
}

export async function endCodes({ store }: SecondFactorDeps, personId: string): Promise<void> {
  const change = { codeSecretSealed: null, codeSince: null, recoveryHashes: [] }
  await changePerson(store, personId, change)
}

/** A one-time code that was not used before, or a recovery code, which is used up. */
export async function codeFits(
  deps: SecondFactorDeps,
  person: PersonRow,
  code: string,
): Promise<boolean> {
  const plain = code.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(plain)) return fitsNow(deps, person, plain)
  return spendRecoveryCode(deps.store, person.id, sha256(plain).toString('hex'))
}

async function fitsNow(
  { store, now }: SecondFactorDeps,
  { id, email, codeSecretSealed }: PersonRow,
  code: string,
): Promise<boolean> {
  if (codeSecretSealed === null) return false
  const secret = store.sealer.open(codeSecretSealed, personCodeSecret(id))
  const timestamp = now().getTime()
  const token = code.replace(/\s/g, '')
  const distance = generator(secret, email).validate({ token, timestamp, window: 1 })
  if (distance === null) return false
  const step = BigInt(Math.floor(timestamp / 1000 / PERIOD_SECONDS) + distance)
  return spendCode(store, id, step)
}

const generator = (secret: string, label: string) =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })

/** Twelve characters that nobody confuses. */
function recoveryCode(): string {
  const letters = 'abcdefghjkmnpqrstvwxyz23456789'
  return Array.from(randomBytes(RECOVERY_BYTES * 2), (byte) => letters[byte % letters.length]).join(
    '',
  )
}
