// Messages and the queue that carries them, put together by the settings.
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { DkimFile } from '../config/values.js'
import { type Config, ConfigError } from '../config.js'
import type { JobKind } from '../core/event/job/kind.js'
import { createWork } from '../core/event/job/work.js'
import type { FailPoints } from '../core/fail-point.js'
import { createDelivery } from '../core/message/deliver.js'
import { messageKinds } from '../core/message/kinds.js'
import type { RenderReceipt } from '../core/message/receipt.js'
import type { SendDeps } from '../core/message/send.js'
import type { Metrics } from '../core/metrics.js'
import type { Rendering } from '../core/receipts/rendering.js'
import { PUBLIC_FORMATS, showReceipt } from '../core/receipts/show.js'
import type { OutboundCall } from '../device/outbound.js'
import { createJobs, type Jobs, noJobs } from '../jobs/runner.js'
import { longTasksOf, type TaskParts, tasksOf } from '../jobs/tasks.js'
import type { Spans } from '../lib/spans.js'
import { factsOf } from '../market/index.js'
import { type DkimKey, senderOf } from '../notify/compose.js'
import { createHttpDriver } from '../notify/http-driver.js'
import { createOutbox } from '../notify/outbox.js'
import { createSmtp, smtpOptions } from '../notify/smtp.js'
import type { Channel, Transport } from '../notify/transport.js'
import type { Store } from '../store/client.js'
import { carryLostJobs } from '../store/event/job/job-lease.js'
import type { QueueKey } from '../store/sign/queues.js'
import { tracedTasks } from './traces.js'

export interface MessageParts {
  store: Store
  now(): Date
  runner: number
  /** Resolves when others see by its lock that this process is alive. */
  alive(): Promise<void>
  fetch: OutboundCall
  rendering: Pick<Rendering, 'render'>
  retrievals: { soon(queue: QueueKey): void }
  failPoints: FailPoints
  metrics: Pick<Metrics, 'message'>
  log: Logger
  spans?: Spans | undefined
  /** The work on an order, which the same queue carries. */
  processOrder: TaskParts['processOrder']
  /** The work that receipts have left behind. */
  workOutbox: TaskParts['workOutbox']
  /** Long work that this server can do. */
  kinds: readonly JobKind[]
}

export interface Messages {
  jobs: Jobs
  send: SendDeps
}

/** Ever; further ones are answered with 429. */
const MESSAGES_PER_RECEIPT = 5

/** What Target.Attach may name, where the format exists. */
const ATTACHABLE = ['pdf', 'png']

export function messagesOf(config: Config, parts: MessageParts): Messages {
  const { store, now, runner, alive, log } = parts
  const render = renderer(parts)
  const kinds = messageKinds({
    store,
    factsOf,
    renderReceipt: render,
    retrievals: parts.retrievals,
  })
  const deliver = createDelivery({
    ...{ store, now, runner, kinds, log, failPoints: parts.failPoints },
    transports: transportsOf(config, parts.fetch),
    observe: parts.metrics.message,
  })
  const { processOrder, workOutbox, kinds: jobKinds } = parts
  const tasks = tracedTasks(parts.spans, tasksOf({ deliver, processOrder, workOutbox }))
  const workOn = createWork({ store, runner, now, log, kinds: jobKinds })
  const longTasks = tracedTasks(parts.spans, longTasksOf({ workOn }))
  const long = { tasks: longTasks, carryLost: () => carryLostJobs(store) }
  const names = PUBLIC_FORMATS.map(({ name }) => name)
  return {
    jobs: config.fixed.jobs ? createJobs({ store, runner, alive, log, tasks, long }) : noJobs,
    send: {
      ...{ store, now },
      attachments: ATTACHABLE.filter((name) => names.includes(name)),
      limits: { perReceipt: MESSAGES_PER_RECEIPT, perHour: config.fixed.messagesPerHour },
    },
  }
}

/** The invented domain says that nobody can answer. */
const NOBODY = 'fiskalwerk <receipts@fiskalwerk.invalid>'

export function transportsOf(
  config: Pick<
    Config,
    'DATA_DIR' | 'MAIL_FROM' | 'MAIL_DKIM' | 'SMTP_URL' | 'SMS_URL' | 'WHATSAPP_URL'
  >,
  fetch: OutboundCall,
): Record<Channel, Transport> {
  const from = { ...senderOf(config.MAIL_FROM ?? NOBODY), dkim: dkimOf(config.MAIL_DKIM) }
  const outbox = createOutbox({ folder: resolve(config.DATA_DIR, 'outbox'), from })
  const driver = (url: string | undefined): Transport =>
    url === undefined ? outbox : createHttpDriver({ url, fetch })
  return {
    email: config.SMTP_URL === undefined ? outbox : createSmtp(smtpOptions(config.SMTP_URL, from)),
    sms: driver(config.SMS_URL),
    whatsapp: driver(config.WHATSAPP_URL),
  }
}

/** Throws ConfigError for a file that is no such key: a server that signs nothing would be junk. */
export function dkimOf(named: DkimFile | undefined): DkimKey | undefined {
  if (named === undefined) return undefined
  const { domain, selector, file } = named
  try {
    const privateKey = readFileSync(file, 'utf8')
    if (createPrivateKey(privateKey).asymmetricKeyType === 'rsa') {
      return { domain, selector, privateKey }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`MAIL_DKIM: ${file} cannot be read as a private key: ${reason}`])
  }
  throw new ConfigError([`MAIL_DKIM: ${file} is no RSA key; make one with openssl genrsa 2048`])
}

const WIDTH_MM = 80

/** What an attachment is made of: the receipt as its page gives it out. */
function renderer({ rendering }: Pick<MessageParts, 'rendering'>): RenderReceipt {
  return async (receipt, name, language) => {
    const format = PUBLIC_FORMATS.find((one) => one.name === name)
    if (format === undefined) throw new Error(`there is no format ${name}`)
    const choice = { format, widthMm: WIDTH_MM, languages: language }
    // awaited: some formats are made by other threads
    const { contentType, body } = await showReceipt({ rendering }, receipt, choice)
    return { contentType, bytes: Buffer.from(body) }
  }
}
