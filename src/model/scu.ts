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

/** A signing unit as exports see it, without secrets. */
export interface ExportUnit {
  id: string
  package: string
  configuration: string
  state: string
}

export interface DeviceAction {
  type: string
  message: string
  dataJson: string | null
}
