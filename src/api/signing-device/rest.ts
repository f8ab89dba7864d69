// The four operations of group C over REST. Called by index.ts; the API page comes from pages.ts.
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { RksvDevice, RksvIdentity } from '../../market/at/device/device.js'
import { boxOfHeaders } from '../shared/caller.js'
import type { SigningDeviceDeps } from './deps.js'
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

export type OperationName = 'echo' | 'sign' | 'certificate' | 'zda'

export interface Operation {
  method: 'GET' | 'POST'
  answer(deps: SigningDeviceDeps, request: FastifyRequest): Promise<object>
}

export const operations: Record<OperationName, Operation> = {
  echo: { method: 'POST', answer: echo },
  sign: { method: 'POST', answer: sign },
  certificate: { method: 'GET', answer: certificate },
  zda: { method: 'GET', answer: zda },
}

async function echo(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof echoResponse>> {
  await deps.devices.check(await boxOfHeaders(deps, request))
  const { message } = readMessage(echoRequest, request.body)
  return { message: message ?? null }
}

async function sign(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof signResponse>> {
  const box = await boxOfHeaders(deps, request)
  const data = dataOf(readMessage(signRequest, request.body).dataBase64)
  // signed as they are and passed on as they come: what they mean is the caller's business
  const { signature } = await deps.devices.call(box, (device, limit) =>
    austrian(device).sign(data, limit),
  )
  return { signedDataBase64: signature.toString('base64') }
}

async function certificate(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof certificateResponse>> {
  const { certificate } = await identity(deps, request)
  return { certificateBase64: certificate.der.toString('base64') }
}

async function zda(
  deps: SigningDeviceDeps,
  request: FastifyRequest,
): Promise<z.infer<typeof zdaResponse>> {
  const { zda } = await identity(deps, request)
  return { zda }
}

async function identity(deps: SigningDeviceDeps, request: FastifyRequest): Promise<RksvIdentity> {
  const box = await boxOfHeaders(deps, request)
  return deps.devices.call(box, (device, limit) => austrian(device).identity(limit))
}

/** The calls are made with the Austrian table of drivers, so the device is one of its devices. */
function austrian(device: unknown): RksvDevice {
  return device as RksvDevice
}
