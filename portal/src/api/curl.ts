// A call as a line for a shell. Who calls is always a variable.
import type { NotedCall } from './client.js'

type Shown = Pick<NotedCall, 'method' | 'address' | 'body'>

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function curlOf({ method, address, body }: Shown): string {
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$FISKALWERK_URL"${quoted(address)}`,
    '-H "accountId: $ACCOUNT_ID" -H "accessToken: $ACCOUNT_TOKEN"',
  ]
  if (body !== undefined) {
    lines.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`)
  }
  return lines.join(' \\\n  ')
}

export function powerShellOf({ method, address, body }: Shown): string {
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const lines = [
    `Invoke-RestMethod -Method ${method} -Uri ($env:FISKALWERK_URL + ${text(address)})`,
    '-Headers @{ accountId = $env:ACCOUNT_ID; accessToken = $env:ACCOUNT_TOKEN }',
  ]
  if (body !== undefined) {
    const bytes = `([Text.Encoding]::UTF8.GetBytes(${text(JSON.stringify(body))}))`
    lines.push("-ContentType 'application/json'", `-Body ${bytes}`)
  }
  return lines.join(' `\n  ')
}

export function httpOf({ method, address, body }: Shown): string {
  const head = [
    `${method} ${address} HTTP/1.1`,
    `Host: ${location.host}`,
    'accountId: …',
    'accessToken: …',
  ]
  if (body === undefined) return head.join('\n')
  return [...head, 'content-type: application/json', '', JSON.stringify(body, null, 2)].join('\n')
}
