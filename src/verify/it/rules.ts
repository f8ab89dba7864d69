// The rules of Italian journals. Sources: D.Lgs. 127/2015, art. 2; provision 182017/2016 with its
// technical specification (documents, Z reports, returns and voids). They stand in
// src/words/findings/it.json.
import type { Report as ReportOf } from '../reporter.js'
import { ruleBook } from '../rule-book.js'

export const { rules, contentCodes, notices, fileKind } = ruleBook('it')

export type Report = ReportOf<keyof typeof rules>
