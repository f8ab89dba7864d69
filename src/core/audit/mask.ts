// Takes secrets, and what names people, out of what is kept about a change: nobody can erase it
// later.
import { JsonObject } from '../../lib/json.js'

/** How names of secrets end; the whole of short ones. */
const ENDS = [
  ...['token', 'secret', 'password', 'passphrase', 'privatekey', 'encryptionkey'],
  ...['encryptionkeybase64', 'connectionstring', 'sealed', '_encrypted'],
]
const WHOLE = ['pin', 'puk', 'adminpin', 'timeadminpin', 'pdfattachment']
const PERSONS = [
  ...['email', 'emailaddress', 'firstname', 'lastname', 'contactname'],
  ...['phone', 'phonenumber', 'telephone', 'fax'],
]
const HIDDEN = new RegExp(`(${ENDS.join('|')})$|^(${[...WHOLE, ...PERSONS].join('|')})$`, 'i')

export const MASK = '***'

/** Whether what a member of this name holds is a secret, or names a person. */
export const isHidden = (name: string): boolean => HIDDEN.test(name)

/** The same value with `***` for every member whose name says that it is a secret or a person. */
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (value instanceof JsonObject) return maskedEntries(value.names, value.values)
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return maskedEntries(Object.keys(value), Object.values(value))
}

/** Dates, decimals and numbers of the JSON reader stay what they are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function maskedEntries(names: readonly string[], values: readonly unknown[]): unknown {
  const entries = names.map((name, at) => {
    const value = values[at]
    const hidden = isHidden(name) && value !== null && value !== undefined && value !== ''
    return [name, hidden ? MASK : masked(value)] as const
  })
  return Object.fromEntries(entries)
}
