// Texts that must not stand in the repository, as a table: where, what, why.
import { type Finding, isVector, type Tree } from './tree.js'

interface WordRule {
  files: RegExp
  words: RegExp
  text: string
}

const CODE = /\.(ts|tsx|mts|mjs|js)$/
const TESTS = /^(test|bench)\/.*\.tsx?$/
const DOCS = /\.md$/
const PROSE = /(^|\/)(README\.md|[^/]+\.(md|sh|ya?ml|sql|prisma))$|^\.env\.example$/
const ALL = /./
const OURS = /^(src|docs|scripts|bin|bench|prisma|\.ci)\/|^[^/]+\.(md|ts|json|ya?ml)$/

const RULES: WordRule[] = [
  { files: CODE, words: /\b(TODO|FIXME|XXX)\b/, text: 'unfinished work' },
  { files: PROSE, words: /\b(TODO|FIXME|XXX)\b/, text: 'unfinished work' },
  { files: CODE, words: /not (yet )?implemented/i, text: 'a stub' },
  { files: PROSE, words: /not (yet )?implemented/i, text: 'a stub' },
  {
    files: TESTS,
    words: /\b(it|test|describe|suite|bench)(\.\w+)*\.(skip|only|todo)\b/,
    text: 'a test that does not run',
  },
  { files: CODE, words: /@ts-(ignore|nocheck)/, text: 'a switched-off type check' },
  { files: /^src\//, words: /@ts-expect-error/, text: 'a switched-off type check' },
  {
    files: OURS,
    words: /(^|[\s"'`(=:,[])\/(work|root|tmp|home|Users)\//,
    text: 'a path of one machine',
  },
  { files: ALL, words: /\bshared\/(reference|spec|samples)\b/, text: 'a path of one machine' },
  { files: DOCS, words: /\.\.\/shared\b/, text: 'a path of one machine' },
  { files: ALL, words: /(^|\W)\.library\b/, text: 'a path of one machine' },
  {
    files: ALL,
    words: /\bregistry\.(npmjs|yarnpkg|npmmirror)\b/,
    text: 'the address of a registry',
  },
  { files: ALL, words: /\b(npm\.pkg\.github|artifactory)\b/, text: 'the address of a registry' },
  {
    files: /^package-lock\.json$/,
    words: /^\s*"resolved": "http/,
    text: 'a resolved address in the lock file',
  },
]

/** The files that spell the forbidden words in order to forbid them. */
const SPELLED_HERE = /^test\/(tidy-checks\.test\.ts|support\/tidy\/)/

export function checkWords(tree: Tree): Finding[] {
  const paths = tree.paths().filter((path) => !isVector(path) && !SPELLED_HERE.test(path))
  return paths.flatMap((path) => {
    const rules = RULES.filter(({ files }) => files.test(path))
    return tree
      .lines(path)
      .flatMap((line, index) =>
        rules
          .filter(({ words }) => words.test(line))
          .map(({ text }) => ({ file: path, line: index + 1, text })),
      )
  })
}
