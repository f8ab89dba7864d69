// Where a message may go: addresses of people in the one form that is used from here on.
import { isEmail } from '../lib/email.js'
import type { Channel } from './transport.js'

/** ITU-T E.164: at most 15 digits, the first of a country code is never 0. */
const E164 = /^\+[1-9]\d{7,14}$/

export const EXPECTED_ADDRESS: Record<Channel, string> = {
  email: 'an e-mail address: at most 64 bytes, @ and a domain, at most 254 bytes in all',
  sms: 'a telephone number with country code: + and 8 to 15 digits',
  whatsapp: 'a telephone number with country code: + and 8 to 15 digits',
}

/** Undefined for what is no address of this channel. Nobody is asked whether it exists. */
export function addressOf(channel: Channel, text: string): string | undefined {
  return channel === 'email' ? emailOf(text) : numberOf(text)
}

function emailOf(text: string): string | undefined {
  const email = text.trim()
  return isEmail(email) ? email : undefined
}

function numberOf(text: string): string | undefined {
  const number = text.replace(/\p{Zs}/gu, '').replace(/^00/, '+')
  return E164.test(number) ? number : undefined
}

/** As logs and lists may show it: enough to recognise, too little to use. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return `${address.slice(0, 3)}…${address.slice(-2)}`
  const [domain = '', ending = ''] = splitLast(address.slice(at + 1), '.')
  return `${first(address)}…@${first(domain)}…${ending === '' ? '' : `.${ending}`}`
}

const first = (text: string): string => [...text][0] ?? ''

function splitLast(text: string, sign: string): [string, string] {
  const at = text.lastIndexOf(sign)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
