// `--profile NAME` in front of a command: the settings of another server, and nothing of the usual
// file beside them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { chooseProfile, variables } from '../../src/config.js'
import { command } from '../support/command.js'

const folder = mkdtempSync(join(tmpdir(), 'profile-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, '.env'), 'PORT=1\nHOST=usual\n')
writeFileSync(join(folder, '.env.shop1'), 'PORT=2\n')
writeFileSync(join(folder, '.env.example'), 'PORT=3\n')

it('reads the file of the profile instead of the usual one; the process counts more', () => {
  const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'warn' }
  expect(variables(folder, env)).toMatchObject({ PORT: '1', HOST: 'usual' })
  chooseProfile('shop1', folder, env)
  expect(variables(folder, env)).toMatchObject({ PORT: '2', LOG_LEVEL: 'warn' })
  expect(variables(folder, env).HOST).toBeUndefined()
  expect(variables(folder, { ...env, PORT: '9' }).PORT).toBe('9')
})

it.each(['shop2', '../shop1', 'example', ''])(
  'knows no profile %j, and lists those it has',
  (name) => {
    const env: NodeJS.ProcessEnv = {}
    expect(() => chooseProfile(name, folder, env)).toThrow()
    expect(env).toEqual({})
    try {
      chooseProfile(name, folder, env)
    } catch (error) {
      expect(error).toMatchObject({ faults: [expect.stringContaining('profiles: shop1')] })
    }
  },
)

it('of the command line is refused before the command begins', async () => {
  expect(await command(['--profile'])).toMatchObject({ code: 2 })
  expect(await command(['--profile', '--json'])).toMatchObject({ code: 2 })
  const nobody = await command(['--profile', 'nobody', 'help'])
  expect(nobody).toMatchObject({ code: 1, stdout: '' })
  expect(nobody.stderr).toContain('--profile nobody: there is no file .env.nobody')
})
