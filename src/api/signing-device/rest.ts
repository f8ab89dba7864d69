// The four operations of group C over REST.
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { boxOfHeaders } from '../shared/caller.js'
import type { SigningDeviceDeps } from './deps.js'
import { certificateOf, checkUnit, signBytes, zdaOf } from './device.js'
import {
  type certificateResponse,
  dataOf,
  echoRequest,
  type echoResponse,
  readMessage,
  signRequest,
  type signResponse,
  type zdaResponse,
} from './messages.js'

export type Handle = (deps: SigningDeviceDeps, request: FastifyRequest) => Promise<object>

export const handlers = { echo, sign, certificate, zda } satisfies Record<string, Handle>

async function echo(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof echoResponse>> {
  await checkUnit(deps, await boxOfHeaders(deps, request))
  const { message } = readMessage(echoRequest, request.body)
  return { message: message ?? null }
}

async function sign(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof signResponse>> {
  const box = await boxOfHeaders(deps, request)
  const data = dataOf(readMessage(signRequest, request.body).dataBase64)
  const signature = await signBytes(deps, box, data)
  return { signedDataBase64: signature.toString('base64') }
}

async function certificate(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof certificateResponse>> {
  const { der } = await certificateOf(deps, await boxOfHeaders(deps, request))
  return { certificateBase64: der.toString('base64') }
}

async function zda(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof zdaResponse>> {
  return { zda: await zdaOf(deps, await boxOfHeaders(deps, request)) }
}
