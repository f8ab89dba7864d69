// A receipt in the wallet of a phone: a pass that phones accept, made with the merchant's own keys,
// and nothing of it where nobody has set it up.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWalletDesk, type WalletDesk } from '../../../src/core/receipts/wallet/issuers.js'
import { LONGEST_TOKEN } from '../../../src/device/wallet/google.js'
import type { WalletMaker } from '../../../src/model/wallet.js'
import { openPass } from '../../../src/simulator/wallet/apple.js'
import { openToken } from '../../../src/simulator/wallet/google.js'
import { simulatedApple, simulatedGoogle } from '../../../src/simulator/wallet/keys.js'
import { findIssuer } from '../../../src/store/receipt/wallet-issuers.js'
import type { Pair } from '../../support/pairs.js'
import { openReceiptDesk, pathOf, type ReceiptDesk } from '../../support/receipt-desk.js'

const NOW = new Date()
let desk: ReceiptDesk
let wallets: WalletDesk
let accountId: string
let pair: Pair
/** Of this merchant, and of another one. */
let keys: Awaited<ReturnType<typeof simulatedApple>>
let other: typeof keys
beforeAll(async () => {
  const before = new Date(NOW.getTime() - 400 * 86_400_000)
  ;[desk, keys, other] = await Promise.all([
    openReceiptDesk(),
    simulatedApple(NOW),
    simulatedApple(before),
  ])
  const { store } = desk.shop.deps
  wallets = createWalletDesk({ store, now: () => NOW, sandbox: false })
  const { rows } = await store.pool.query('select account_id from cash_box limit 1')
  accountId = rows[0].account_id
  pair = await desk.issued()
})
afterAll(() => desk.close())

const actor = () => ({
  ...{ accountId, onBehalfOf: null, operation: 'putWallet', traceId: 'test' },
})
const put = (maker: WalletMaker, entered: object) =>
  wallets.put(actor(), { accountId, maker, entered: { ...entered } })
const passAt = (maker: string) => desk.open(`${pathOf(pair)}/wallet/${maker}`)

/** The code that the law wants on the receipt. */
function signedCode(): string {
  const { ReceiptResponse } = JSON.parse(pair.body)
  const codes = ReceiptResponse.ftSignatures.filter(
    (one: { ftSignatureFormat: number }) => Number(BigInt(one.ftSignatureFormat) & 0xffn) === 3,
  )
  return codes[0].Data ?? codes[0].data
}

describe('where nobody has set it up', () => {
  it('there is no button and no pass', async () => {
    expect((await desk.open(pathOf(pair))).body).not.toContain('/wallet/')
    for (const maker of ['apple', 'google', 'nokia']) {
      const { statusCode, body } = await passAt(maker)
      expect([statusCode, body.length > 0]).toEqual([404, true])
    }
  })

  it('simulated makers are refused in production', async () => {
    await expect(put('apple', { simulated: true })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      details: { field: 'simulated' },
    })
  })
})

describe('what a merchant enters', () => {
  it.each<[string, WalletMaker, () => object, string]>([
    ['nothing', 'apple', () => ({}), 'certificate'],
    ['no certificate', 'apple', () => ({ ...keys, certificate: 'x' }), 'certificate'],
    [
      'a certificate that is no pass type’s',
      'apple',
      () => ({ ...keys, certificate: keys.intermediate }),
      'privateKey',
    ],
    [
      'the key of another',
      'apple',
      () => ({ ...keys, privateKey: other.privateKey }),
      'privateKey',
    ],
    [
      'a foreign intermediate',
      'apple',
      () => ({ ...keys, intermediate: other.intermediate }),
      'intermediate',
    ],
    ['a certificate of before', 'apple', () => other, 'certificate'],
    ['letters for an issuer', 'google', () => ({ issuerId: 'abc' }), 'issuerId'],
    [
      'no JSON',
      'google',
      () => ({ issuerId: '3388000000012345678', serviceAccount: '{' }),
      'serviceAccount',
    ],
  ])('%s is refused under its name', async (_what, maker, entered, field) => {
    await expect(put(maker, entered())).rejects.toMatchObject({
      details: { field },
    })
  })

  it('is sealed, and told without its keys', async () => {
    const told = await put('apple', keys)
    expect(told).toEqual({
      maker: 'apple',
      told: {
        passTypeIdentifier: 'pass.simulated.receipt',
        teamIdentifier: 'SIMULATED0',
        validUntil: expect.stringMatching(/^\d{4}-/),
      },
    })
    const { pool } = desk.shop.deps.store
    const { rows } = await pool.query('select * from wallet_issuer')
    expect([rows.length, rows[0].secrets_sealed.includes('PRIVATE')]).toEqual([1, false])
    const audit = await pool.query("select * from audit_entry where operation = 'putWallet'")
    expect(JSON.stringify(audit.rows)).not.toMatch(/PRIVATE|CERTIFICATE/)
  })
})

describe('a pass for Apple Wallet', () => {
  let file: Buffer
  beforeAll(async () => {
    await put('apple', keys)
    const answer = await passAt('apple')
    expect([answer.statusCode, answer.headers['content-type']], answer.body).toEqual([
      200,
      'application/vnd.apple.pkpass',
    ])
    file = answer.rawPayload
  })

  it('has a button on the page', async () => {
    expect((await desk.open(pathOf(pair))).body).toContain(`${pathOf(pair)}/wallet/apple"`)
  })

  it('is one that a phone accepts, with the signed code byte for byte', async () => {
    const { document } = await openPass(file, keys.intermediate)
    expect(document).toMatchObject({
      serialNumber: pair.queueItemId,
      barcodes: [{ format: 'PKBarcodeFormatQR', message: signedCode() }],
    })
    expect(JSON.stringify(document)).toContain(pathOf(pair))
  })

  it('is one that openssl verifies, hash by hash', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pass-'))
    try {
      const files = unzipSync(file)
      const manifest = JSON.parse(Buffer.from(files['manifest.json'] ?? []).toString())
      for (const [name, bytes] of Object.entries(files)) {
        writeFileSync(join(folder, name), bytes)
        if (name === 'manifest.json' || name === 'signature') continue
        expect(manifest[name], name).toBe(createHash('sha1').update(bytes).digest('hex'))
      }
      expect(Object.keys(manifest)).toHaveLength(Object.keys(files).length - 2)
      writeFileSync(join(folder, 'wwdr.pem'), keys.intermediate)
      const args = ['-inform', 'DER', '-in', 'signature', '-content', 'manifest.json', '-binary']
      execFileSync('openssl', ['smime', '-verify', ...args, '-CAfile', 'wwdr.pem'], {
        ...{ cwd: folder, stdio: 'pipe' },
      })
      writeFileSync(join(folder, 'manifest.json'), '{}')
      expect(() =>
        execFileSync('openssl', ['smime', '-verify', ...args, '-CAfile', 'wwdr.pem'], {
          ...{ cwd: folder, stdio: 'pipe' },
        }),
      ).toThrow()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is refused by a phone that does not know who has signed', async () => {
    await expect(openPass(file, other.intermediate)).rejects.toThrow('signer is unknown')
  })
})

describe('a pass for Google Wallet', () => {
  it('is a signed token in an address that no browser cuts', async () => {
    await put('google', await simulatedGoogle(accountId))
    const { statusCode, headers } = await passAt('google')
    const [, token = ''] = String(headers.location).split('https://pay.google.com/gp/v/save/')
    expect([statusCode, token.length > 0, token.length <= LONGEST_TOKEN]).toEqual([302, true, true])
    const issuer = await findIssuer(desk.shop.deps.store, { accountId, maker: 'google' })
    const saved = await openToken(token, issuer?.secrets.privateKey ?? '')
    expect(saved.id).toBe(`3388000000000000000.${pair.queueItemId}`)
    expect([signedCode(), expect.stringContaining(pathOf(pair))]).toContainEqual(saved.code)
    expect(saved.links).toEqual([expect.stringContaining(pathOf(pair))])
  })

  it('of the sandbox is saved by one of the sandbox, which refuses what was changed', async () => {
    const { store } = desk.shop.deps
    const sandbox = createWalletDesk({ store, now: () => NOW, sandbox: true })
    await sandbox.put(actor(), { accountId, maker: 'google', entered: { simulated: true } })
    const { headers } = await passAt('google')
    const address = String(headers.location)
    expect(address).toMatch(/^\/sandbox\/wallet\?token=/)
    const page = await desk.open(address)
    expect([page.statusCode, page.body.includes('has taken this pass')]).toEqual([200, true])
    const cut = `${address.slice(0, -8)}AAAAAAAA`
    expect((await desk.open(cut)).statusCode).toBe(404)
    expect((await desk.open('/sandbox/wallet?token=x')).statusCode).toBe(404)
  })
})

it('without its keys a button is gone at once', async () => {
  await wallets.remove(actor(), { accountId, maker: 'apple' })
  await wallets.remove(actor(), { accountId, maker: 'google' })
  expect((await desk.open(pathOf(pair))).body).not.toContain('/wallet/')
  expect((await passAt('apple')).statusCode).toBe(404)
})
