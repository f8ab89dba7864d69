// Builds the Fastify app: mounts each group by prefix or host name, documentation and operation
// pages.
import type { Server } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { activation } from './api/activation/index.js'
import { pageDetails as dealerDetails, dealerTable, dealerTags } from './api/dealer/document.js'
import { dealer } from './api/dealer/index.js'
import { dealerOperations } from './api/dealer/operations.js'
import { sendRefusal } from './api/middleware/errors.js'
import { protoFiles } from './api/middleware/grpc/files.js'
import { middleware } from './api/middleware/index.js'
import {
  pageDetails as middlewareDetails,
  middlewareTable,
  tags as middlewareTags,
} from './api/middleware/table.js'
import {
  pageDetails as platformDetails,
  platformTable,
  platformTags,
} from './api/platform/document.js'
import { platform } from './api/platform/index.js'
import type { FurtherMount } from './api/portal/deps.js'
import { portal } from './api/portal/index.js'
import { addCors, isPreflight, sendPreflight } from './api/possystem/cors.js'
import { addEntry } from './api/possystem/entry.js'
import { possystem } from './api/possystem/index.js'
import { problemSender, sendProblem, speaksProblems } from './api/possystem/problem.js'
import {
  pageDetails as possystemDetails,
  possystemTable,
  tags as possystemTags,
} from './api/possystem/table.js'
import { receipt } from './api/receipt/index.js'
import { otherPath } from './api/receipt/other-paths.js'
import {
  pageDetails as receiptDetails,
  receiptTable,
  tags as receiptTags,
} from './api/receipt/table.js'
import { sandbox } from './api/sandbox/index.js'
import { sandboxTable, tags as sandboxTags } from './api/sandbox/table.js'
import { sendDealerRefusal, speaksDealer } from './api/shared/account/refusal.js'
import { logCalls, markGroup, tellCalls } from './api/shared/call-figures.js'
import { keepCalls } from './api/shared/call-keeping.js'
import { callId, traceCalls } from './api/shared/call-spans.js'
import { compressAnswers } from './api/shared/compress.js'
import {
  CONNECTION_TIMES,
  type ConnectionTimes,
  connectionOptions,
  guardConnections,
} from './api/shared/connection.js'
import { type GroupPage, serveDocuments } from './api/shared/document.js'
import { refuseCompressed } from './api/shared/encoding.js'
import { guardAnswers } from './api/shared/headers.js'
import { PAGE_POLICY } from './api/shared/html.js'
import { operationPages } from './api/shared/operation.js'
import { RECEIPT_STATUSES } from './api/shared/problem.js'
import { ROUTER } from './api/shared/router.js'
import { front, welcome } from './api/shared/welcome.js'
import { addWsdlQuestion } from './api/shared/wsdl.js'
import { signingDevice } from './api/signing-device/index.js'
import { signingDeviceTable, tags as signingTags } from './api/signing-device/table.js'
import type { Mount } from './config/values.js'
import type { Deps } from './deps.js'
import { type FiscalError, fail } from './errors.js'
import { randomId } from './lib/id.js'

export type { FastifyInstance }

/** One group: where it is mounted, what registers it, and its page in the documentation. */
interface Group {
  page: Omit<GroupPage, 'server'>
  mount: Mount
  register(scope: FastifyInstance, deps: Deps): void
}

export async function buildApp(
  deps: Deps,
  times: ConnectionTimes = CONNECTION_TIMES,
): Promise<FastifyInstance> {
  const app = fastify({ ...options(deps), ...connectionOptions(times) })
  guardConnections(app, deps.config.fixed.connectionsMax)
  refuseUnknown(app)
  refuseCompressed(app)
  guardAnswers(app, deps.operation.draining)
  if (deps.spans !== undefined) traceCalls(app, deps.spans)
  tellCalls(app, deps.calls)
  if (deps.config.LOG_LEVEL.calls) logCalls(app, deps.log)
  if (deps.callLog !== undefined) keepCalls(app, deps.callLog)
  await compressAnswers(app)
  addWsdlQuestion(app)
  addEntry(app, deps.config.MIDDLEWARE_AUTH.on)
  app.setErrorHandler(refuse(deps.config))
  app.setNotFoundHandler(async (request, reply) => {
    const answer = await otherPath(deps.receipt, request)
    if (answer !== undefined) return answer(reply)
    throw unknownRoute(request)
  })
  const pages: GroupPage[] = []
  for (const group of groups(deps, pages)) pages.push(await mountGroup(app, { group, deps }))
  await app.register((scope, _options, done) => {
    activation(scope, deps.activation)
    done()
  })
  await app.register((scope, _options, done) => {
    portal(scope, deps.portal, portalMounts(deps))
    done()
  })
  await operationPages(app, deps)
  protoFiles(app)
  await serveDocuments(app, pages)
  const { MOUNT_RECEIPT, production } = deps.config
  welcome(app, pages, { taken: isAtRoot(MOUNT_RECEIPT), production })
  return app
}

/** The portal does everything by the interfaces that programs use: the same rows and handlers. */
const portalMounts = (deps: Deps): FurtherMount[] => [
  {
    base: '/api',
    register: (scope, base, admitted) =>
      dealer(scope, { ...deps.dealer, admitted }, { bases: [base] }),
  },
  {
    base: '/platform',
    register: (scope, base, admitted) =>
      platform(scope, { ...deps.platform, admitted }, { bases: [base] }),
  },
]

/** An address that leads nowhere is told as that, before anybody looks at the body. */
function refuseUnknown(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    // what is read may be another name of a receipt
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (request.is404 && !isRead) done(unknownRoute(request))
    else done()
  })
}

function unknownRoute({ method, url }: FastifyRequest): FiscalError {
  return fail('ROUTE_UNKNOWN', { method, path: url.split('?')[0] ?? '' })
}

/** What no group has caught, in the form of the group that the caller had in mind. */
function refuse({ MOUNT_POSSYSTEM, MOUNT_DEALER }: Deps['config']): typeof sendRefusal {
  return (error, request, reply) => {
    if (speaksProblems(request, MOUNT_POSSYSTEM.prefix)) return sendProblem(error, request, reply)
    if (isPlatform(request)) {
      return sendDealerRefusal(error, { request, reply }, { problemsOnly: true })
    }
    const isDealer = speaksDealer(request, MOUNT_DEALER.prefix)
    if (isDealer) return sendDealerRefusal(error, { request, reply })
    return sendRefusal(error, request, reply)
  }
}

const isPlatform = ({ url }: FastifyRequest): boolean =>
  /^\/(platform|portal)\//i.test(url.replace(/\/+/g, '/'))

function options(deps: Deps): FastifyHttpOptions<Server> {
  const { spans } = deps
  return {
    loggerInstance: deps.log as FastifyBaseLogger,
    // a logger per request costs an eighth of an echo; who logs about a request names its id
    childLoggerFactory: (log) => log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    trustProxy: trustOf(deps.config.TRUST_PROXY),
    requestIdHeader: false,
    genReqId: ({ headers }) => (spans && callId(spans, headers)) ?? randomId(),
    frameworkErrors: refuse(deps.config),
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: ROUTER,
    schemaController: { compilersFactory: COMPILERS },
  }
}

/** Schemas of the tables are zod's; without these Fastify reads compilers that nothing is for. */
const noCompiler = (): never => {
  throw new Error('a route has a JSON schema')
}
const COMPILERS = { buildValidator: noCompiler, buildSerializer: noCompiler }

const CASH_BOX = {
  cashboxid: 'Id of the cash box.',
  accesstoken: 'Access token of the cash box.',
}

/** A group at the root has the first address as well. */
function isAtRoot({ host, prefix }: Mount): boolean {
  return host === null && prefix === ''
}

function groups(deps: Deps, pages: readonly GroupPage[]): Group[] {
  return [
    {
      page: {
        name: 'middleware',
        title: 'Middleware (group B)',
        text: 'Registers sign receipts, export journals and echo.',
        details: middlewareDetails,
        credentials: CASH_BOX,
        tags: middlewareTags,
        table: middlewareTable(deps.middleware.pascal),
      },
      mount: deps.config.MOUNT_MIDDLEWARE,
      register: (scope) => middleware(scope, deps.middleware),
    },
    {
      page: {
        name: 'signing-device',
        title: 'Signing device (group C)',
        text: 'Signs bytes with the Austrian or French signing unit of a cash box.',
        credentials: CASH_BOX,
        tags: signingTags,
        table: signingDeviceTable,
      },
      mount: deps.config.MOUNT_SIGNING_DEVICE,
      register: (scope) => signingDevice(scope, deps.signingDevice),
    },
    receiptGroup(deps, pages),
    {
      page: {
        name: 'sandbox',
        title: 'Sandbox',
        text:
          'Makes signing devices fail by script, and shows sample receipts. In production it ' +
          'answers 404.',
        credentials: CASH_BOX,
        tags: sandboxTags,
        table: sandboxTable,
      },
      mount: { host: null, prefix: '' },
      register: (scope) => sandbox(scope, deps.sandbox),
    },
    {
      page: {
        name: 'possystem',
        title: 'PosSystem (group D)',
        text: 'Pays, signs and issues receipts; every call can be repeated.',
        details: possystemDetails,
        credentials: {
          'x-cashbox-id': 'Id of the CashBox.',
          'x-cashbox-accesstoken': 'Access token of the CashBox.',
          ...CASH_BOX,
        },
        tags: possystemTags,
        table: possystemTable,
      },
      mount: deps.config.MOUNT_POSSYSTEM,
      register: (scope) => possystem(scope, deps.possystem, sharesPlace(deps.config)),
    },
    dealerGroup(deps),
    platformGroup(deps),
  ]
}

function platformGroup(deps: Deps): Group {
  return {
    page: {
      name: 'platform',
      title: 'Platform (group F)',
      text: 'What happens, what is wrong, what is being done.',
      details: platformDetails,
      credentials: { ...ACCOUNT, ...CASH_BOX },
      tags: platformTags,
      table: platformTable,
    },
    mount: { host: null, prefix: '' },
    register: (scope) => platform(scope, deps.platform),
  }
}

const ACCOUNT = {
  accountId: 'Id of an account.',
  accessToken: 'Access token of the account.',
}

function dealerGroup(deps: Deps): Group {
  return {
    page: {
      name: 'dealer',
      title: 'Dealer (group A)',
      text: 'Dealers onboard merchants and roll out their registers.',
      details: dealerDetails,
      credentials: ACCOUNT,
      tags: dealerTags,
      table: dealerTable(dealerOperations),
    },
    mount: deps.config.MOUNT_DEALER,
    register: (scope) => dealer(scope, deps.dealer),
  }
}

/** It shows the welcome page to whoever brings no link. */
function receiptGroup(deps: Deps, pages: readonly GroupPage[]): Group {
  return {
    page: {
      name: 'receipt',
      title: 'Receipts (group E)',
      text: 'Shows issued receipts to whoever has their address.',
      details: receiptDetails,
      credentials: {
        'X-App-Id': 'Id of a third-party app.',
        'X-App-Secret': 'Secret of the app.',
        ...CASH_BOX,
      },
      tags: receiptTags,
      table: receiptTable,
    },
    mount: deps.config.MOUNT_RECEIPT,
    register: (scope) => {
      if (deps.config.fixed.possystemCors) addCors(scope)
      receipt(scope, deps.receipt, {
        refuse: problemSender(RECEIPT_STATUSES),
        front: () => ({ page: front(pages, deps.config.production), policy: PAGE_POLICY }),
        preflight: (request, reply) => {
          const answered = deps.config.fixed.possystemCors && isPreflight(request)
          return answered ? sendPreflight(request, reply) : undefined
        },
      })
    },
  }
}

/** Groups B and D are reached under the same addresses. */
function sharesPlace({ MOUNT_MIDDLEWARE: one, MOUNT_POSSYSTEM: other }: Deps['config']): boolean {
  return one.host === other.host && one.prefix.toLowerCase() === other.prefix.toLowerCase()
}

async function mountGroup(
  app: FastifyInstance,
  { group, deps }: { group: Group; deps: Deps },
): Promise<GroupPage> {
  const { host, prefix } = group.mount
  await app.register(
    (scope, _options, done) => {
      if (host !== null) {
        scope.addHook('onRoute', (route) => {
          route.constraints = { ...route.constraints, host: hostPattern(host) }
        })
      }
      markGroup(scope, group.page.name)
      group.register(scope, deps)
      done()
    },
    { prefix },
  )
  return { ...group.page, server: serverOf(group.mount, deps.config.PUBLIC_URL) }
}

/** Where clients find the group: a path of this server, unless its address is known. */
function serverOf({ host, prefix }: Mount, publicUrl: string | undefined): string {
  if (host !== null) return `${new URL(publicUrl ?? 'http://localhost').protocol}//${host}${prefix}`
  return publicUrl === undefined ? prefix || '/' : publicUrl.replace(/\/+$/, '') + prefix
}

/** The header names the port as well, unless it is the usual one. */
function hostPattern(host: string): RegExp {
  const literal = host.replaceAll('.', '\\.')
  return new RegExp(`^${literal}${host.includes(':') ? '' : '(:\\d+)?'}$`, 'i')
}

/** `true`, `false`, or addresses and networks separated by commas. */
function trustOf(text: string): boolean | string {
  return text === 'true' || text === 'false' ? text === 'true' : text
}
