// Cash boxes and queues of one merchant on two server processes, and a book of what the servers
// have answered.
import { randomBytes } from 'node:crypto'
import { type DealerStand, headersOf, openDealer } from '../dealer.js'
import {
  type Answered,
  type Asked,
  answeredOf,
  type BoxAccess,
  newId,
  receiptText,
  templateText,
} from '../two-servers.js'
import type { DealerCalls } from './dealer-script.js'
import { ServerProcess } from './server-process.js'

export type DealerProcess = ServerProcess<DealerCalls>

const SCRIPT = new URL('dealer-script.ts', import.meta.url)

export const BOXES = 2
export const QUEUES = 3
export const UNITS = 2

/** A database, who looks into it, and two servers that work on it. */
export interface Street {
  /** Serves nobody; it has the accounts. */
  home: DealerStand
  servers: readonly [DealerProcess, DealerProcess]
  close(): Promise<void>
}

export async function openStreet(): Promise<Street> {
  const variables = {
    MASTER_KEY: randomBytes(32).toString('base64'),
    RATE_LIMITS: 'dealer=0',
  }
  const home = await openDealer({ variables })
  const { config, superuser } = home.database
  const forked = (still: boolean) =>
    ServerProcess.fork<DealerCalls>(SCRIPT, { config, superuser, variables, still })
  const servers = await Promise.all([forked(false), forked(true)])
  return {
    ...{ home, servers },
    close: async () => {
      const ends = await Promise.allSettled(servers.map((one) => one.close()))
      await home.close()
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
  }
}

interface Box {
  id: string
  units: readonly string[]
  access: BoxAccess | undefined
}

export interface Plan {
  box: number
  queues: readonly number[]
  move: boolean
  unit: number
}

export interface Sale {
  box: number
  /** Left out of the path: the cash box's own. */
  queue: number | undefined
  receiptCase: bigint | undefined
}

/** An empty list or an index beyond it is a mistake of the model. */
export function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`there is no ${index}`)
  return found
}

const ids = (count: number): string[] => Array.from({ length: count }, newId)

export class QueueShop {
  readonly queues = ids(QUEUES)
  readonly boxes: readonly Box[] = ids(BOXES).map((id) => ({
    ...{ id, units: ids(UNITS), access: undefined },
  }))
  readonly answered: Answered[] = []
  /** What was done, for whoever reads about a failure. */
  readonly told: string[] = []
  readonly street: Street
  readonly operator: string

  constructor(street: Street, operator: string) {
    this.street = street
    this.operator = operator
  }

  /** A server on a machine that is busy with other things may say that it comes again. */
  async template(server: number, plan: Plan): Promise<{ status: number; text: string }> {
    for (let left = 5; ; left -= 1) {
      const reply = await this.templateOnce(server, plan)
      if (reply.status !== 503 || left === 0) return reply
    }
  }

  private async templateOnce(server: number, { box, queues, move, unit }: Plan) {
    const { id, units } = at(this.boxes, box)
    const named = queues.map((one) => at(this.queues, one))
    const reply = await this.ask(server, {
      method: 'POST',
      url:
        `/api/posoperators/${this.operator}/templates?outlet_number=1` +
        `&cashbox_id=${id}&move=${move}`,
      headers: { ...headersOf(this.street.home.dealer), ...JSON_BODY },
      payload: templateText({ queues: named, unit: at(units, unit) }),
    })
    if (reply.status === 200) {
      const { accessToken } = JSON.parse(reply.text) as { accessToken: string }
      at(this.boxes, box).access = { cashBoxId: id, accessToken }
    }
    return reply
  }

  async sign(server: number, { box, queue, receiptCase }: Sale): Promise<Answered> {
    const access = this.accessOf(box)
    const named = queue === undefined ? undefined : at(this.queues, queue)
    const asked: Asked = { ...access, ...(receiptCase === undefined ? {} : { receiptCase }) }
    return answeredOf(
      await this.ask(server, {
        method: 'POST',
        url: `${named === undefined ? '' : `/${named}`}/json/v1/sign`,
        headers: { ...credentials(access), ...JSON_BODY },
        payload: receiptText(asked),
      }),
    )
  }

  /** What the cash box's own configuration says. */
  published(server: number, box: number): Promise<{ status: number; text: string }> {
    const access = this.accessOf(box)
    return this.ask(server, {
      method: 'GET',
      url: `/api/configuration/${access.cashBoxId}`,
      headers: credentials(access),
    })
  }

  /** By the dealer. */
  exported(server: number, queue: string): Promise<{ status: number; text: string }> {
    return this.ask(server, {
      method: 'GET',
      url: `/api/posoperators/${this.operator}/queues/${queue}/journal?type=3`,
      headers: headersOf(this.street.home.dealer),
    })
  }

  /** By a cash box. */
  ownExport(server: number, queue: string, cashBoxId: string) {
    const access = this.boxes.find(({ id }) => id === cashBoxId)?.access
    return this.ask(server, {
      ...{ method: 'POST', url: `/${queue}/json/v1/journal?type=3` },
      headers: credentials(access ?? { cashBoxId, accessToken: '' }),
    })
  }

  private accessOf(box: number): BoxAccess {
    const { access } = at(this.boxes, box)
    if (access === undefined) throw new Error(`the cash box ${box} is not there yet`)
    return access
  }

  private ask(server: number, asked: Parameters<DealerCalls['ask']>[0]) {
    return at(this.street.servers, server).call('ask', asked)
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

const credentials = ({ cashBoxId, accessToken }: BoxAccess): Record<string, string> => ({
  ...{ cashboxid: cashBoxId, accesstoken: accessToken },
})
