// What the command line says to words that fit no command: exit code 2, and what would fit.
import { describe, expect, it } from 'vitest'
import { command } from '../support/command.js'

const WRONG: [words: string[], says: string][] = [
  [['nonsense'], 'there is no command "nonsense"'],
  [['dealr', 'create'], 'there is no command "dealr"; did you mean "dealer"?'],
  [['VERIFI', 'x'], 'there is no command "VERIFI"; did you mean "verify"?'],
  [['q'], 'there is no command "q"\n'],
  [
    ['dealer', 'crate'],
    '"dealer" is followed by one of: create, connect, reset-token, import, list, not by ' +
      '"crate"; did you mean "dealer create"?',
  ],
  [['demo', '--jsno'], 'there is no option --jsno here; did you mean "--json"?'],
  [['completion', 'fish'], '--shell must be one of: bash, zsh'],
  [['constructor'], 'there is no command "constructor"'],
  [['entitlement', 'grant'], '--account is missing'],
  [['dealer'], '"dealer" is followed by one of: create, connect, reset-token, import, list'],
  [
    ['dealer', 'fire'],
    '"dealer" is followed by one of: create, connect, reset-token, import, list, not by',
  ],
  [['fault', '--scu', 'x'], '"fault" is followed by one of: set, show, clear'],
  [['demo', '--wrong'], 'there is no option --wrong here'],
  [['demo', '-x'], 'there is no option -x here'],
  [['demo', '--env'], '--env needs a value'],
  [['demo', '--env', '--json'], '--env needs a value'],
  [['demo', '--json=yes'], '--json takes no value'],
  [['demo', '--env', 'XX'], '--env must be one of: AT'],
  [['demo', 'now'], '"now" is one word too many'],
  [['serve', 'please'], '"please" is one word too many'],
  [['migrate', '--force'], 'there is no option --force here'],
  [['verify'], 'FILE is missing'],
  [['verify', 'a.json', 'b.json'], '"b.json" is one word too many'],
  [['dealer', 'create'], '--name is missing'],
  [['dealer', 'create', '--name', ''], '--name is missing'],
  [dealer('--market', 'XX', '--email', 'a@b.at'), '--market must be one of: AT'],
  [dealer('--market', 'AT'), '--email is missing'],
  [dealer('--market', 'AT', '--email', 'a.b.at'), '--email is no e-mail address'],
  [full('--country', 'AUT'), '--country must be two letters'],
  [full('--auto-invite', 'maybe'), '--auto-invite must be one of: yes, no'],
  [
    full('--roles', 'PosDealer,Boss'),
    '--roles must be one of: PosOperator, PosDealer, PosCreator, Consultant',
  ],
  [['dealer', 'reset-token'], '--account is missing'],
  [['dealer', 'connect', '--account', 'A'], '--to is missing'],
  [
    ['dealer', 'connect', '--account', 'a', '--to', 'A'],
    '--account and --to name the same account',
  ],
  [
    ['dealer', 'connect', '--account', 'a', '--to', 'b', '--rights', 'Half'],
    '--rights must be one of: None, Read, ReadWrite, Full',
  ],
  [['app', 'create'], '--name is missing'],
  [['fault', 'show'], '--scu is missing'],
  [['fault', 'set', '--scu', 'x'], '--script is missing'],
  [['fault', 'set', '--scu', 'x', '--script', 'unreachable'], '--script is no JSON'],
  [['scu', 'mode', '--scu', 'x', '--mode', 'off'], '--mode must be one of: normal, backup'],
  [['terminal'], '"terminal" is followed by one of: add, list, remove, simulate'],
  [['terminal', 'add', '--provider', 'test'], '--cashbox is missing'],
  [['terminal', 'add', '--cashbox', 'x'], '--provider is missing'],
  [
    ['terminal', 'add', '--cashbox', 'x', '--provider', 'y'],
    '--provider must be one of: test, gp_',
  ],
  [['terminal', 'remove'], 'ID is missing'],
  [['terminal', 'simulate', '--port', 'x'], '--port is no number: expected one such as 9700'],
  [['terminal', 'simulate', '--port', '65536'], '--port is no port'],
  [['terminal', 'simulate', '--scale', '-1'], '--scale'],
  [['operator', 'create', '--dealer', 'x', '--market', 'AT', '--name', 'N'], '--email is missing'],
]

function dealer(...words: string[]): string[] {
  return ['dealer', 'create', '--name', 'N', ...words]
}

function full(...words: string[]): string[] {
  return dealer('--market', 'AT', '--email', 'a@b.at', ...words)
}

describe('wrong usage', () => {
  it.each(WRONG)('%j ends with exit code 2 and says why', async (words, says) => {
    const { code, stdout, stderr } = await command(words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`fiskalwerk: ${says}`)
    expect(stderr).toContain('Try: npx fiskalwerk help')
  })

  it('of a known command shows how it is used', async () => {
    const { stderr } = await command(['dealer', 'connect'])
    expect(stderr).toContain('dealer connect --account ID --to ID [--rights Full] [--json]')
  })
})

describe('help', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists every command', async (words) => {
    const { code, stdout, stderr } = await command(words)
    expect([code, stderr]).toEqual([0, ''])
    for (const name of ['serve', 'migrate', 'demo', 'dealer create', 'fault set', 'verify FILE']) {
      expect(stdout).toContain(`  ${name}`)
    }
  })

  it.each([
    ['help', 'dealer', 'create'],
    ['dealer', 'create', '--help'],
    ['dealer', 'create', '--name', 'N', '-h'],
  ])('%s %s %s is about that command only', async (...words) => {
    const { code, stdout } = await command(words)
    expect(code).toBe(0)
    expect(stdout).toContain('dealer create --name N')
    expect(stdout).not.toContain('dealer list')
  })

  it('of a word that is no command is wrong usage', async () => {
    expect((await command(['help', 'nonsense'])).code).toBe(2)
  })

  it('keeps its lines short enough for a terminal', async () => {
    const { stdout } = await command(['help'])
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([])
  })
})

describe('the version', () => {
  it.each(['version', '--version', '-v'])('%s is one line', async (word) => {
    const { code, stdout } = await command([word])
    expect([code, /^\d+\.\d+\.\d+\S*\n$/.test(stdout)]).toEqual([0, true])
  })
})
