// What is wrong with a file: every problem by its line, counted also beyond those that are told.
import { type FiscalError, fail } from '../../../../errors.js'
import type { Language } from '../../../../lib/language.js'
import { sentenceOf } from '../../../../notify/message.js'

export type ProblemKey =
  | 'Csv_UnknownHeader'
  | 'Csv_DuplicateHeader'
  | 'Csv_MissingHeader'
  | 'Csv_WrongColumnCount'
  | 'Csv_FieldRequired'
  | 'Csv_FieldTooLong'
  | 'Csv_InvalidEMail'
  | 'Csv_InvalidCountry'
  | 'Csv_InvalidIdentifier'
  | 'Csv_InvalidAccessRights'
  | 'Csv_EMailAlreadyInvited'
  | 'Csv_EMailTwiceInFile'

/** As the answer has it. */
export interface Problem {
  line: number
  csvHeader: string | null
  error: ProblemKey
  errorArgs: string[]
}

const MOST_TOLD = 10_000
const MOST_LINES = 1_000

export class Problems {
  readonly told: Problem[] = []
  count = 0

  add(...found: readonly Problem[]): void {
    for (const problem of found) {
      this.count += 1
      if (this.told.length < MOST_TOLD) this.told.push(problem)
    }
  }

  /** For the portal format: the list as member. */
  asList(language: Language): FiscalError {
    const refusal = fail('CSV_INVALID', { count: this.count })
    refusal.message = sentenceOf('csvRefused', language, { count: this.count })
    refusal.members = { validationErrors: this.byLine() }
    return refusal
  }

  private byLine(): Problem[] {
    return this.told.toSorted((a, b) => a.line - b.line)
  }

  /** For the plain format: one line of text each. */
  asText(language: Language): string {
    const lines = this.byLine()
      .slice(0, MOST_LINES)
      .map((one) => problemText(one, language))
    const more = this.count - lines.length
    if (more > 0) lines.push(sentenceOf('csvMore', language, { count: more }))
    return lines.join('\n')
  }
}

/** `Line 3: …` */
export function problemText({ line, error, errorArgs }: Problem, language: Language): string {
  const [first = '', b = ''] = errorArgs
  const isName = error === 'Csv_FieldRequired' || error === 'Csv_FieldTooLong'
  const a = isName && language === 'en' ? inWords(first) : first
  return sentenceOf('csvLine', language, {
    line,
    text: sentenceOf(error, language, { a, b }),
  })
}

/** `ContactEmail` → contact e-mail */
function inWords(header: string): string {
  return header
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .toLowerCase()
    .replace('email', 'e-mail')
}
