// The clock of Italian devices.

const rome = new Intl.DateTimeFormat('sv-SE', {
  ...({ timeZone: 'Europe/Rome', hourCycle: 'h23', year: 'numeric' } as const),
  ...({ month: '2-digit', day: '2-digit', hour: '2-digit' } as const),
  ...({ minute: '2-digit', second: '2-digit' } as const),
})

/** `2026-07-02 14:00:00` */
export const romeTime = (moment: Date | number): string => rome.format(moment)

const SUMMER_MS = 2 * 3_600_000

export const isSummer = (moment: number): boolean =>
  Date.parse(`${romeTime(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000 ===
  SUMMER_MS
