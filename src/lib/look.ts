// The colours of everything that people see: portal, receipts, start page, mails, documents.
// Light and dark; what stands on each other differs by 4.5:1 at least.
export const LOOK = {
  ink: ['#1c2321', '#e8eeeb'],
  soft: ['#55605d', '#a3b0ab'],
  line: ['#d8dfdc', '#33403b'],
  paper: ['#fbfcfb', '#141a18'],
  raised: ['#ffffff', '#1b2320'],
  ground: ['#eaefed', '#0c1110'],
  accent: ['#0b6b53', '#58c9a4'],
  'on-accent': ['#ffffff', '#0c1512'],
  amber: ['#fff1cc', '#3d3214'],
  'on-amber': ['#5c4300', '#ffdf8a'],
  red: ['#a3261c', '#ff9d92'],
  'red-paper': ['#fdecea', '#3a1d1a'],
  yellow: ['#7a5900', '#f0c95c'],
  focus: ['#0b6b53', '#8fe3c7'],
} as const

export type Colour = keyof typeof LOOK

export const light = (name: Colour): string => LOOK[name][0]
export const dark = (name: Colour): string => LOOK[name][1]

/** Custom properties of a page, for light screens and dark ones. */
export function lookOf(names: readonly Colour[]): string {
  const of = (at: 0 | 1) => names.map((name) => `--${name}:${LOOK[name][at]}`).join(';')
  return (
    `:root{color-scheme:light dark;${of(0)}}\n` +
    `@media (prefers-color-scheme:dark){:root{${of(1)}}}`
  )
}
