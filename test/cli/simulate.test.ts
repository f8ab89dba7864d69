// The command that starts a simulator of a signing device.
import { describe, expect, it } from 'vitest'
import { command, start } from '../support/command.js'

const env = { DATABASE_URL: '', MASTER_KEY: '' }

describe('simulate', () => {
  it('starts what it names, and says what a caller needs', async () => {
    const script = '[{"call":"login","do":"refuse","status":503}]'
    const words = ['simulate', 'fiskaly', '--port', '0', '--script', script, '--json']
    const running = start(words, env)
    await running.until('}\n')
    const told = JSON.parse(running.said.stdout) as Record<string, string>
    const { url, apiKey, apiSecret, device } = told
    expect(device).toBe('fiskaly')
    const login = () =>
      fetch(`${url}/auth`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
      })
    expect((await login()).status).toBe(503)
    expect((await login()).status).toBe(200)
    running.signal('SIGINT')
    await running.ended
  })

  it('refuses other devices, ports, dates and scripts, and production', async () => {
    for (const words of [
      ['simulate', 'toaster'],
      ['simulate', 'epson', '--port', '70000'],
      ['simulate', 'epson', '--until', 'tomorrow'],
      ['simulate', 'epson', '--script', '[{"call":"x","do":"dance"}]'],
    ]) {
      expect((await command(words, env)).code).toBe(2)
    }
    const { code, stderr } = await command(['simulate', 'epson'], {
      ...env,
      ENVIRONMENT: 'production',
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining('fiskalwerk: ')])
  })
})
