// What exports of certified devices look like beside the guideline: accepted, with a notice where
// something is unusual; and whose word counts.
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { VerifyOptions } from '../../../src/verify/contract.js'
import { tarFile } from '../../../src/verify/de/verifiers.js'
import {
  certificate,
  int,
  soldTwice,
  type TarMember,
  TestDevice,
  tarOf,
  tlv,
} from '../../support/tse-device.js'
import { brief, inPieces, verdictOf } from '../../support/verdicts.js'

async function verdict(members: TarMember[], options: VerifyOptions = {}) {
  return verdictOf(tarFile, await tarOf(members), options)
}

function registered(plan = {}): TestDevice {
  const device = new TestDevice(plan)
  device.system('initialize', tlv(0x81, 'test'))
  device.system('updateTime', Buffer.concat([int(0x81, 1), int(0x82, 2)]))
  device.register()
  return device
}

function finish(device: TestDevice, number: number): void {
  device.step('Finish', number, { type: 'SonstigerVorgang', text: 'x' })
}

describe('certificates of certified devices', () => {
  it('a device with a self-signed certificate of an authority signs with it', async () => {
    const { findings, notices, summary } = await verdict(soldTwice({ authority: 'self' }).archive())
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toMatchObject({ messages: 7, proven: 7 })
  })

  it('an authority with an RSA key is read', async () => {
    const { findings, notices, summary } = await verdict(soldTwice({ authority: 'rsa' }).archive())
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toMatchObject({ proven: 7 })
  })

  it.each(['ec', 'rsa'] as const)('the %s authority may be called anything', async (authority) => {
    const device = soldTwice({ authority })
    const members = device.archive()
    const root = members.at(-1)
    if (root !== undefined) root.name = 'ABCDEF_X509.cer'
    const { findings, notices } = await verdict(members)
    expect(findings).toEqual([])
    expect(brief(notices)).toEqual(['CERTIFICATE_CA_NAME ABCDEF_X509.cer'])
  })

  it('a chain may stand in one file of PEM blocks', async () => {
    const device = soldTwice()
    const [leaf, root] = device.certificates()
    const pem = [leaf, root].map((one) => {
      const body = one?.content.toString('base64') ?? ''
      return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`
    })
    const name = (leaf?.name ?? '').replace('.cer', '.pem')
    const file = { name, content: Buffer.from(pem.join('')) }
    const messages = device.archive().slice(0, -2)
    const { findings, notices, summary } = await verdict([...messages, file])
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toMatchObject({ proven: 7 })
  })
})

describe('certificates that nobody needs', () => {
  const noticed = async (device: TestDevice, more: TarMember[] = []) => {
    const { findings, notices } = await verdict([...device.archive(), ...more])
    expect(findings).toEqual([])
    return brief(notices)
  }

  it('one that does not name the serial number in its subject is a notice', async () => {
    const device = soldTwice({ subject: 'Some TSE' })
    const name = device.certificates()[0]?.name
    expect(await noticed(device)).toEqual([`CERTIFICATE_SUBJECT ${name}`])
  })

  it('a card verifiable one is a notice', async () => {
    const file = { name: 'ABC_CVC.crt', content: Buffer.from('x') }
    expect(await noticed(soldTwice(), [file])).toEqual(['CERTIFICATE_CVC ABC_CVC.crt'])
  })

  it('one with a key of an unknown kind is a notice', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    // the last byte of the OID of the curve: one that nobody has defined
    const oid = Buffer.from('2a8648ce3d030107', 'hex')
    spki[spki.indexOf(oid) + oid.length - 1] = 0x7f
    const issuer = { key: privateKey, issuer: 'Unknown root' }
    const content = certificate('Unknown root', spki, issuer)
    const found = await verdict([...soldTwice().archive(), { name: 'AB_X509.cer', content }])
    expect(brief(found.notices)).toEqual(['CERTIFICATE_KEY AB_X509.cer'])
    expect(brief(found.findings)).toEqual(['CERTIFICATE_CHAIN AB_X509.cer'])
  })
})

describe('the row of messages', () => {
  it('a message that lies far from its place is named', async () => {
    const device = registered()
    for (let count = 0; count < 2050; count += 1) device.audit()
    const [first, second, third, ...rest] = device.members
    const moved = [first, second, ...rest, third].filter((one) => one !== undefined)
    const { findings } = await verdict(device.archive(moved))
    expect(brief(findings)).toEqual([`COUNTER_ORDER ${third?.name}`])
  })

  it('starts of neighbours may be logged the other way round', async () => {
    const device = registered()
    device.step('Start', 2)
    device.step('Start', 1)
    finish(device, 1)
    finish(device, 2)
    device.transactions = 2
    device.sale()
    const { findings, notices } = await verdict(device.archive())
    expect(findings).toEqual([])
    expect(notices.map(({ code }) => code)).toEqual(['TRANSACTION_ORDER'])
  })

  it('a number that never comes is named at the start that skipped it', async () => {
    const device = registered()
    device.step('Start', 3)
    finish(device, 3)
    device.step('Start', 1)
    finish(device, 1)
    const { findings } = await verdict(device.archive())
    expect(findings).toMatchObject([{ code: 'TRANSACTION_NUMBER' }])
    expect(findings[0]?.text).toBe('expected transaction 2, found 3')
  })

  it('a gap breaks the log, unless the export is a part by intention', async () => {
    const device = soldTwice()
    const messages = device.members.filter((_, at) => at !== 3)
    const whole = await verdict(device.archive(messages))
    expect(whole.findings.map(({ code }) => code)).toEqual(['TRANSACTION_NOT_OPEN', 'COUNTER_GAP'])
    const part = await verdict(device.archive(messages), { partial: true })
    expect(part.findings).toEqual([])
    expect(part.notices.map(({ code }) => code)).toEqual(['TRANSACTION_NOT_OPEN', 'COUNTER_GAP'])
  })

  it('a part by intention is no excuse for a changed message', async () => {
    const device = soldTwice()
    const messages = device.members.filter((_, at) => at !== 3)
    const last = messages.at(-1)
    if (last !== undefined)
      last.content = last.content.map((byte, at) => (at === 60 ? byte ^ 1 : byte)) as Buffer
    const { findings } = await verdict(device.archive(messages), { partial: true })
    expect(findings.map(({ code }) => code)).toContain('SIGNATURE_INVALID')
  })
})

describe('whose word counts', () => {
  const device = soldTwice()
  const base64 = (member: TarMember | undefined) => member?.content.toString('base64') ?? ''
  const [leaf, root] = device.certificates().map(base64)

  async function told(options: VerifyOptions) {
    const codes: string[] = []
    const bytes = await tarOf(device.archive())
    const sink = { add: ({ code }: { code: string }) => codes.push(code), clear: () => undefined }
    const summary = await tarFile.verify(inPieces(bytes), options, {
      add: (finding) => {
        sink.add(finding)
      },
      clear: sink.clear,
    })
    return { codes, summary }
  }

  it('without given certificates a notice says that none is trusted', async () => {
    expect((await told({})).codes).toEqual(['CERTIFICATE_UNTRUSTED'])
  })

  it.each([
    ['its own certificate', leaf],
    ['that of its authority', root],
    ['its bare key', device.spkiBase64],
  ])('%s covers a device', async (_, text = '') => {
    const { codes, summary } = await told({ certificates: [text] })
    expect(codes).toEqual([])
    expect(summary).toMatchObject({ proven: 7 })
  })

  it('a device that nothing covers proves nothing, whatever its export carries', async () => {
    const [other = ''] = soldTwice().certificates().map(base64)
    const { codes, summary } = await told({ certificates: [other] })
    expect(codes).toEqual(['CERTIFICATE_DISTRUSTED'])
    expect(summary).toMatchObject({ proven: 0 })
  })

  it('what is no certificate is refused', async () => {
    await expect(told({ certificates: ['AAAA'] })).rejects.toMatchObject({ code: 'FIELD_INVALID' })
  })
})
