// The same call once more, as a line for a shell. Who calls is always a variable.
import type { KeptCall } from '../../../model/kept-call.js'

const PORTAL = /^\/portal(?=\/api\/)/i
const PORTAL_PLATFORM = /^\/portal\/platform(?=\/)/i

/** Undefined: the body is not known as a whole, so there is nothing to repeat. */
export function repeatedCall(call: KeptCall): string | undefined {
  const { method, path, headers, body, bodyBytes } = call
  if (bodyBytes > 0 && Buffer.byteLength(body ?? '') < bodyBytes) return undefined
  const address = path.replace(PORTAL, '').replace(PORTAL_PLATFORM, '/platform/v1')
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`
  const lines = [
    `curl -sS${verb} "$FISKALWERK_URL"${quoted(address)}`,
    ...Object.entries(headers).map(([name, value]) =>
      value.startsWith('$') ? `-H "${name}: ${value}"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body === null || body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
