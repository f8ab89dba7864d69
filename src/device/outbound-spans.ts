// Calls to the outside as spans, which take the trace along. Of the address only host and port are
// told: paths and queries may open something.
import { asSpan, type Spans } from '../lib/spans.js'
import type { OutboundCall } from './outbound.js'

export function tracedOutbound(spans: Spans, call: OutboundCall): OutboundCall {
  return (url, request) => {
    const { hostname, port, protocol } = URL.canParse(url) ? new URL(url) : EMPTY
    const values = {
      ...{ 'http.request.method': request.method, 'server.address': hostname },
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    }
    return asSpan(spans, { name: request.method, kind: 'client', values }, async (span) => {
      const headers = { ...request.headers, ...spans.headers() }
      const answer = await call(url, { ...request, headers })
      span?.note({ 'http.response.status_code': answer.status })
      return answer
    })
  }
}

const EMPTY = { hostname: '', port: '', protocol: '' }
