// Whether two colours can be read on each other (WCAG 2.2, relative luminance and contrast ratio).

/** Of text in usual size, level AA. */
export const LEAST_CONTRAST = 4.5

/** Of what is no text: the edge of a button (WCAG 2.2, 1.4.11). */
export const SEEN_CONTRAST = 3

export const COLOUR = /^#[0-9a-f]{6}$/i

/** 1 to 21; both as `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf(colour: string): number {
  const part = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}
