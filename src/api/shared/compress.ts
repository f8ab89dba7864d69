// Answers in gzip or brotli for whoever asks: pages, documents and exports. Answers to calls that
// change something are never compressed: they are short, and signing must not wait for it.
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyRequest, onSendHookHandler, RouteOptions } from 'fastify'

/** Bytes that travel in one packet anyway. */
const LEAST_BYTES = 1400
/** Up to here it is done at once: longer ones in another thread, by a stream. */
const MOST_AT_ONCE = 8 * 1024

/**
 * Everything else is packed already (PNG, PDF, ZIP), an archive to the byte (TAR), or has to arrive
 * as it is told (events).
 */
const TYPES = new RegExp(
  '^(?:text/(?!event-stream)|application/(?:[\\w.-]+\\+)?(?:json|xml)\\b|' +
    '(?:application|text)/javascript|image/svg\\+xml)',
  'i',
)

/** Parts of a stream leave as they come: nobody waits until a block is full. */
const OPTIONS = {
  global: true,
  globalDecompression: false,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  threshold: LEAST_BYTES,
  syncThreshold: MOST_AT_ONCE,
  customTypes: TYPES,
  brotliOptions: {
    flush: constants.BROTLI_OPERATION_FLUSH,
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
  },
  zlibOptions: { flush: constants.Z_SYNC_FLUSH, level: 6 },
}

export async function compressAnswers(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => behind(route, admit))
  await app.register(compress, OPTIONS)
  app.addHook('onRoute', (route) => behind(route, weaken))
}

/** By callback: a promise for each answer costs more than what these hooks do. */
type SendHook = onSendHookHandler<unknown>
type Sending = Parameters<SendHook>

/** A route that is never compressed (`compress: false`) has no hooks for it either. */
function behind(route: RouteOptions, hook: SendHook): void {
  if (route.compress === false) return
  const given = route.onSend ?? []
  const hooks = Array.isArray(given) ? given : [given]
  route.onSend = [...hooks, hook as (typeof hooks)[number]]
}

/** The library leaves alone what carries this header. */
const LEAVE = 'x-no-compression'

const admit = (...[request, reply, payload, done]: Sending): void => {
  const type = String(reply.getHeader('content-type') ?? '')
  // who knows the answer already is told by the same headers
  const isKnown = reply.statusCode === 304
  if (isKnown || suits(request, { type, payload, kind: kindOf(payload) })) vary(reply)
  else request.headers[LEAVE] = ''
  done(null, payload)
}

type Kind = 'stream' | 'bytes' | 'none'

function kindOf(payload: unknown): Kind {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return 'bytes'
  if (typeof payload !== 'object' || payload === null) return 'none'
  return 'pipe' in payload ? 'stream' : 'none'
}

interface Answer {
  type: string
  payload: unknown
  kind: Kind
}

function suits({ method }: FastifyRequest, { type, payload, kind }: Answer): boolean {
  if (method === 'HEAD' || kind === 'none' || !TYPES.test(type)) return false
  if (kind === 'stream') return true
  const bytes = payload as string | Buffer
  return method === 'GET' && bytes.length >= LEAST_BYTES && !looksPacked(bytes)
}

/** The library takes bytes for packed ones by the first two; a text may begin like that too. */
function looksPacked(bytes: string | Buffer): boolean {
  const [first = 0, second = 0] = Buffer.from(bytes.slice(0, 2))
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}

/** What is kept for one reader must not go to another one who cannot read it. */
function vary(reply: Sending[1]): void {
  const given = reply.getHeader('vary')
  const names = given === undefined ? [] : [given].flat().map(String)
  if (names.some((name) => name.toLowerCase().includes(ENCODING))) return
  void reply.header('vary', [...names, ENCODING].join(', '))
}

const ENCODING = 'accept-encoding'

/** Other bytes than those of the tag, though the same content: the tag is a weak one. */
const weaken = (...[, reply, payload, done]: Sending): void => {
  const tag = reply.getHeader('etag')
  const encoded = reply.getHeader('content-encoding') !== undefined
  if (encoded && typeof tag === 'string' && tag.startsWith('"')) {
    void reply.header('etag', `W/${tag}`)
  }
  done(null, payload)
}
