// The house rules of CONTRIBUTING.md, checked over the whole repository.
// test/tidy-checks.test.ts and those beside it show that each of these checks can fail.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  checkDecisions,
  checkErrors,
  checkLinks,
  checkNamedFiles,
  checkPins,
  checkReasons,
  checkVariables,
} from './support/tidy/docs.js'
import { checkCycles, checkLayers, checkPairs, checkVerifiers } from './support/tidy/layers.js'
import { checkRounding } from './support/tidy/numbers.js'
import {
  checkCountries,
  checkDependencies,
  checkEnvironment,
  checkPackageHomes,
  checkPurity,
} from './support/tidy/outside.js'
import {
  checkAccounts,
  checkBatches,
  checkRights,
  checkStatements,
  checkTables,
} from './support/tidy/schema.js'
import {
  checkDriverSizes,
  checkFloors,
  checkFunctions,
  checkLengths,
  checkMarketSizes,
  checkVerifierSizes,
} from './support/tidy/sizes.js'
import { checkModuleState } from './support/tidy/state.js'
import { checkDefaultExports, checkHoles, checkNames } from './support/tidy/style.js'
import { type Finding, Tree } from './support/tidy/tree.js'
import { checkWords } from './support/tidy/words.js'

const tree = Tree.read(fileURLToPath(new URL('..', import.meta.url)))

function told(findings: Finding[]): string[] {
  return findings.map(({ file, line, text }) => `${file}:${line} ${text}`)
}

describe('layers', () => {
  it('imports follow the arrows of the architecture', () => {
    expect(told(checkLayers(tree))).toEqual([])
  })
  it('no two rooms of core or store need each other', () => {
    expect(told(checkPairs(tree))).toEqual([])
  })
  it('no import runs in a circle', () => {
    expect(told(checkCycles(tree))).toEqual([])
  })
  it('a verifier shares no code with the signing it checks', () => {
    expect(told(checkVerifiers(tree))).toEqual([])
  })
  it('a country is asked by name in its market only', () => {
    expect(told(checkCountries(tree))).toEqual([])
  })
})

describe('the outside', () => {
  it('Fastify and the database are imported in their own layers only', () => {
    expect(told(checkPackageHomes(tree))).toEqual([])
  })
  it('the environment is read in src/config.ts only', () => {
    expect(told(checkEnvironment(tree))).toEqual([])
  })
  it('markets and the model reach no file, network, clock or chance', () => {
    expect(told(checkPurity(tree))).toEqual([])
  })
  it('every runtime package is used and every used package is declared', () => {
    expect(told(checkDependencies(tree))).toEqual([])
  })
})

describe('state', () => {
  it('modules keep nothing between two calls, except what was measured', () => {
    expect(told(checkModuleState(tree))).toEqual([])
  })
})

describe('the schema', () => {
  it('keys begin with the account, nothing refers across tables, migrations only add', () => {
    expect(told(checkTables(tree))).toEqual([])
  })
  it('what never changes is kept by rights', () => {
    expect(told(checkRights(tree))).toEqual([])
  })
  it('statements of the ledger mean the same wherever they are carried out', () => {
    expect(told(checkStatements(tree))).toEqual([])
  })
  it('statements of the ledger say of which account, and a batch is of one database', () => {
    expect(told(checkAccounts(tree))).toEqual([])
    expect(told(checkBatches(tree))).toEqual([])
  })
})

describe('sizes', () => {
  it('files and lines stay within their limits', () => {
    expect(told(checkLengths(tree))).toEqual([])
  })
  it('a market fits into a day of reading', () => {
    expect(told(checkMarketSizes(tree))).toEqual([])
  })
  it('a verifier of a country can be read as a whole', () => {
    expect(told(checkVerifierSizes(tree))).toEqual([])
  })
  it('the drivers of a country can be read as a whole', () => {
    expect(told(checkDriverSizes(tree))).toEqual([])
  })
  it('no file lies deeper than seven floors', () => {
    expect(told(checkFloors(tree))).toEqual([])
  })
  it('functions stay within length, parameters and nesting', () => {
    expect(told(checkFunctions(tree))).toEqual([])
  })
})

describe('style', () => {
  it('files are named in kebab-case by what they hold', () => {
    expect(told(checkNames(tree))).toEqual([])
  })
  it('modules export by name', () => {
    expect(told(checkDefaultExports(tree))).toEqual([])
  })
  it('the type system has no holes and no catch is empty', () => {
    expect(told(checkHoles(tree))).toEqual([])
  })
  it('pages of the portal round no integer of 64 bits', () => {
    expect(told(checkRounding(tree))).toEqual([])
  })
  it('no file holds unfinished work, a silenced test, or a trace of one machine', () => {
    expect(told(checkWords(tree))).toEqual([])
  })
})

describe('documentation', () => {
  it('relative links lead to files and headings that exist', () => {
    expect(told(checkLinks(tree))).toEqual([])
  })
  it('every decision record is in an index', () => {
    expect(told(checkDecisions(tree))).toEqual([])
  })
  it('every runtime package is justified in a decision record', () => {
    expect(told(checkReasons(tree))).toEqual([])
  })
  it('the variables of the configuration, .env.example and the pages are the same', () => {
    expect(told(checkVariables(tree))).toEqual([])
  })
  it('files that a page names exist', () => {
    expect(told(checkNamedFiles(tree))).toEqual([])
  })
  it('every spec gap names tests that exist', () => {
    expect(told(checkPins(tree))).toEqual([])
  })
  it('docs/errors.md describes every error code with its kind', () => {
    expect(told(checkErrors(tree))).toEqual([])
  })
})
