// A call as a line for a shell. Who calls is always a variable.
import type { NotedCall } from './client.js'
import { FormFile } from './form-file.js'
import { writeJson } from './json.js'

type Shown = Pick<NotedCall, 'method' | 'address' | 'body' | 'headers'>

const OF_ACCOUNT = { accountId: '$ACCOUNT_ID', accessToken: '$ACCOUNT_TOKEN' }

/** Texts of registers go as they are. */
const bodyOf = (body: unknown): string => (typeof body === 'string' ? body : writeJson(body))

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function curlOf({ method, address, body, headers = OF_ACCOUNT }: Shown): string {
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$FISKALWERK_URL"${quoted(address)}`,
    Object.entries(headers)
      .map(([name, value]) => `-H "${name}: ${value}"`)
      .join(' '),
  ]
  if (body instanceof FormFile) {
    lines.push(`-F ${quoted(`file=@"${body.name.replace(/["\\]/g, '\\$&')}"`)}`)
  } else if (body !== undefined) {
    lines.push("-H 'content-type: application/json'", `--data-raw ${quoted(bodyOf(body))}`)
  }
  return lines.join(' \\\n  ')
}

export function powerShellOf({ method, address, body, headers = OF_ACCOUNT }: Shown): string {
  const keyText = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`)
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const lines = [
    `Invoke-RestMethod -Method ${method} -Uri ($env:FISKALWERK_URL + ${text(address)})`,
    `-Headers @{ ${Object.entries(headers)
      .map(
        ([name, value]) =>
          `${keyText(name)} = ${value.startsWith('$') ? `$env:${value.slice(1)}` : text(value)}`,
      )
      .join('; ')} }`,
  ]
  if (body instanceof FormFile) {
    lines.push(`-Form @{ file = Get-Item ${text(body.name)} }`)
  } else if (body !== undefined) {
    const bytes = `([Text.Encoding]::UTF8.GetBytes(${text(bodyOf(body))}))`
    lines.push("-ContentType 'application/json'", `-Body ${bytes}`)
  }
  return lines.join(' `\n  ')
}

export function httpOf({ method, address, body, headers = OF_ACCOUNT }: Shown): string {
  const head = [
    `${method} ${address} HTTP/1.1`,
    `Host: ${location.host}`,
    ...Object.entries(headers).map(
      ([name, value]) => `${name}: ${value.startsWith('$') ? '…' : value}`,
    ),
  ]
  if (body === undefined) return head.join('\n')
  if (body instanceof FormFile) {
    return [...head, 'content-type: multipart/form-data', '', `file: ${body.name}`].join('\n')
  }
  return [
    ...head,
    'content-type: application/json',
    '',
    typeof body === 'string' ? body : writeJson(body, 2),
  ].join('\n')
}
