// gRPC as one more door of the Middleware.
import { type ServiceError, status } from '@grpc/grpc-js'
import type { Door, DoorBox, Told } from './doors.js'
import { type Message, openTill, receiptMessage, type Till } from './grpc-client.js'
import { saleText } from './receipts.js'
import { exactMembers } from './soap.js'

/** A usual sale as a message, with further members. */
export const saleMessage = (more: Message = {}): Message => ({
  ...receiptMessage(exactMembers(saleText())),
  ...more,
})

/** The address is known once the server runs. */
export function grpcDoor(name: string, prefix: '' | 'v1/', address: () => string): Door {
  const at = async <T>(box: DoorBox, work: (till: Till) => Promise<T>): Promise<T> => {
    const till = openTill(address(), {
      cashboxid: box.cashBoxId,
      accesstoken: box.accessToken,
      queueid: box.queueId,
    })
    try {
      return await work(till)
    } finally {
      till.close()
    }
  }
  return {
    name,
    echo: (_url, box, text) =>
      at(box, async (till) =>
        String((await till.call(`${prefix}Echo`, { Message: text })).Message),
      ),
    sign: (_url, box, json) =>
      at(box, (till) =>
        till.call(`${prefix}Sign`, receiptMessage(exactMembers(json))).then(answered, refused),
      ),
    journal: (_url, box, type) =>
      at(box, async (till) => {
        const asked = { ftJournalType: BigInt.asIntN(64, BigInt(type)).toString() }
        return (await till.journal(asked, {}, `${prefix}Journal`)).bytes
      }),
  }
}

function refused(error: ServiceError): Told {
  if (error.code === status.CANCELLED) return { nothing: true }
  const [code] = error.metadata.get('code')
  if (code === undefined) throw error
  return { refused: String(code) }
}

/** Members that are 0 or empty are not on the wire. */
const EMPTY: Message = { ftSignatures: [], ftQueueRow: '0' }
const EMPTY_SIGNATURE: Message = {
  ftSignatureFormat: '0',
  ftSignatureType: '0',
  Caption: '',
  Data: '',
}

function answered(message: Message): Told {
  const { ftReceiptMoment, ftSignatures, ...members } = { ...EMPTY, ...message }
  const signatures = (ftSignatures as Message[]).map((item) => ({ ...EMPTY_SIGNATURE, ...item }))
  const told = { ...members, ftReceiptMoment: isoOf(Object(ftReceiptMoment)) }
  return { answer: { ...lower(told), ftsignatures: signatures.map(lower) } }
}

const lower = (message: Message): Message =>
  Object.fromEntries(Object.entries(message).map(([name, value]) => [name.toLowerCase(), value]))

const UNITS: Record<string, number> = {
  DAYS: 86_400_000,
  HOURS: 3_600_000,
  MINUTES: 60_000,
  SECONDS: 1000,
  MILLISECONDS: 1,
}

function isoOf({ value = '0', scale = 'DAYS' }: { value?: string; scale?: string }): string {
  const text = new Date(Number(value) * (UNITS[scale] ?? Number.NaN)).toISOString()
  // the others write as many digits of a second as there are
  return text.replace(/\.?0+Z$/, 'Z')
}
