// What the verifiers of a country have in common: its rules as `src/words/findings` tells them, and
// the frame in which a kind of file is judged by them.
import { type CodeOf, type Country, findingWords } from '../words/findings.js'
import type { FileVerifier, ReadPart, VerifyOptions } from './contract.js'
import { type FaultCode, FileFault } from './faults.js'
import { type Report, Reporter } from './reporter.js'

interface Judging<Code extends string, T> {
  options: VerifyOptions
  report: Report<Code>
  /** What is returned: filled while the file is read. */
  counted: T
}

interface Kind<Code extends string, T> {
  name: string
  /** What it begins with, or how else it is known. */
  recognises: RegExp | FileVerifier['recognises']
  /** What is counted, before the first byte. */
  counted: Readonly<T>
  /** Throws FileFault where the file cannot be read any further: it is told, and ends the file. */
  judge(read: ReadPart, judging: Judging<Code, T>): Promise<void>
}

/** The rules of a country, and what makes a verifier of a kind of its files. */
export function ruleBook<C extends Country>(country: C) {
  const { rules, contentCodes, notices, wording } = findingWords(country)
  /** Findings go to the sink while it reads: a fault in every receipt fills no memory. */
  const fileKind = <T extends object>(kind: Kind<CodeOf<C>, T>): FileVerifier => ({
    ...{ name: kind.name, contentCodes, wording, takes: new Set<never>() },
    recognises: (file) =>
      kind.recognises instanceof RegExp
        ? kind.recognises.test(file.head.toString('utf8'))
        : kind.recognises(file),
    async verify(read, options, sink) {
      const reporter = new Reporter<CodeOf<C> | FaultCode>((one) => sink.add(one), notices)
      const report: Report<CodeOf<C>> = (...told) => reporter.add(...told)
      const counted = { ...kind.counted }
      try {
        await kind.judge(read, { options, report, counted })
      } catch (error) {
        if (!(error instanceof FileFault)) throw error
        reporter.add(error.code, '', error.told)
      } finally {
        reporter.flush()
      }
      return counted
    },
  })
  return { rules, contentCodes, notices, wording, fileKind }
}
