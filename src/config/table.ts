// The table of settings: name, form, default and text. `.env.example` and docs/settings.md are
// made from it; test/config.test.ts compares them.
import { z } from 'zod'
import * as values from './values.js'
import { bool, wholeNumber as count, factor, list, mount, oneOf, optional, url } from './values.js'

export interface Setting {
  /** As the environment would give it; '' is empty. */
  readonly fallback: string
  readonly type: z.ZodType<unknown, unknown>
  /** One sentence, for both. */
  readonly text: string
  /** What only the page adds, Markdown. */
  readonly more?: string
}

const LISTENING = {
  HOST: {
    fallback: '127.0.0.1',
    type: values.listenAddress,
    text: 'Address of this machine; 0.0.0.0 for all of them (put a proxy with TLS in front).',
  },
  PORT: {
    fallback: '8080',
    type: count(0, 65_535),
    text: 'Port of the REST interfaces; 0 takes a free one and prints it.',
  },
  PROCESSES: {
    fallback: '1',
    type: values.processes,
    text: 'Server processes behind the port, 1 to 64; auto: two for three processors.',
    more: 'See [operating.md](operating.md#several-processes-behind-one-port).',
  },
  GRPC_PORT: {
    fallback: '',
    type: values.queuePorts(true),
    text: 'Port of gRPC of the Middleware, or port=queue with commas; empty: off, 0: a free one.',
    more:
      'See [gRPC](grpc.md). It is at the same `HOST`. `1400=QUEUE,1401=QUEUE`: a port for each ' +
      'queue.',
  },
  GRPC_TLS: {
    fallback: '',
    type: optional(values.tlsFiles),
    text: 'Two files in PEM for TLS of gRPC: certificate.pem,key.pem; empty: no TLS.',
    more: 'The first one holds the certificate with its chain behind it.',
  },
  PUBLIC_URL: {
    fallback: '',
    type: optional(values.linkBase),
    text: 'Address of this server for others, start of all links; empty means http://HOST:PORT.',
    more: 'Links to receipts then begin with the address that the caller has used.',
  },
  TRUST_PROXY: {
    fallback: 'false',
    type: values.proxies,
    text: 'Proxies whose X-Forwarded-For is believed: true, false, or their addresses.',
    more:
      'Networks are allowed too. Wrong credentials are counted per caller, so set it when a ' +
      'proxy is in front.',
  },
  MOUNT_MIDDLEWARE: {
    fallback: '/',
    type: mount,
    text: 'Where the Middleware interface is reached: /prefix, host.name or host.name/prefix.',
  },
  MOUNT_SIGNING_DEVICE: {
    fallback: '/',
    type: mount,
    text: 'Where the signing device is reached, in the same form.',
  },
  MOUNT_POSSYSTEM: {
    fallback: '/',
    type: mount,
    text: 'Where the PosSystem interface is reached, in the same form; /v2 follows it.',
  },
  MOUNT_DEALER: {
    fallback: '/',
    type: mount,
    text: 'Where the Dealer interface is reached, in the same form; /api follows it.',
  },
  MOUNT_RECEIPT: {
    fallback: '/',
    type: mount,
    text: 'Where the pages of issued receipts are reached, in the same form.',
  },
} satisfies Record<string, Setting>

const DATABASE = {
  DATABASE_URL: {
    fallback: '',
    type: optional(url('postgres|postgresql')),
    text: 'PostgreSQL 14 or newer, may be shared by several servers; empty: one inside DATA_DIR.',
    more: '`postgresql://user:password@host:port/database`',
  },
  DATA_DIR: {
    fallback: './data',
    type: z.string(),
    text: 'Folder of the embedded database, its master key and the messages that are not sent.',
    more:
      'Also of the log of the database, the text of the agreement (`agreement.md`, ' +
      '[invitations](dealer-invitations.md)), and the address of the server (for `demo`).',
  },
  BACKUP_STORE: {
    fallback: '',
    type: optional(values.archivePlace),
    text: 'Keeps months of Queues in /folder or s3://key:secret@host/bucket; empty: nowhere.',
    more: 'See [backups for merchants](backups.md).',
  },
  DATABASE_POOL: {
    fallback: '10',
    type: count(4, 200),
    text: 'Most connections to the database that one server process opens.',
    more:
      'One for operations, one for queues with devices outside and at most four for jobs come ' +
      'on top.',
  },
  MIGRATE_ON_START: {
    fallback: 'true',
    type: bool,
    text: 'Whether a start applies missing migrations; false leaves that to `fiskalwerk migrate`.',
  },
  MASTER_KEY: {
    fallback: '',
    type: values.masterKey,
    text: 'Encrypts stored keys and tokens: 32 bytes in Base64; several with commas, newest first.',
    more: 'See [the master key](operating.md#the-master-key). Required with `DATABASE_URL`.',
  },
} satisfies Record<string, Setting>

const ENVIRONMENTS = {
  ENVIRONMENT: {
    fallback: 'sandbox',
    type: oneOf(['sandbox', 'production']),
    text: 'In production, fault scripts and software signing devices are refused.',
    more:
      'Receipts have no sandbox mark and no explanations there. Production also refuses master ' +
      'keys that can be guessed and default passwords of the database, and a server needs ' +
      '`PUBLIC_URL`.',
  },
  ALLOW_SOFTWARE_DEVICES: {
    fallback: 'false',
    type: bool,
    text: 'Whether production may sign with keys that lie in the database (not certified).',
  },
  OUTBOUND_ALLOW: {
    fallback: '',
    type: list,
    text: 'Private addresses (host:port, with commas) that this server may call.',
    more:
      'For remote signing devices, payment terminals and message drivers. Public addresses, and ' +
      'those that `scu add --url` and `terminal add --url` name, need no entry.',
  },
  DUMMY_PAYMENT_TIME_SCALE: {
    fallback: '1',
    type: factor(1000),
    text: 'Factor for the waiting times of test payments: 0.001 makes minutes milliseconds.',
    more: 'See [test amounts](payments.md#test-amounts).',
  },
} satisfies Record<string, Setting>

const RECEIPTS = {
  ISSUE_ACCEPT_EXTERNAL: {
    fallback: 'true',
    type: bool,
    text: 'Whether cash registers may publish receipts that this server did not sign.',
    more: 'They are marked as unchecked. See [receipts](receipts.md).',
  },
  RECEIPT_REQUIRE_SIGNATURE: {
    fallback: 'false',
    type: bool,
    text: 'Whether links with c need a signature; addresses of the two ids and labels never do.',
  },
} satisfies Record<string, Setting>

const MESSAGES = {
  SMTP_URL: {
    fallback: '',
    type: optional(url('smtp|smtps')),
    text: 'Mail server, smtp://user:password@host:587; empty writes e-mails to DATA_DIR/outbox.',
    more: '`smtps://…` for TLS from the start. It needs `PUBLIC_URL`, as the two drivers do.',
  },
  MAIL_FROM: {
    fallback: '',
    type: optional(values.mailbox),
    text: 'Sender of e-mails, address or Name <address>; needed with SMTP_URL.',
  },
  MAIL_DKIM: {
    fallback: '',
    type: optional(values.dkimFile),
    text: 'Signs e-mails: domain,selector,key.pem (RSA); empty: the mail server does, or nobody.',
    more: 'See [e-mail that arrives](operating.md#e-mail-that-arrives).',
  },
  SMS_URL: {
    fallback: '',
    type: optional(url('http|https')),
    text: 'Address of a driver for text messages, called with POST; empty: DATA_DIR/outbox.',
    more: 'See [messages](messages.md).',
  },
  WHATSAPP_URL: {
    fallback: '',
    type: optional(url('http|https')),
    text: 'Address of a driver for WhatsApp messages, in the same way.',
  },
  SSO_ISSUER: {
    fallback: '',
    type: optional(values.provider),
    text: 'Provider of logins for the portal (OpenID Connect): https://id:secret@login.example',
    more:
      'Empty: none. Id and secret are what the provider knows this server by, special ' +
      'characters percent-encoded. See [the portal](portal.md#logging-in-at-a-provider).',
  },
  PERSONAL_DATA_DAYS: {
    fallback: '0',
    type: count(0, 36_500),
    text: 'Days after which contacts, addresses and user agents are erased; 0: never by itself.',
    more: 'See [personal data](personal-data.md).',
  },
} satisfies Record<string, Setting>

const MIDDLEWARE = {
  MIDDLEWARE_AUTH: {
    fallback: 'on',
    type: values.authentication,
    text: 'Whether calls need the headers cashboxid and accesstoken; off only on a loopback HOST.',
    more:
      'Behind `off`, with commas, further host names of this server, each perhaps with a port: ' +
      '`off,register.lan`. Loopback and the hosts of `PUBLIC_URL` and `MOUNT_MIDDLEWARE` are ' +
      'known. See [operating](operating.md#a-cash-register-and-its-server-on-one-machine).',
  },
  MIDDLEWARE_PORTS: {
    fallback: '',
    type: values.queuePorts(false),
    text: 'Further ports, each with the queue of calls that name none: 1500=QUEUE-ID,1501=ALIAS',
    more:
      'They are at the same `HOST`, and the whole server answers there. `0` takes a free port ' +
      'and prints it.',
  },
  MIDDLEWARE_ORIGINS: {
    fallback: '',
    type: values.origins,
    text: 'Origins whose pages may call the Middleware (CORS), with commas; * for all.',
    more: '`*` is refused with `MIDDLEWARE_AUTH=off`.',
  },
  QUEUE_ALIASES: {
    fallback: '',
    type: values.queueNames,
    text: 'Further first words of a path: fiskaltrust=QUEUE-ID,ftrest=QUEUE-ID',
    more:
      '`*=QUEUE-ID` is the queue of a call without credentials that names none; without it, the ' +
      'only one there is.',
  },
} satisfies Record<string, Setting>

const POSSYSTEM = {
  POSSYSTEM_ID_REQUIRED: {
    fallback: 'true',
    type: bool,
    text: 'Whether calls need the header x-possystem-id; some cash registers do not send it.',
  },
  ECHO_STATUS: {
    fallback: '200',
    type: oneOf(['200', '201']),
    text: 'HTTP status of an echo; some programs expect 201.',
  },
  OPERATION_WAIT_MAX_SECONDS: {
    fallback: '0',
    type: count(0, 86_400),
    text: 'Longest wait of a call for its answer, in seconds; 0: no limit.',
    more: 'Then the connection is closed without an answer, and the cash register asks again.',
  },
  SIGN_VALIDATION: {
    fallback: 'log',
    type: oneOf(['log', 'strict']),
    text: 'Contradictions of a PosSystem receipt: noted (log), or errors in its answer (strict).',
    more: '`log` writes them into the action journal.',
  },
} satisfies Record<string, Setting>

const LIMITS = {
  BODY_LIMIT: {
    fallback: '2097152',
    type: count(1024, 64 * 1024 * 1024),
    text: 'Most bytes of a receipt; a larger one is answered with 413.',
    more:
      'For the Middleware; [PosSystem](possystem-api.md#bodies) has a fixed one, other bodies ' +
      'have 256 KiB.',
  },
  CSV_LIMIT: {
    fallback: '33554432',
    type: count(1024, 256 * 1024 * 1024),
    text: 'Most bytes of an imported CSV file; a larger one is answered with 413.',
  },
  SIGN_WAITING_SECONDS: {
    fallback: '10',
    type: count(1, 60),
    text: 'Longest wait of a receipt before it is answered with 503, in seconds.',
    more: 'The answer has `Retry-After`. It is the same when more than 4,096 receipts wait.',
  },
  RATE_LIMITS: {
    fallback: 'credentials=10,pin=5,dealer=6000',
    type: values.amounts({ credentials: 10, pin: 5, dealer: 6000 }, 1_000_000),
    text: 'Wrong credentials, wrong PINs and calls of dealers per minute before 429; 0: no limit.',
    more:
      'What is not named keeps its limit; every 429 has `Retry-After`. `credentials`: of a ' +
      'CashBox and address, and ten times as many per address alone (IPv6: per /64), whatever ' +
      'the ids; right ones of programs always pass. `pin`: pairing PINs of a network, twice as ' +
      'many a day. `dealer`: calls of the Dealer API of an account, counted by each server ' +
      'process.',
  },
  TRACES_URL: {
    fallback: '',
    type: optional(values.collector),
    text: 'Collector of OpenTelemetry that traces go to (OTLP over HTTP); empty: none are made.',
    more:
      'With its path: `http://127.0.0.1:4318/v1/traces`. A part behind a comma, 0 to 1, is the ' +
      'part of calls that have a trace: `…/v1/traces,0.1`; what a caller has decided counts ' +
      'more. See [traces](operations/README.md#traces).',
  },
  LOG_LEVEL: {
    fallback: 'info',
    type: values.logLines,
    text: 'Lines of the log: fatal, error, warn, info, debug, trace or silent; info,access: calls.',
    more:
      'With `,access` (`info` or more) every call has a line: route, status, time, id of the ' +
      'caller; neither paths nor queries nor network addresses stand in it.',
  },
} satisfies Record<string, Setting>

/** The settings by section, in the order of the pages. */
export const SECTIONS = {
  'Where it listens': LISTENING,
  'Database and keys': DATABASE,
  'Sandbox or production': ENVIRONMENTS,
  'The Middleware interface (group B)': MIDDLEWARE,
  'The PosSystem interface (group D)': POSSYSTEM,
  'Issued receipts': RECEIPTS,
  Messages: MESSAGES,
  'Limits and log': LIMITS,
} satisfies Record<string, Record<string, Setting>>

export const TABLE = {
  ...LISTENING,
  ...DATABASE,
  ...ENVIRONMENTS,
  ...MIDDLEWARE,
  ...POSSYSTEM,
  ...RECEIPTS,
  ...MESSAGES,
  ...LIMITS,
}

/** What older versions knew, and what to do now; a start tells who has set one. */
export const RETIRED: Readonly<Record<string, string>> = {
  GRPC_TLS_CERT: 'still read; GRPC_TLS=certificate.pem,key.pem takes its place',
  GRPC_TLS_KEY: 'still read; GRPC_TLS=certificate.pem,key.pem takes its place',
  RATE_LIMIT_FAILURES: 'still read; RATE_LIMITS=credentials=10 takes its place',
  RATE_LIMIT_PIN: 'still read; RATE_LIMITS=pin=5 takes its place',
  RATE_LIMIT_DEALER: 'still read; RATE_LIMITS=dealer=6000 takes its place',
  TRACES_RATIO: 'still read; it stands behind the address now, TRACES_URL=https://…,0.1',
  SSO_CLIENT: 'still read; it stands in the address now, SSO_ISSUER=https://id:secret@…',
  MIDDLEWARE_HOSTS: 'still read; they stand behind off now, MIDDLEWARE_AUTH=off,register.lan',
  DEFAULT_QUEUE: 'still read; QUEUE_ALIASES=*=QUEUE-ID takes its place',
  ACCESS_LOG: 'still read; LOG_LEVEL=info,access takes its place',
  CACHE_CREDENTIALS_MS: 'no setting any more; credentials are believed for half a second',
  NESTED_NAMES: 'no setting any more; the parameter nested-names of a queue takes its place',
  POSSYSTEM_CORS: 'no setting any more; pages of other origins may call group D',
  RECEIPT_PREVIEW_AGENTS: 'no setting any more; the programs of usual messengers are known',
  JOBS: 'no setting any more; every server works on jobs',
  FAIL_POINTS: 'no setting any more; tests hand fail points to the program themselves',
  CONNECTIONS_MAX: 'no setting any more; 10000 connections are open at most',
  SIGN_WAITING_MAX: 'no setting any more; 4096 receipts wait at most',
  INSTORE_LISTENERS_MAX: 'no setting any more; 1000 devices of a process listen at most',
  RENDER_THREADS: 'no setting any more; one thread less than there are processors',
  CACHE_RENDERED: 'no setting any more; 32 MiB of drawn receipts are kept',
  CACHE_QUEUES: 'no setting any more; 10000 queues and CashBoxes are kept',
  OUTBOX_DAYS: 'no setting any more; files of the outbox stay 30 days',
  MESSAGES_PER_RECEIPT: 'no setting any more; 5 messages about a receipt at most',
  MESSAGES_PER_HOUR: 'no setting any more; 100 messages of a CashBox within an hour at most',
}
