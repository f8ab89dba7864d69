// SMS and WhatsApp by whoever offers them: one POST of JSON to the address in the settings, in the
// form that docs/messages.md describes.
import { type OutboundCall, OutboundError } from '../device/outbound.js'
import { shortTextOf } from './compose.js'
import { HandOverError, type Outgoing, type Transport } from './transport.js'

export interface HttpDriverOptions {
  /** `https://user:password@host/path`; user and password become an Authorization header. */
  url: string
  fetch: OutboundCall
  timeoutMs?: number
}

const TIMEOUT_MS = 20_000
const MOST_ANSWER_BYTES = 64 * 1024
/** The message itself is wrong; every other refusal may be put right by whoever runs the driver. */
const NEVER = new Set([400, 410, 413, 415, 422])

export function createHttpDriver({
  url,
  fetch,
  timeoutMs = TIMEOUT_MS,
}: HttpDriverOptions): Transport {
  const { address, authorization } = addressOf(url)
  return {
    // no fence: the key tells the driver which calls are the same message
    hand: async (outgoing, { signal }) => {
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json; charset=utf-8',
        'idempotency-key': outgoing.id,
        ...authorization,
      }
      const call = { method: 'POST', headers, body: bodyOf(outgoing), timeoutMs, signal } as const
      const limits = { maxBytes: MOST_ANSWER_BYTES, named: true }
      const answer = await fetch(address, { ...call, ...limits }).catch((error: unknown) => {
        const reason = error instanceof OutboundError ? error.message : String(error)
        throw new HandOverError('later', `the driver gave no answer: ${reason}`)
      })
      if (answer.status >= 200 && answer.status < 300) return idIn(answer.body)
      const fate = NEVER.has(answer.status) ? 'never' : 'later'
      throw new HandOverError(fate, `the driver answered ${answer.status}`)
    },
  }
}

function addressOf(text: string): { address: string; authorization: Record<string, string> } {
  const url = new URL(text)
  if (url.username === '' && url.password === '') return { address: text, authorization: {} }
  const words = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  const basic = Buffer.from(words, 'utf8').toString('base64')
  return { address: url.href, authorization: { authorization: `Basic ${basic}` } }
}

export function bodyOf({ id, channel, to, letter }: Outgoing): string {
  const { attachment, language, link } = letter
  const attached =
    attachment === null
      ? {}
      : {
          attachment: {
            filename: attachment.filename,
            contentType: attachment.contentType,
            content: attachment.bytes.toString('base64'),
          },
        }
  const text = shortTextOf(letter)
  return JSON.stringify({ id, channel, to, language, text, link: link?.url ?? null, ...attached })
}

const LONGEST_ID = 120

/** `{"id":"…"}`, where the driver says so. */
function idIn(body: Buffer): string | null {
  try {
    const { id } = Object(JSON.parse(body.toString('utf8'))) as { id?: unknown }
    return typeof id === 'string' || typeof id === 'number' ? `${id}`.slice(0, LONGEST_ID) : null
  } catch {
    // an answer that says nothing is an answer
    return null
  }
}
