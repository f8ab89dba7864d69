// The rules of SAF-T (PT). Sources: Portaria 302/2016 (structure), Portaria 363/2010 and Despacho
// 8632/2014 (signatures, numbers), Portaria 195/2020 (ATCUD). They stand in
// src/words/findings/pt.json.
import type { Report as ReportOf } from '../reporter.js'
import { ruleBook } from '../rule-book.js'

export const { rules, contentCodes, notices, fileKind } = ruleBook('pt')

/** `place`: number of the document, '' for the file as a whole. */
export type Report = ReportOf<keyof typeof rules>
