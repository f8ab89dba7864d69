// How French tables write moments.

const two = (value: number): string => value.toString().padStart(2, '0')

/** `MM/dd/yyyy HH:mm:ss` in UTC, as other programs of the field read it. */
export function tableMoment(date: Date): string {
  const day = `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${date.getUTCFullYear()}`
  return `${day} ${date.toISOString().slice(11, 19)}`
}
