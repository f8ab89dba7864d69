// Two servers on one database, of which the second remembers credentials for ever, with a merchant
// whose tills come from templates.
import { randomBytes, randomUUID } from 'node:crypto'
import { type DealerStand, openDealer, type Reply } from './dealer.js'

export interface BoxAccess {
  cashBoxId: string
  accessToken: string
}

export interface TwoServers {
  servers: readonly [DealerStand, DealerStand]
  operator: string
  /** A cash box with these queues and one unit; the reply of the first server unless told. */
  template(plan: TemplatePlan, by?: DealerStand): Promise<Reply>
  /** One more server on this database, with these variables beside the others'. */
  third(variables: Record<string, string>): Promise<DealerStand>
  close(): Promise<void>
}

export interface TemplatePlan {
  box: string
  queues: readonly string[]
  unit: string
  move?: boolean
}

export async function openTwoServers(): Promise<TwoServers> {
  const variables = {
    MASTER_KEY: randomBytes(32).toString('base64'),
    RATE_LIMITS: 'dealer=0',
  }
  const one = await openDealer({ variables })
  // its clock stands still: nothing is asked anew by itself
  const moment = new Date()
  const two = await openDealer({ variables, beside: one.database, now: () => moment })
  const operator = await one.operator()
  return {
    servers: [one, two],
    operator,
    third: (more) => openDealer({ variables: { ...variables, ...more }, beside: one.database }),
    template: ({ box, queues, unit, move }, by = one) =>
      by.call(
        `POST /api/posoperators/${operator}/templates?outlet_number=1&cashbox_id=${box}` +
          (move === undefined ? '' : `&move=${move}`),
        { body: templateText({ queues, unit }), as: one.dealer },
      ),
    close: async () => {
      await two.close()
      await one.close()
    },
  }
}

export interface TemplateParts {
  queues: readonly string[]
  unit: string
}

export function templateText({ queues, unit }: TemplateParts): string {
  return JSON.stringify({
    ftCashBoxId: '|[cashbox_id]|',
    ftSignaturCreationDevices: [{ Id: unit, Package: 'fiskalwerk.SCU.AT.Software' }],
    ftQueues: queues.map((id) => ({
      Id: id,
      Package: 'fiskalwerk.Queue',
      Configuration: { init_ftQueueAT: [{ CashBoxIdentification: `K${id.slice(0, 8)}` }] },
    })),
  })
}

export const newId = (): string => randomUUID()

export const START = 0x4154_0000_0000_0003n
export const STOP = 0x4154_0000_0000_0004n
export const ZERO = 0x4154_0000_0000_0002n

export interface Asked extends BoxAccess {
  /** In the path; left out: the cash box's own. */
  queue?: string | undefined
  /** ftQueueID of the body. */
  bodyQueue?: string
  receiptCase?: bigint
}

export function receiptText({ cashBoxId, bodyQueue, receiptCase = ZERO }: Asked): string {
  const queue = bodyQueue === undefined ? '' : `"ftQueueID":"${bodyQueue}",`
  return (
    `{"ftCashBoxID":"${cashBoxId}",${queue}"cbTerminalID":"1","cbReceiptReference":"${newId()}",` +
    `"cbReceiptMoment":"${new Date().toISOString()}","cbChargeItems":[],"cbPayItems":[],` +
    `"ftReceiptCase":${receiptCase}}`
  )
}

export interface Answered {
  status: number
  text: string
  /** Of an answer. */
  queue: string
  box: string
  item: string
  row: number
}

export async function signAt({ app }: DealerStand, asked: Asked): Promise<Answered> {
  const { cashBoxId, accessToken, queue } = asked
  const answer = await app.inject({
    method: 'POST',
    url: `${queue === undefined ? '' : `/${queue}`}/json/v1/sign`,
    headers: {
      ...{ cashboxid: cashBoxId, accesstoken: accessToken },
      'content-type': 'application/json',
    },
    payload: receiptText(asked),
  })
  return answeredOf({ status: answer.statusCode, text: answer.body })
}

/** The members of an answer that say whose the receipt is; empty where there is none. */
export function answeredOf({ status, text }: { status: number; text: string }): Answered {
  const member = (name: string) => new RegExp(`"${name}":"?([^",}]+)`).exec(text)?.[1] ?? ''
  return {
    ...{ status, text },
    ...{ queue: member('ftQueueID'), box: member('ftCashBoxID'), item: member('ftQueueItemID') },
    row: Number(member('ftQueueRow')),
  }
}
