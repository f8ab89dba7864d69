// Austria (RKSV) as one entry of the market table.
// Imported by market/index.ts only.
import { isoText } from '../../lib/ticks.js'
import type { Market, QueueView, StoredMarketRow } from '../market.js'
import { identification, type QueueConfiguration, queueConfiguration } from './configuration.js'
import { demo } from './demo.js'
import type { RksvDevice } from './device/device.js'
import { remoteDriver } from './device/remote.js'
import { EMULATOR_PACKAGE, emulator } from './device/soft.js'
import { dep7 } from './export/dep7.js'
import { dep131Json } from './export/dep131.js'
import { dep131Csv } from './export/dep131-csv.js'
import { process } from './process.js'
import { admit } from './reading.js'
import { type AtState, atState, initialState } from './state.js'
import { keyCheckValue, openKey } from './turnover.js'
import { isReceiptRequest, withoutReceiptRequest } from './words.js'

/** ftSignaturCreationUnitId of a receipt that no device signed. */
const NO_SCU = '00000000-0000-0000-0000-000000000000'

function momentText(unixMilliseconds: number | null): string | null {
  return unixMilliseconds === null ? null : isoText(new Date(unixMilliseconds))
}

/** The QueueAT record; in place of the key its check value. */
function describeQueue(
  queue: QueueView & { timeStamp: bigint },
  state: AtState,
  secrets: string,
): Record<string, unknown> {
  const configuration = queue.configuration as QueueConfiguration
  const key = openKey(secrets)
  return {
    ftQueueATId: queue.id,
    CashBoxIdentification: queue.identification,
    EncryptionKeyCheckValue: key.kind === 'key' ? keyCheckValue(key.base64) : null,
    SignAll: configuration.SignAll,
    ClosedSystemKind: configuration.ClosedSystemKind ?? null,
    ClosedSystemValue: configuration.ClosedSystemValue ?? null,
    ClosedSystemNote: configuration.ClosedSystemNote ?? null,
    LastSettlementMonth: state.lastSettlementMonth,
    LastSettlementMoment: momentText(state.lastSettlementMoment),
    LastSettlementQueueItemId: state.lastSettlementQueueItemId,
    SSCDFailCount: state.sscdFailCount,
    SSCDFailMoment: momentText(state.sscdFailMoment),
    SSCDFailQueueItemId: state.sscdFailQueueItemId,
    SSCDFailMessageSent: momentText(state.sscdFailMessageSent),
    UsedFailedCount: state.usedFailedCount,
    UsedFailedMomentMin: momentText(state.usedFailedMomentMin),
    UsedFailedMomentMax: momentText(state.usedFailedMomentMax),
    UsedFailedQueueItemId: state.usedFailedQueueItemId,
    UsedMobileCount: state.usedMobileCount,
    UsedMobileMoment: momentText(state.usedMobileMoment),
    UsedMobileQueueItemId: state.usedMobileQueueItemId,
    MessageCount: state.messageCount,
    MessageMoment: momentText(state.messageMoment),
    LastSignatureHash: state.lastSignatureHash,
    LastSignatureZDA: state.lastSignatureZda,
    LastSignatureCertificateSerialNumber: state.lastSignatureCertificateSerialNumber,
    ftCashNumerator: state.cashNumerator,
    ftCashTotalizer: state.cashTotalizer,
    TimeStamp: queue.timeStamp,
  }
}

function describeMarketRow(row: StoredMarketRow, queueId: string): Record<string, unknown> {
  const [header, payload, signature] = row.content.split('.')
  return {
    ftJournalATId: row.id,
    ftSignaturCreationUnitId: row.scuId ?? NO_SCU,
    Number: row.number,
    JWSHeaderBase64url: header,
    JWSPayloadBase64url: payload,
    JWSSignatureBase64url: signature,
    ftQueueId: queueId,
    TimeStamp: row.timeStamp,
  }
}

export const austria: Market<AtState, RksvDevice> = {
  facts: {
    code: 'AT',
    zone: 'Europe/Vienna',
    currency: 'EUR',
    legalName: 'Registrierkassensicherheitsverordnung (RKSV)',
    capabilities: { tse: false, masterData: false, queueDates: false },
  },
  configuration: queueConfiguration,
  identification,
  demo,
  state: atState,
  initialState,
  admit,
  isReceiptRequest,
  withoutReceiptRequest,
  process,
  statusTypes: ['0x4154200000001001'],
  exports: {
    '0x4154000000000001': dep7,
    '0x4154200000001002': dep7,
    '0x4154000000000131': dep131Json,
    '0x4154000000000132': dep131Csv,
  },
  statusTypes: ['0x4154200000001001'],
  describeQueue,
  describeMarketRow,
  listNames: { queue: 'QueueATList', scu: 'SignaturCreationUnitATList' },
  drivers: { [EMULATOR_PACKAGE]: emulator, 'fiskalwerk.RKSV.Remote': remoteDriver },
}
