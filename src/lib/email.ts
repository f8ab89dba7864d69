// Addresses of e-mail as the field takes them: the rule of browsers for the part in front (WHATWG,
// with letters of all scripts as RFC 6531 has them), names of the DNS behind, the lengths of SMTP.
import { domainToASCII } from 'node:url'

/** RFC 5321 4.5.3.1: the whole path without its brackets, the part in front, a label, a name. */
const LONGEST = 254
const LONGEST_LOCAL = 64
const LONGEST_DOMAIN = 253
/** Atoms with dots between them; beyond ASCII all that people see. */
const LOCAL =
  /^[\w!#$%&'*+/=?^`{|}~\u{a1}-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u{a1}-\u{10ffff}-]+)*$/u
/** Control, format and separating characters, and halves of characters. */
const UNSEEN = /[\p{C}\p{Z}]/u
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** True for an address that a mail server would take; nobody is asked whether it exists. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if (!LOCAL.test(local) || UNSEEN.test(text)) return false
  if (Buffer.byteLength(text) > LONGEST || Buffer.byteLength(local) > LONGEST_LOCAL) return false
  // '' for what cannot be a name of the DNS; international names become ASCII
  const domain = domainToASCII(text.slice(at + 1))
  if (domain === '' || domain.length > LONGEST_DOMAIN) return false
  return domain.split('.').every((label) => LABEL.test(label))
}
