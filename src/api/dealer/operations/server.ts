// What a firewall check asks. Part of the route table.
import { z } from 'zod'
import { PROCESSING_VERSION } from '../../../lib/version.js'
import { operation } from '../operation.js'

export const serverOperations = [
  operation({
    id: 'version',
    title: 'Which program is this?',
    tag: 'Server',
    method: 'GET',
    path: '/version',
    access: 'open',
    success: { status: 200, schema: z.object({ version: z.string(), environment: z.string() }) },
    handle: ({ deps }) => ({ version: PROCESSING_VERSION, environment: deps.environment }),
  }),
]
