// A signing unit as the sign path holds it in memory.

/**
 * One SCU row held in memory. A driver that changes `state` sets `changed`; the row is then a
 * second head of the sign statement (compare-and-set on `version`).
 */
export interface ScuHead {
  accountId: string
  id: string
  /** As whoever rolled it out named it. */
  description?: string
  market: string
  package: string
  /** 0 normal, 1 backup, 99 and above not used; second byte: time-out in seconds. */
  mode: number
  url: string | null
  /** Settings of the driver, parsed by it. */
  configuration: string
  /** Opened secrets of the driver as JSON text; never logged. */
  secrets: string
  state: string
  faultScript: string | null
  version: bigint
  changed: boolean
  /** Action journal entries that a fault script or a driver wants written with the next commit. */
  actions: DeviceAction[]
}

/** Bits of `mode` while units are switched. */
export const SWITCH_BITS = { source: 0x1_0000, target: 0x2_0000 } as const

/** A signing unit as it is stored, without secrets. */
export interface StoredUnit {
  id: string
  package: string
  configuration: string
  state: string
}

/** A signing unit as exports see it. */
export interface ExportUnit extends StoredUnit {
  /** What a device in this server remembers; undefined: it lies elsewhere, and is not asked. */
  memory(): UnitMemory | undefined
}

/** The log messages that a security device in this server holds, by their counters. */
export interface UnitMemory {
  /** Ascending, apart from each other, both ends inclusive. */
  held: readonly (readonly [from: number, to: number])[]
  /** The newest counter that an erasing export has seen. */
  erasedUpTo: number
  /** It was put into operation. */
  isUsed: boolean
  /** The member info.csv of its exports. */
  info: Buffer
  /** DER of its certificate and of the issuers. */
  certificate(): { der: Buffer; chain: Buffer[] }
}

export interface DeviceAction {
  type: string
  message: string
  dataJson: string | null
}
