// A group C signing service on a real socket, whose answers a test bends.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import vectors from '../market/at/vectors/rksv-examples.json' with { type: 'json' }

export const SERVICE_CASH_BOX = 'f05f0f42-6069-4418-885c-434afc7ed2eb'
export const SERVICE_TOKEN = 'BK/token+of=the.service'

export interface SigningService {
  url: string
  port: number
  /** `METHOD /path` of every call so far. */
  calls: string[]
  key: KeyObject
  certificateBase64: string
  zda: string
  /** Answers instead of the service where it returns true. */
  bend: (operation: string, response: ServerResponse, body: string) => boolean
  close(): Promise<void>
}

export async function signingService(): Promise<SigningService> {
  const server = createServer((request, response) => {
    void serve(service, request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const service: SigningService = {
    url: `http://127.0.0.1:${port}`,
    port,
    calls: [],
    key: createPrivateKey({ key: vectors.input.jwk, format: 'jwk' }),
    certificateBase64: vectors.input.certificateBase64,
    zda: 'AT100',
    bend: () => false,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return service
}

async function serve(service: SigningService, request: IncomingMessage, response: ServerResponse) {
  let body = ''
  for await (const part of request) body += String(part)
  service.calls.push(`${request.method} ${request.url}`)
  const operation = (request.url ?? '').replace('/api/v0/iatsscd/', '')
  if (service.bend(operation, response, body)) return
  const { cashboxid, accesstoken } = request.headers
  if (cashboxid !== SERVICE_CASH_BOX || accesstoken !== SERVICE_TOKEN) {
    response.writeHead(401).end('{"title":"Unauthorized"}')
    return
  }
  if (operation === 'sign' && request.method === 'POST')
    return send(response, signed(service, body))
  if (operation === 'certificate' && request.method === 'GET') {
    return send(response, { certificateBase64: service.certificateBase64 })
  }
  if (operation === 'zda' && request.method === 'GET') return send(response, { zda: service.zda })
  response.writeHead(404).end()
}

function signed(service: SigningService, body: string): object {
  const data = Buffer.from(JSON.parse(body).dataBase64, 'base64')
  const key = { key: service.key, dsaEncoding: 'ieee-p1363' } as const
  return { signedDataBase64: sign('sha256', data, key).toString('base64') }
}

export function send(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
