// The way to a provider of logins: the browser leaves the portal, and comes back to `next`.
import { useQuery } from '@tanstack/react-query'
import { call } from './client.js'

/** Its name; null: there is none. */
export function useSso(): string | null {
  const ways = useQuery({
    queryKey: ['listWays'],
    queryFn: () => call('listWays', {}),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return ways.data?.sso ?? null
}

export async function goToSso(purpose: 'login' | 'link' | 'confirm', next: string): Promise<void> {
  const { address } = await call('beginSso', { body: { purpose, next } })
  location.assign(address)
  // the page stays as it is until the other one is there
  await new Promise(() => undefined)
}

/** This page, as the router names it. */
export const hereNow = (): string =>
  location.pathname.replace(/^\/portal/, '').replace(/^$/, '/') + location.search
