// The forms of the tables in this folder.
import type { ErrorCode } from '../../errors.js'
import type { Language } from '../../lib/language.js'

/** English stands in src/errors.ts; `{name}` is replaced by the detail of that name. */
export type Translations = Readonly<
  Partial<Record<ErrorCode, Readonly<Record<Exclude<Language, 'en'>, string>>>>
>

export type Sentence = Readonly<Record<Language, string>>
