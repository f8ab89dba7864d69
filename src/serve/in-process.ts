// A server without a port: whoever has it calls the interfaces as over HTTP, by a clock of his own.
import { buildApp } from '../app.js'
import { createDeps, type Deps } from '../deps.js'

export interface InProcessCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  payload?: string | object
}

export interface InProcess {
  deps: Deps
  call(call: InProcessCall): Promise<{ statusCode: number; body: string }>
  close(): Promise<void>
}

export async function serveInProcess(parts: Parameters<typeof createDeps>[0]): Promise<InProcess> {
  const deps = await createDeps(parts)
  const app = await buildApp(deps)
  return {
    deps,
    call: async ({ method = 'GET', ...call }) => {
      const { statusCode, body } = await app.inject({ method, ...call })
      return { statusCode, body }
    },
    close: async () => {
      await app.close()
      await deps.signing.drained()
      await deps.signing.close()
      await deps.operations.close()
    },
  }
}
