// A sheet for people: headed parts with names and values, tables, codes and notes. What it says is
// made elsewhere; here is how it may be built.

export interface Sheet {
  /** As in HTML and PDF: de, en, fr. */
  language: string
  title: string
  subtitle: string
  parts: readonly SheetPart[]
  /** At the end of each page. */
  footer: string
  /** Written as that of creation: the same sheet gives the same bytes. */
  moment: Date
}

export type SheetPart = FieldsPart | TablePart | CodePart | NotesPart

export interface FieldsPart {
  kind: 'fields'
  heading: string
  fields: readonly SheetField[]
}

export interface SheetField {
  label: string
  value: string
  /** To be typed in letter by letter: no letter looks like another one. */
  isExact?: boolean
}

export interface TablePart {
  kind: 'table'
  heading: string
  columns: readonly { name: string; share: number }[]
  rows: readonly (readonly string[])[]
}

export interface CodePart {
  kind: 'code'
  heading: string
  /** What a scanner reads. */
  data: string
  label: string
}

export interface NotesPart {
  kind: 'notes'
  heading: string
  lines: readonly string[]
}
