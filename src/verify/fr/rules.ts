// The rules of French journals and archives: CGI 286-I-3° bis, BOI-TVA-DECLA-30-10-30 §§ 80 to 260;
// the form of documents is that of version 0. They stand in src/words/findings/fr.json.
import type { Report as ReportOf } from '../reporter.js'
import { ruleBook } from '../rule-book.js'

export const { rules, contentCodes, notices, wording, fileKind } = ruleBook('fr')

export type Report = ReportOf<keyof typeof rules>
