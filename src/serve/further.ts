// Ports beside the one of HTTP: those of gRPC, and those on which the same app answers for a queue.

import type { GrpcServer } from '../api/middleware/grpc/server.js'
import { listenFurther } from '../api/shared/further-port.js'
import type { FastifyInstance } from '../app.js'
import { listenFault } from '../config/listen-fault.js'
import type { Config } from '../config.js'
import type { Deps } from '../deps.js'
import type { Listening, ListenOn } from '../lib/listen.js'

/** Its name tells it from the others of a server, whoever opens it. */
export interface NamedPort {
  name: string
  /** As it was set; 0: a free one. */
  port: number
  setting: 'GRPC_PORT' | 'MIDDLEWARE_PORTS'
  /** Calls that name none belong to a queue. */
  hasQueue: boolean
}

/** What the settings want beside PORT, in their order. */
export function portsOf({ GRPC_PORT, MIDDLEWARE_PORTS }: Config): NamedPort[] {
  const named = (setting: NamedPort['setting'], ports: typeof GRPC_PORT): NamedPort[] =>
    ports.map(({ port, queue }, at) => {
      return { name: nameOf(setting, at), port, setting, hasQueue: queue !== undefined }
    })
  return [...named('MIDDLEWARE_PORTS', MIDDLEWARE_PORTS), ...named('GRPC_PORT', GRPC_PORT)]
}

const nameOf = (setting: NamedPort['setting'], at: number): string => `${setting} ${at}`

/** How a port is listened on. */
export type ListenTo = (port: Pick<NamedPort, 'name' | 'port'>) => ListenOn

export interface Further {
  grpc: readonly GrpcServer[]
  further: readonly Listening[]
}

/** Rejects with a sentence when one of them cannot be had. */
export async function listenBeside(
  deps: Deps,
  app: FastifyInstance,
  listenTo: ListenTo,
): Promise<Further> {
  const further = await listenLocal(deps, app, listenTo)
  return { further, grpc: await listenGrpc(deps, listenTo) }
}

/** Each further port has its queue, for registers without credentials that cannot name theirs. */
async function listenLocal(
  { config, middleware }: Deps,
  app: FastifyInstance,
  listenTo: ListenTo,
): Promise<Listening[]> {
  const most = config.fixed.connectionsMax
  return inOrder('MIDDLEWARE_PORTS', config.MIDDLEWARE_PORTS, async ({ port, queue }, name) => {
    const opened = await listenFurther(app, { listen: listenTo({ name, port }), most })
    if (queue !== undefined) middleware.portQueues.set(opened.port, queue)
    return opened
  })
}

/** Its library is loaded only where it is wanted. */
async function listenGrpc(
  { config, middleware, log }: Deps,
  listenTo: ListenTo,
): Promise<GrpcServer[]> {
  const { GRPC_PORT: ports, GRPC_TLS: tls } = config
  if (ports.length === 0) return []
  const { startGrpc } = await import('../api/middleware/grpc/server.js')
  const options = { most: config.fixed.connectionsMax, log, ...(tls && { tls }) }
  return inOrder('GRPC_PORT', ports, ({ port, queue }, name) =>
    startGrpc(middleware, { ...options, queue, listen: listenTo({ name, port }) }),
  )
}

/** One after the other; where one cannot be had, those before it are closed. */
async function inOrder<Port, Opened extends { close(): Promise<void> }>(
  setting: NamedPort['setting'],
  ports: readonly Port[],
  open: (port: Port, name: string) => Promise<Opened>,
): Promise<Opened[]> {
  const opened: Opened[] = []
  try {
    for (const [at, port] of ports.entries()) opened.push(await open(port, nameOf(setting, at)))
    return opened
  } catch (error) {
    for (const one of opened) await one.close()
    throw listenError(error, setting)
  }
}

/** In words of the setting where it is a fault of listening. */
export function listenError(error: unknown, setting: NamedPort['setting']): Error {
  const sentence = error instanceof Error ? error.message : String(error)
  return new Error(listenFault(error, setting) ?? sentence)
}
