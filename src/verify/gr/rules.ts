// The rules of Greek books. Source: myDATA API 2.0.1 (documents, UID, list of errors). They stand
// in src/words/findings/gr.json; notices are what happens to honest books, too: an authority out of
// reach, a number consumed there.
import type { Report as ReportOf } from '../reporter.js'
import { ruleBook } from '../rule-book.js'

export const { rules, contentCodes, notices, fileKind } = ruleBook('gr')

export type Report = ReportOf<keyof typeof rules>
