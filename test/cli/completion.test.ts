// Completion in a real shell: commands, what follows them, and their options.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command } from '../support/command.js'

const run = promisify(execFile)
let folder: string
let script: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'))
  script = join(folder, 'script')
  const { code, stdout } = await command(['completion', 'bash'])
  expect(code).toBe(0)
  writeFileSync(script, stdout)
})
afterAll(() => rm(folder, { recursive: true }))

/** What the shell offers behind these words, the last of which is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const typed = ['fiskalwerk', ...words].map((word) => `'${word}'`).join(' ')
  const line =
    `source ${script}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _fiskalwerk; ` +
    `printf "%s\\n" "\${COMPREPLY[@]-}"`
  const { stdout, stderr } = await run('bash', ['--norc', '-u', '-c', line])
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe('bash completes', () => {
  it('commands', async () => {
    expect(await offered('deal')).toEqual(['dealer'])
    expect(await offered('')).toEqual(expect.arrayContaining(['serve', 'demo', 'verify', 'help']))
  })

  it('what follows them', async () => {
    expect(await offered('dealer', 'c')).toEqual(['create', 'connect'])
    expect(await offered('scu', '')).toEqual(expect.arrayContaining(['add', 'switch', 'mode']))
  })

  it('options, of commands of one word and of two', async () => {
    expect(await offered('verify', '--par')).toEqual(['--partial'])
    expect(await offered('dealer', 'create', '--ma')).toEqual(['--market'])
    expect(await offered('dealer', 'create', '--name', 'x', '--auto')).toEqual(['--auto-invite'])
    expect(await offered('dealer', 'list', '--market')).toEqual([''])
  })

  it('nothing behind what nobody knows', async () => {
    expect(await offered('nonsense', '')).toEqual([''])
  })
})

it('the script is one that bash reads without complaint, for zsh too', async () => {
  await run('bash', ['-n', script])
  const { stdout } = await command(['completion', 'zsh'])
  expect(stdout.split('\n')[0]).toBe('autoload -U +X bashcompinit && bashcompinit')
})

it('help of one command shows what it means, with an example', async () => {
  const { code, stdout } = await command(['help', 'dealer', 'create'])
  expect(code).toBe(0)
  expect(stdout).toContain('For example:\n  npx fiskalwerk dealer create --name')
  const { stdout: whole } = await command(['help'])
  for (const title of ['The server', 'What happens', 'Your shell']) expect(whole).toContain(title)
})
