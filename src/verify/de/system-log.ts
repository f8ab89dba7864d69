// System operations of a TSE: clients come and go, the device ends (TR-03151 2.2, Appendix).
import { ascii, DerFault, DerReader, integer } from '../der.js'
import type { Reporter } from '../reporter.js'
import { quote } from '../text.js'
import type { SystemLog } from './log-message.js'
import type { TarCode } from './tar-rules.js'

/** Of the guideline, or seen in exports of certified devices; in lower case. */
const KNOWN: ReadonlySet<string> = new Set(
  [
    'initialize',
    'updateTime',
    'registerClient',
    'deregisterClient',
    'disableSecureElement',
    'deleteStoredData',
    'authenticateUser',
    'logOut',
    'unblockUser',
    'selfTest',
    'startAudit',
    'enterSecureState',
    'exitSecureState',
    'configureLogging',
    'updateDevice',
    'updateDeviceCompleted',
    'lockTransactionLogging',
    'unlockTransactionLogging',
    'authenticateSmaersAdmin',
  ].map((name) => name.toLowerCase()),
)

export class SystemJudge {
  private readonly reporter: Reporter<TarCode>
  /** Client id → registered now. */
  private readonly clients = new Map<string, boolean>()
  private isDisabled = false

  constructor(reporter: Reporter<TarCode>) {
    this.reporter = reporter
  }

  push(place: string, log: SystemLog): void {
    const operation = log.operation.toLowerCase()
    if (!KNOWN.has(operation)) {
      const text = `expected an operation of the guideline, found ${quote(log.operation)}`
      this.reporter.add('SYSTEM_OPERATION', place, text)
      return
    }
    try {
      this.apply(operation, log.data)
    } catch (error) {
      if (!(error instanceof DerFault)) throw error
      this.reporter.add('SYSTEM_DATA', place, `expected ${error.message} in ${log.operation}`)
    }
  }

  /** Undefined: nothing is known about this client. */
  isRegistered(clientId: string): boolean | undefined {
    return this.clients.get(clientId)
  }

  transaction(place: string): void {
    if (!this.isDisabled) return
    const text = 'expected no transaction after disableSecureElement, found this one'
    this.reporter.add('AFTER_DISABLE', place, text)
  }

  private apply(operation: string, data: Buffer): void {
    const reader = new DerReader(data)
    if (operation === 'registerclient') this.clients.set(clientOf(reader), true)
    if (operation === 'deregisterclient') this.clients.set(clientOf(reader), false)
    if (operation === 'updatetime') {
      integer(reader.read(0x81, 'the time before'), 'the time before')
      integer(reader.read(0x82, 'the time after'), 'the time after')
      reader.end('its data')
    }
    if (operation === 'disablesecureelement') this.isDisabled = true
  }
}

function clientOf(reader: DerReader): string {
  const clientId = ascii(reader.read(0x81, 'clientId'), 'clientId')
  reader.end('its data')
  return clientId
}
