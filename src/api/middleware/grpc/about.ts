// What tools ask a gRPC port about itself: whether it serves (grpc.health.v1), and what it can do
// (reflection).
import { fileURLToPath } from 'node:url'
import { type Server, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { HealthImplementation, protoPath } from 'grpc-health-check'

const FOLDER = fileURLToPath(new URL('../../../../proto', import.meta.url))
const SERVICES = ['', 'fiskaltrust.ifPOS.v1.POS'] as const
/** Their answers have no end of their own. */
const WATCHES = /^\/grpc\.(health\.v1\.Health\/Watch|reflection\.)/

export interface About {
  /** Knows the calls that would hold up a stop. */
  interceptor: ServerInterceptor
  addTo(server: Server): void
  /** Says that nothing is served any more to whoever asks; what runs goes on. */
  drain(): void
  /** Tells watchers that nothing is served any more, and lets them go. */
  stop(): void
}

export function createAbout(): About {
  const serving = Object.fromEntries(SERVICES.map((name) => [name, 'SERVING' as const]))
  const health = new HealthImplementation(serving)
  const watchers = new Set<() => void>()
  const drain = (): void => {
    for (const name of SERVICES) health.setStatus(name, 'NOT_SERVING')
  }
  return {
    interceptor: ({ path }, call) => {
      if (!WATCHES.test(path)) return new ServerInterceptingCall(call)
      const leave = () => {
        call.sendStatus({ code: status.UNAVAILABLE, details: 'The server stops.' })
      }
      watchers.add(leave)
      return new ServerInterceptingCall(call, {
        start: (next) => next({ onCancel: () => watchers.delete(leave) }),
        sendStatus: (answer, next) => {
          watchers.delete(leave)
          next(answer)
        },
      })
    },
    addTo: (server) => {
      health.addToServer(server)
      const options = { includeDirs: [FOLDER], keepCase: true, longs: String }
      const contract = loadSync(['IPOS.proto', protoPath], options)
      new ReflectionService(contract, {
        services: [SERVICES[1], 'grpc.health.v1.Health'],
      }).addToServer(server)
    },
    drain,
    stop: () => {
      drain()
      for (const leave of watchers) leave()
    },
  }
}
