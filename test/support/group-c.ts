// Calls of group C, and a check of its signatures that shares no code with the server: WebCrypto.
import { webcrypto, X509Certificate } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { TestBox, TestSigner } from './make-scu.js'

type Headers = Record<string, string>

export interface Answer {
  status: number
  headers: Record<string, unknown>
  body: Record<string, unknown>
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers?: Headers
  body?: unknown
}

/** `body`: a text goes out as it is, anything else as JSON. */
export async function call(app: FastifyInstance, request: Request): Promise<Answer> {
  const { method, path, headers = {}, body } = request
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await app.inject({
    method,
    url: path,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { payload }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

const BASE = '/api/v0/iatsscd'

export function sign(app: FastifyInstance, box: TestBox, dataBase64: unknown): Promise<Answer> {
  const { headers } = box
  return call(app, { method: 'POST', path: `${BASE}/sign`, headers, body: { dataBase64 } })
}

/** The certificate of the cash box's device (DER). */
export async function certificate(app: FastifyInstance, box: TestBox): Promise<Buffer> {
  const { headers } = box
  const { body } = await call(app, { method: 'GET', path: `${BASE}/certificate`, headers })
  return Buffer.from(String(body.certificateBase64), 'base64')
}

/** ES256 over the data with the key of the certificate, by WebCrypto. */
export async function verifies(der: Buffer, data: Buffer, signature: Buffer): Promise<boolean> {
  const jwk = new X509Certificate(der).publicKey.export({ format: 'jwk' })
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await webcrypto.subtle.importKey('jwk', jwk, curve, false, ['verify'])
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  return webcrypto.subtle.verify(algorithm, key, signature, data)
}

/** What a sign call came to: a valid signature, something else with 200, or the status. */
export async function outcome(app: FastifyInstance, box: TestBox, data: Buffer): Promise<string> {
  const { status, body } = await sign(app, box, data.toString('base64'))
  if (status !== 200) return String(status)
  const signature = Buffer.from(String(body.signedDataBase64), 'base64')
  const der = await certificate(app, box)
  return (await verifies(der, data, signature)) ? 'signed' : 'spoiled'
}

/** The next calls of the signer's unit go as the steps say. */
export async function scriptFaults(
  app: FastifyInstance,
  { scuId, headers }: TestSigner,
  steps: object[],
): Promise<void> {
  const path = `/sandbox/scus/${scuId}/fault`
  const { status } = await call(app, { method: 'PUT', path, headers, body: { steps } })
  expect(status).toBe(200)
}
