// Single calls of the server under test, outside every measurement.
import type { Till } from './shop.js'

export function headersOf(till: Till): Record<string, string> {
  return {
    cashboxid: till.cashBoxId,
    accesstoken: till.accessToken,
    'content-type': 'application/json',
  }
}

export const signPath = (till: Till): string => `/${till.queueId}/json/v1/sign`

/** The answer to a receipt. Throws for everything but 200. */
export async function signOne(url: string, till: Till, body: string): Promise<string> {
  const init = { method: 'POST', headers: headersOf(till), body }
  const response = await fetch(url + signPath(till), init)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`sign answered ${response.status}: ${text}`)
  return text
}
