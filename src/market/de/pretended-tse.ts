// A TSE that says yes to everything and signs nothing.

import {
  type FinishSignature,
  type MemoryExport,
  type TransactionCall,
  TSE_STATES,
  type Tse,
  type TseIdentity,
  type TseInfo,
  type TseSignature,
} from '../../device/tse/tse.js'
import type { DeState } from './state.js'

const NOBODY: TseIdentity = {
  serialHex: '',
  algorithm: '',
  logTimeFormat: '',
  publicKey: Buffer.alloc(0),
  certificationId: '',
  certificate: { fingerprint: Buffer.alloc(0), der: Buffer.alloc(0), chain: [] },
}

const NO_EXPORT: MemoryExport = { from: 0, to: 0, without: [], erased: false }

/** Knows the transactions that the queue knows, and those that the receipt names. */
export class PretendedTse implements Tse {
  private readonly moment: Date
  private open: number[]
  private state: TseInfo['state'] = TSE_STATES.initialized

  constructor({ openTransactions, leftOpen }: DeState, moment: Date, named: readonly number[]) {
    this.moment = moment
    const own = openTransactions.map(({ number }) => number)
    this.open = [...new Set([...own, ...leftOpen, ...named])]
  }

  identity(): TseIdentity {
    return NOBODY
  }

  async info(): Promise<TseInfo> {
    return {
      identity: NOBODY,
      state: this.state,
      firmwareId: '',
      maxClients: 1,
      clientIds: ['any'],
      maxOpenTransactions: this.open.length,
      openTransactions: [...this.open].sort((a, b) => a - b),
      maxSignatures: 0,
      signatures: 0,
      maxLogMemory: 0,
      logMemory: 0,
    }
  }

  async startTransaction(): Promise<TseSignature> {
    const transactionNumber = Math.max(0, ...this.open) + 1
    this.open.push(transactionNumber)
    return this.signatureOf(transactionNumber)
  }

  async updateTransaction(
    call: TransactionCall & { transactionNumber: number },
  ): Promise<TseSignature> {
    return this.signatureOf(call.transactionNumber)
  }

  async finishTransaction(
    call: TransactionCall & { transactionNumber: number },
  ): Promise<FinishSignature> {
    this.open = this.open.filter((number) => number !== call.transactionNumber)
    return { ...this.signatureOf(call.transactionNumber), startMoment: this.moment }
  }

  async setState(state: TseInfo['state']): Promise<TseInfo['state']> {
    this.state = state
    return state
  }

  async registerClient(clientId: string): Promise<string[]> {
    return [clientId]
  }

  async unregisterClient(): Promise<string[]> {
    return []
  }

  async setTime(): Promise<void> {
    return undefined
  }

  async selfTest(): Promise<void> {
    return undefined
  }

  async exportMemory(): Promise<MemoryExport> {
    return NO_EXPORT
  }

  takeLogs(): [] {
    return []
  }

  private signatureOf(transactionNumber: number): TseSignature {
    const { moment } = this
    return { transactionNumber, moment, signatureCounter: 0, signature: Buffer.alloc(0) }
  }
}
