// The functions of a simulated Epson device: what each takes, who may call it, what it answers.
import { z } from 'zod'
import { type Fault, Refused } from '../script.js'
import type { Entry } from '../security-unit.js'
import type { EpsonStorage } from './storage.js'

interface Call<T> {
  storage: EpsonStorage
  input: T
  fault: Fault | undefined
}

interface Fn {
  shape: z.ZodType
  run(call: Call<never>): object
}

function fn<T>(shape: z.ZodType<T>, run: (call: Call<T>) => object): Fn {
  return { shape, run: run as Fn['run'] }
}

const text = z.string()
const none = z.strictObject({})
const client = z.strictObject({ clientId: text })
const isoSeconds = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const base64 = z.base64()
const transaction = z.strictObject({
  clientId: text,
  processData: base64,
  processType: z.string().max(100),
  additionalData: text,
})
const numbered = transaction.extend({ transactionNumber: z.int().min(1) })
const PIECE = 64 * 1024

export const FUNCTIONS: Readonly<Record<string, Fn>> = {
  GetStorageInfo: fn(none, ({ storage }) => ({ tseInformation: infoOf(storage) })),
  GetChallenge: fn(z.strictObject({ userId: text }), ({ storage, input }) => ({
    challenge: storage.challenge(input.userId),
  })),
  AuthenticateUserForAdmin: fn(
    z.strictObject({ userId: z.literal('Administrator'), pin: text, hash: text }),
    ({ storage, input }) => {
      storage.checkHash('Administrator', input.hash)
      storage.checkPin('admin', input.pin)
      storage.logIn('Administrator', '')
      return {}
    },
  ),
  AuthenticateUserForTimeAdmin: fn(
    z.strictObject({ clientId: text, pin: text, hash: text }),
    ({ storage, input }) => {
      storage.checkHash(input.clientId, input.hash)
      storage.checkPin('timeAdmin', input.pin)
      storage.logIn('TimeAdmin', input.clientId)
      return {}
    },
  ),
  LogOutForAdmin: fn(none, ({ storage }) => {
    storage.logOut('Administrator', '')
    return {}
  }),
  LogOutForTimeAdmin: fn(client, ({ storage, input }) => {
    storage.logOut('TimeAdmin', input.clientId)
    return {}
  }),
  SetUp: fn(
    z.strictObject({
      puk: z.string().length(6),
      adminPin: z.string().length(5),
      timeAdminPin: z.string().length(5),
    }),
    ({ storage, input }) => {
      if (storage.state !== 'UNINITIALIZED') throw new Refused('TSE1_ERROR_TSE_INVALID_PARAMETER')
      storage.setUp({ admin: input.adminPin, timeAdmin: input.timeAdminPin, puk: input.puk })
      return {}
    },
  ),
  RunTSESelfTest: fn(none, ({ storage }) => {
    storage.selfTest()
    return {}
  }),
  UpdateTime: fn(
    z.strictObject({ userId: text, newDateTime: isoSeconds, useTimeSync: z.boolean() }),
    ({ storage, input }) => {
      const { userId } = input
      const isAllowed =
        userId === 'Administrator'
          ? storage.isIn('Administrator')
          : userId !== '' && storage.isIn('TimeAdmin', userId)
      if (!isAllowed) throw new Refused('OTHER_ERROR_UNAUTHENTICATED_USER')
      if (!storage.isTested) throw new Refused('TSE1_ERROR_WRONG_STATE_NEEDS_SELF_TEST')
      if (storage.unit.isExpired) throw new Refused('TSE1_ERROR_CERTIFICATE_EXPIRED')
      storage.unit.updateTime(Math.floor(Date.parse(input.newDateTime) / 1000))
      storage.hasTime = true
      return {}
    },
  ),
  RegisterClient: fn(client, ({ storage, input }) => {
    storage.demandAdmin()
    storage.register(input.clientId)
    return {}
  }),
  DeregisterClient: fn(client, ({ storage, input }) => {
    storage.demandAdmin()
    storage.deregister(input.clientId)
    return {}
  }),
  GetRegisteredClientList: fn(none, ({ storage }) => {
    storage.demandAdmin()
    return { registeredClientIdList: [...storage.unit.clients] }
  }),
  DisableSecureElement: fn(none, ({ storage }) => {
    storage.demandAdmin()
    if (storage.unit.open.length > 0) {
      throw new Refused('TSE1_ERROR_TSE_HAS_UNFINISHED_TRANSACTIONS')
    }
    storage.unit.disable()
    storage.state = 'DECOMMISSIONED'
    return {}
  }),
  StartTransaction: fn(transaction, ({ storage, input, fault }) => {
    storage.demandReady(input.clientId)
    if (storage.unit.open.length >= storage.mostOpen) {
      throw new Refused('TSE1_ERROR_MAX_PARALLEL_TRANSACTIONS')
    }
    const entry = storage.unit.start(stepOf(input))
    storage.last.set(input.clientId, entry)
    const { lastNumber } = storage.unit
    const serialNumber = storage.unit.key.serial.toString('base64')
    return { transactionNumber: lastNumber, serialNumber, ...told(entry, fault) }
  }),
  UpdateTransaction: fn(numbered, (call) => goOn('Update', call)),
  FinishTransaction: fn(numbered, (call) => goOn('Finish', call)),
  GetStartedTransactionList: fn(client, ({ storage, input }) => {
    const open = [...storage.unit.transactions.values()].filter(
      (one) => one.isOpen && (input.clientId === '' || one.client === input.clientId),
    )
    return { startedTransactionNumberList: open.map(({ number }) => number) }
  }),
  GetLastTransactionResponse: fn(client, ({ storage, input, fault }) => {
    const entry = storage.last.get(input.clientId)
    if (entry === undefined) throw new Refused('TSE1_ERROR_NO_LAST_TRANSACTION')
    const serialNumber = storage.unit.key.serial.toString('base64')
    return { transactionNumber: entry.transaction, serialNumber, ...told(entry, fault) }
  }),
  GetLogMessageCertificate: fn(none, ({ storage }) => {
    const pem = storage.unit.key.certificates.map(pemOf).join('')
    return { logMessageCertificate: Buffer.from(pem).toString('base64') }
  }),
  ArchiveExport: fn(none, ({ storage }) => {
    storage.demandAdmin()
    if (!storage.hasTime) throw new Refused('TSE1_ERROR_NO_TIME_SET_BEFORE_EXPORT')
    if (storage.exporting !== undefined) throw new Refused('TSE1_ERROR_CURRENTLY_EXPORTING')
    const { unit } = storage
    const tarExportSize = unit.tarBytes
    const pieces = unit.tar([...unit.entries])
    storage.exporting = { pieces, rest: Buffer.alloc(0), isOver: false, to: unit.counter }
    return { tarExportSize }
  }),
  GetExportData: fn(none, ({ storage }) => {
    const { exporting } = storage
    if (exporting === undefined) throw new Refused('TSE1_ERROR_NO_EXPORT_STARTED')
    const piece = nextPiece(exporting)
    return {
      exportData: piece.toString('base64'),
      exportStatus: exporting.isOver ? 'EXPORT_COMPLETE' : 'EXPORT_INCOMPLETE',
    }
  }),
  FinalizeExport: fn(z.strictObject({ deleteData: z.boolean() }), ({ storage, input }) => {
    storage.demandAdmin()
    const { exporting } = storage
    if (exporting === undefined) throw new Refused('TSE1_ERROR_NO_EXPORT_STARTED')
    if (!exporting.isOver) throw new Refused('TSE1_ERROR_ALL_DATA_NOT_EXPORTED_YET')
    storage.exporting = undefined
    if (input.deleteData) storage.unit.erase()
    return {}
  }),
  CancelExport: fn(none, ({ storage }) => {
    storage.demandAdmin()
    if (storage.exporting === undefined) throw new Refused('TSE1_ERROR_NO_EXPORT_STARTED')
    storage.exporting = undefined
    return {}
  }),
}

function nextPiece(exporting: NonNullable<EpsonStorage['exporting']>): Buffer {
  const parts = [exporting.rest]
  for (let length = exporting.rest.length; length <= PIECE; ) {
    const next = exporting.pieces.next()
    if (next.done === true) {
      exporting.isOver = true
      break
    }
    parts.push(next.value)
    length += next.value.length
  }
  const all = Buffer.concat(parts)
  exporting.rest = all.subarray(PIECE)
  exporting.isOver &&= exporting.rest.length === 0
  return all.subarray(0, PIECE)
}

function goOn(kind: 'Update' | 'Finish', call: Call<z.infer<typeof numbered>>): object {
  const { storage, input, fault } = call
  storage.demandReady(input.clientId)
  const found = storage.unit.transactions.get(input.transactionNumber)
  if (found?.isOpen !== true || found.client !== input.clientId) {
    throw new Refused('TSE1_ERROR_TRANSACTION_NOT_STARTED')
  }
  const entry = storage.unit.go(kind, input.transactionNumber, stepOf(input))
  storage.last.set(input.clientId, entry)
  return told(entry, fault)
}

function stepOf({ clientId, processData, processType }: z.infer<typeof transaction>) {
  return { client: clientId, processType, processData: Buffer.from(processData, 'base64') }
}

function told(entry: Entry, fault: Fault | undefined): object {
  const signature = Buffer.from(entry.signature)
  if (fault?.do === 'foreign-signature') signature.reverse()
  return {
    logTime: new Date(entry.time * 1000).toISOString().replace('.000', ''),
    signatureCounter: entry.counter + (fault?.do === 'wrong-counter' ? 1 : 0),
    signature: signature.toString('base64'),
  }
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const MOST_SIGNATURES = 20_000_000

function infoOf(storage: EpsonStorage): object {
  const { unit } = storage
  return {
    ...{ tseCapacity: storage.capacity, tseCurrentSize: Math.ceil(unit.size / 512) },
    tseInitializationState: storage.state,
    hasValidTime: storage.hasTime,
    hasPassedSelfTest: storage.isTested,
    isTransactionInProgress: unit.open.length > 0,
    isTSEUnlocked: true,
    timeUntilNextSelfTest: storage.isTested ? 90_000 : 0,
    startedTransactions: unit.open.length,
    maxStartedTransactions: storage.mostOpen,
    createdSignatures: unit.counter,
    remainingSignatures: MOST_SIGNATURES - unit.counter,
    maxSignatures: MOST_SIGNATURES,
    registeredClients: unit.clients.size,
    maxRegisteredClients: 100,
    certificateExpirationDate: unit.key.until.toISOString().replace(/\.\d+/, ''),
    serialNumber: unit.key.serial.toString('base64'),
    tsePublicKey: unit.key.point.toString('base64'),
    signatureAlgorithm: unit.algorithm,
    tseDescription: 'BSI-K-TR-0373-2019',
    softwareVersion: 65_793,
  }
}
