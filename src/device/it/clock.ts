// The clock of Italian devices.
import { LocalTime } from '../../lib/local-time.js'

const rome = new LocalTime('Europe/Rome')

/** `2026-07-02 14:00:00` */
export const romeTime = (moment: Date | number): string =>
  rome.text(new Date(moment)).replace('T', ' ')

const SUMMER_MS = 2 * 3_600_000

export const isSummer = (moment: number): boolean =>
  Date.parse(`${rome.text(new Date(moment))}Z`) - Math.floor(moment / 1000) * 1000 === SUMMER_MS
