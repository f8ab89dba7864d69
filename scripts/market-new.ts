// `npm run market:new -- nl`: the folders of a country that signs, exports and verifies, to be
// filled with its law. docs/new-market.md goes on from there.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const TEMPLATES = join(ROOT, 'scripts/market')

const [letters = '', name = letters.toUpperCase(), zone = 'UTC'] = process.argv.slice(2)
if (!/^[a-z]{2}$/.test(letters)) fail('usage: npm run market:new -- <two letters> [name] [zone]')
const code = letters.toUpperCase()
const market = join(ROOT, 'src/market', letters)
const verifier = join(ROOT, 'src/verify', letters)
const findings = join(ROOT, 'src/words/findings', `${letters}.json`)
for (const folder of [market, verifier]) if (existsSync(folder)) fail(`${folder} is there already`)

const WORDS: Record<string, string> = {
  '@XX@': code,
  '@xx@': letters,
  '@Name@': name,
  '@zone@': zone,
  '@constant@': constantOf(name),
  '@hex@': Buffer.from(code).toString('hex'),
  '@HEX@': Buffer.from(code).toString('hex').toUpperCase(),
}

fill(join(TEMPLATES, 'market'), market)
fill(join(TEMPLATES, 'verify'), verifier)
writeFileSync(findings, filled(join(TEMPLATES, 'words/findings.json.txt')))
insert('src/market/index.ts', [
  [
    "import type { MarketFacts } from './facts.js'",
    `import { ${WORDS['@constant@']} } from './${letters}/index.js'\n` +
      `import { SOFTWARE_PACKAGE as ${code}_SOFTWARE } from './${letters}/rollout.js'\n`,
  ],
  [
    '} satisfies Record<string, Market>',
    `  ${code}: simulated(${WORDS['@constant@']}, ${code}_SOFTWARE, jws),\n`,
  ],
])
insert('src/verify/index.ts', [
  [
    "import type { FileVerifier, UnknownFile } from './contract.js'",
    `import { journalFile as ${letters}Journal } from './${letters}/journal.js'\n`,
  ],
  [']\n\n/** The verifier that knows', `  ${letters}Journal,\n`],
])
insert('src/words/findings.ts', [
  ['\n\ninterface Files {', `\nimport type ${letters}Rules from './findings/${letters}.json'`],
  ['}\n\nexport type Country', `  ${letters}: typeof ${letters}Rules\n`],
])
console.log(`src/market/${letters} and src/verify/${letters} are there, and in all tables; its rules
stand in src/words/findings/${letters}.json.
Next: npx biome check --write src; npx vitest run test/market/contract.test.ts -t ${code}
Then read docs/new-market.md, and replace what is made up by the law.`)

function constantOf(text: string): string {
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  return word.length > 2 ? word : `market${code}`
}

function fill(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const file of readdirSync(from)) {
    writeFileSync(join(to, file.replace(/\.txt$/, '')), filled(join(from, file)))
  }
}

function filled(template: string): string {
  return readFileSync(template, 'utf8').replace(/@\w+@/g, (word) => WORDS[word] ?? word)
}

/** Each text before the first place of its mark. */
function insert(file: string, texts: [mark: string, text: string][]): void {
  const path = join(ROOT, file)
  let whole = readFileSync(path, 'utf8')
  for (const [mark, text] of texts) {
    if (!whole.includes(mark)) fail(`${file} has changed: ${mark} is not in it`)
    whole = whole.replace(mark, () => text + mark)
  }
  writeFileSync(path, whole)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
