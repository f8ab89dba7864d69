// What a Spanish queue stores beside its receipts: records as they were made, what became of them,
// and events. Kinds of one letter are chains, numbered from 1 on.

import type { EsKind } from '../../device/es/unit.js'
import type { LastRecord } from './queue.js'

/** Records in the order in which they were made. */
export const RECORDS = 'R'
export interface StoredRecord extends LastRecord {
  kind: EsKind
  /**
   * Correccion: of a file of TicketBAI; VeriFactu says it with an Alta. Repeticion: of one that a
   * book of Bizkaia does not have, because it was refused.
   */
  operation: 'Alta' | 'Anulacion' | 'Correccion' | 'Repeticion'
  /** Of who issues it. */
  name: string
  /** Exactly these bytes are sent, however often. */
  xml: string
  /** Late through no fault of the register. */
  late: boolean
  /** IAE code, for the books of persons in Bizkaia; '' elsewhere. */
  epigraph: string
}

/** What the authority said of the record with the same number. */
export const OUTCOMES = 'T'
export interface StoredOutcome {
  kind: EsKind
  state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'
  code: string
  text: string
  csv: string
  /** It was sent as one that is late through no fault of the register. */
  isIncident: boolean
  /** What came back, without other records of the same request. */
  response: string
}

/** Log of events (NO VERI*FACTU). */
export const EVENTS = 'E'
export interface StoredEvent {
  type: string
  moment: string
  huella: string
  xml: string
}
