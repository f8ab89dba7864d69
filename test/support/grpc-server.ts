// The port of gRPC beside a server of the tests.
import {
  GRPC_TIMES,
  type GrpcOptions,
  type GrpcServer,
  startGrpc,
} from '../../src/api/middleware/grpc/server.js'
import type { Deps } from '../../src/deps.js'
import { listenAt } from '../../src/lib/listen.js'
import { openTill, type Till } from './grpc-client.js'

export interface GrpcStand extends GrpcServer {
  address: string
  /** A client; closed with the server. `authority`: by what name it calls. */
  till(metadata?: Record<string, string>, authority?: string): Till
}

export async function standGrpc(
  { middleware, log }: Pick<Deps, 'middleware' | 'log'>,
  options: Partial<Omit<GrpcOptions, 'times'>> & { times?: Partial<typeof GRPC_TIMES> } = {},
): Promise<GrpcStand> {
  const server = await startGrpc(middleware, {
    listen: listenAt({ host: '127.0.0.1', port: 0 }),
    most: 100,
    log,
    ...options,
    times: { ...GRPC_TIMES, ...options.times },
  })
  const address = `127.0.0.1:${server.port}`
  const tills: Till[] = []
  return {
    ...server,
    address,
    till: (metadata, authority) => {
      const till = openTill(address, metadata, authority === undefined ? {} : { authority })
      tills.push(till)
      return till
    },
    close: async () => {
      for (const till of tills) till.close()
      await server.close()
    },
  }
}
