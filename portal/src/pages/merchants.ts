// The merchants that somebody chooses from.
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.js'

const MOST = 200

export function useMerchants() {
  return useQuery({
    queryKey: ['listOperators', 'all'],
    queryFn: () => call('listOperators', { query: { limit: MOST } }),
  })
}
