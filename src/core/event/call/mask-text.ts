// Takes secrets and what names people out of texts as they were sent: whole or cut off, JSON, XML
// or a form. Nothing is parsed: the rest stays as it was, digit by digit.
import { isHidden, MASK } from '../../audit/mask.js'

const JSON_MEMBER = /("([\w$.-]{1,60})"\s*:\s*)("(?:[^"\\]|\\.)*"?|[-\w.+]+)/g
/** Of JSON text in a JSON text. */
const INNER_MEMBER = /(\\"([\w$.-]{1,60})\\"\s*:\s*\\")((?:[^"\\]|\\[^"])*)/g
const XML_ELEMENT = /(<(?:[\w-]{1,40}:)?([\w-]{1,60})(?:\s[^<>]{0,200})?>)([^<]+)/g
const FORM_VALUE = /((?:^|[?&])([\w$.%-]{1,60})=)([^&#\s]+)/g

/** `secrets`: what the caller has shown to be let in, wherever it turns up. */
export function maskedText(text: string, secrets: readonly string[]): string {
  let masked = text
  for (const secret of secrets) masked = masked.replaceAll(secret, MASK)
  const start = masked.trimStart()[0]
  if (start === '<') return masked.replace(XML_ELEMENT, hide)
  if (start !== '{' && start !== '[' && start !== '"') return masked.replace(FORM_VALUE, hide)
  return masked.replace(JSON_MEMBER, hideMember)
}

const hide = (whole: string, before: string, name: string): string =>
  isHidden(name) ? before + MASK : whole

function hideMember(...[whole, before = '', name = '', value = '']: string[]): string {
  if (whole === undefined) return ''
  if (value === 'null' || value === '""') return whole
  if (isHidden(name)) return `${before}"${MASK}"`
  return value.includes('\\"') ? before + value.replace(INNER_MEMBER, hide) : whole
}

/** Of an address. */
export const maskedPath = (path: string, secrets: readonly string[]): string => {
  const at = path.indexOf('?')
  return at < 0 ? path : path.slice(0, at) + maskedText(path.slice(at), secrets)
}
