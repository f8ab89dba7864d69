// Logs of devices that do what the guideline allows, and of devices that do what it forbids.
import { describe, expect, it } from 'vitest'
import { tarFile } from '../../../src/verify/de/verifiers.js'
import {
  type Change,
  int,
  soldTwice,
  type TarMember,
  TestDevice,
  tarOf,
  tlv,
} from '../../support/tse-device.js'
import { brief, verdictOf } from '../../support/verdicts.js'

async function verdict(device: TestDevice, messages?: TarMember[]) {
  return verdictOf(tarFile, await tarOf(device.archive(messages)))
}

async function codes(device: TestDevice, messages?: TarMember[]): Promise<string[]> {
  const { findings, notices } = await verdict(device, messages)
  return [...findings, ...notices].map(({ code }) => code)
}

function timed(tag: number, text: string, prefix: string): Change {
  const label = text.replace(/\.\d+/, '')
  return { time: { element: tlv(tag, text), label, prefix } }
}

describe('what the guideline allows is accepted', () => {
  it.each([
    ['prime256v1', 'sha256'],
    ['prime256v1', 'sha3-256'],
    ['secp384r1', 'sha384'],
    ['brainpoolP256r1', 'sha256'],
    ['brainpoolP384r1', 'sha384'],
  ])('%s with %s', async (curve, hash) => {
    const { findings, notices, summary } = await verdict(soldTwice({ curve, hash }))
    expect([...findings, ...notices]).toEqual([])
    expect(summary).toMatchObject({ messages: 7, proven: 7 })
  })

  it.each([
    ['UTCTime', timed(0x17, '260101090000Z', 'Utc')],
    ['UTCTime without seconds', timed(0x17, '2601010900Z', 'Utc')],
    ['GeneralizedTime', timed(0x18, '20260101090000Z', 'Gent')],
    ['GeneralizedTime with milliseconds', timed(0x18, '20260101090000.123Z', 'Gent')],
  ])('%s', async (_, change) => {
    const device = new TestDevice()
    device.system('registerClient', tlv(0x81, 'KASSE-0001'), change)
    const number = device.start(change)
    device.step('Finish', number, { type: 'SonstigerVorgang', text: 'x', change })
    expect(await codes(device)).toEqual([])
  })

  it('processData in parts, of indefinite length', async () => {
    const device = new TestDevice()
    device.register()
    const number = device.start()
    const parts = Buffer.concat([
      tlv(0x04, 'Beleg^1.00_0.00_0.00'),
      tlv(0x04, '_0.00_0.00^1.00:Bar'),
    ])
    const data = Buffer.concat([
      tlv(0x80, 'FinishTransaction'),
      tlv(0x81, 'KASSE-0001'),
      Buffer.from([0xa2, 0x80]),
      parts,
      Buffer.alloc(2),
      tlv(0x83, 'Kassenbeleg-V1'),
      int(0x85, number),
    ])
    device.step('Finish', number, { change: { data } })
    expect(await codes(device)).toEqual([])
  })

  it('updates, several transactions at once, orders, numbers above 127', async () => {
    const device = new TestDevice()
    device.register()
    for (let sold = 0; sold < 130; sold += 1) device.sale()
    const [first, second] = [device.start(), device.start()]
    device.step('Update', second)
    const text = '2;"Eisbecher ""Himbeere""";3.99\r1;"Eiskaffee";2.99'
    device.step('Finish', second, { type: 'Bestellung-V1', text })
    device.step('Finish', first, { type: 'SonstigerVorgang', text: 'zero-receipt' })
    expect(await codes(device)).toEqual([])
  })

  it('audit logs and the operations of known vendors', async () => {
    const device = soldTwice()
    device.audit()
    for (const name of ['selfTest', 'EnterSecureState', 'logOut', 'deleteStoredData']) {
      device.system(name, Buffer.from('any data'))
    }
    expect(await codes(device)).toEqual([])
    device.system('makeCoffee')
    expect(await codes(device)).toEqual(['SYSTEM_OPERATION'])
  })

  it('files sorted by name, so that counters are not in order', async () => {
    const device = new TestDevice()
    device.register()
    for (let sold = 0; sold < 60; sold += 1) device.sale()
    const sorted = [...device.members].sort((a, b) => (a.name < b.name ? -1 : 1))
    expect(sorted).not.toEqual(device.members)
    expect(await codes(device, sorted)).toEqual([])
  })

  it('an export after an erase: a notice, no finding', async () => {
    const device = soldTwice()
    const open = device.start()
    const kept = device.members.slice(-1)
    device.sale()
    device.counter += 0
    const from = device.members.length
    device.sale()
    device.step('Finish', open, {
      type: 'Kassenbeleg-V1',
      text: 'AVBelegabbruch^0.00_0.00_0.00_0.00_0.00^',
    })
    device.sale()
    const { findings, notices } = await verdict(device, [...kept, ...device.members.slice(from)])
    expect(findings).toEqual([])
    expect(brief(notices)).toEqual(['COUNTER_ERASED', 'COUNTER_ERASED'])
  })

  it('a transaction that is still open: a notice', async () => {
    const device = soldTwice()
    device.start()
    expect(await codes(device)).toEqual(['TRANSACTION_OPEN'])
  })

  it.each([['pax'], ['gnu']])('a name above 100 characters (%s): a notice', async (format) => {
    const device = new TestDevice()
    const client = 'K'.repeat(64)
    device.register(client)
    const number = device.start({ client })
    device.step('Finish', number, { type: 'SonstigerVorgang', change: { client } })
    const members = device.archive()
    const bytes = format === 'pax' ? await tarOf(members) : await gnuTarOf(members)
    const { findings, notices } = await verdictOf(tarFile, bytes)
    expect(findings).toEqual([])
    expect(notices.map(({ code }) => code)).toContain('MEMBER_LONG_NAME')
  })
})

/** Long names as GNU tar writes them: a member of type L before the member. */
async function gnuTarOf(members: TarMember[]): Promise<Buffer> {
  const parts: Buffer[] = []
  for (const member of members) {
    const name = member.name
    if (name.length > 100) {
      const long = Buffer.from(`${name}\0`)
      const header = await tarOf([{ name: '././@LongLink', content: long }])
      header.write('L', 156, 'latin1')
      header.fill(0x20, 148, 156)
      const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
      parts.push(header.subarray(0, -1024))
    }
    const whole = await tarOf([{ ...member, name: name.slice(0, 100) }])
    parts.push(whole.subarray(0, -1024))
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

describe('what the guideline forbids is named', () => {
  const cases: [string, (device: TestDevice) => void, string[]][] = [
    [
      'a gap in the counters',
      (device) => {
        device.counter += 1
        device.sale()
      },
      ['COUNTER_GAP'],
    ],
    [
      'a time before the last',
      (device) => {
        device.now -= 61
        device.sale()
      },
      ['TIME_DECREASES'],
    ],
    [
      'the clock set back',
      (device) => {
        device.now -= 61
        device.system('updateTime', Buffer.concat([int(0x81, 9), int(0x82, 8)]))
      },
      ['TIME_SET_BACK'],
    ],
    [
      'another format of time',
      (device) => {
        const number = device.start(timed(0x17, '260101100000Z', 'Utc'))
        device.now += 3600
        device.step('Finish', number, {
          type: 'SonstigerVorgang',
          change: timed(0x17, '260101100000Z', 'Utc'),
        })
      },
      ['TIME_FORMAT'],
    ],
    [
      'a transaction number left out',
      (device) => {
        device.transactions += 1
        device.sale()
      },
      ['TRANSACTION_NUMBER'],
    ],
    [
      'a transaction number used again',
      (device) => {
        device.transactions -= 1
        device.sale()
      },
      ['TRANSACTION_NUMBER'],
    ],
    [
      'a finish without start',
      (device) => {
        device.step('Finish', 9, { type: 'SonstigerVorgang' })
      },
      ['TRANSACTION_NOT_OPEN'],
    ],
    [
      'an update after the finish',
      (device) => {
        device.step('Update', 2)
      },
      ['TRANSACTION_NOT_OPEN'],
    ],
    [
      'another client at the finish',
      (device) => {
        device.register('KASSE-0002')
        const number = device.start()
        device.step('Finish', number, {
          type: 'SonstigerVorgang',
          change: { client: 'KASSE-0002' },
        })
      },
      ['TRANSACTION_CLIENT'],
    ],
    [
      'a client that was never registered',
      (device) => {
        const number = device.start({ client: 'KASSE-0003' })
        device.step('Finish', number, {
          type: 'SonstigerVorgang',
          change: { client: 'KASSE-0003' },
        })
      },
      ['CLIENT_UNREGISTERED'],
    ],
    [
      'a client that was removed',
      (device) => {
        device.system('deregisterClient', tlv(0x81, 'KASSE-0001'))
        device.sale()
      },
      ['CLIENT_UNREGISTERED'],
    ],
    [
      'a sale of a disabled device',
      (device) => {
        device.system('disableSecureElement', int(0x81, 1))
        device.sale()
      },
      ['AFTER_DISABLE', 'AFTER_DISABLE'],
    ],
    [
      'registerClient without a client',
      (device) => {
        device.system('registerClient')
      },
      ['SYSTEM_DATA'],
    ],
    [
      'another version',
      (device) => {
        device.system('selfTest', Buffer.alloc(0), { version: 3 })
      },
      ['LOG_FORM'],
    ],
    [
      'an algorithm that cannot be checked',
      (device) => {
        device.system('selfTest', Buffer.alloc(0), { oid: '04007f00070101040402' })
      },
      ['ALGORITHM'],
    ],
    [
      'a hash that was not used',
      (device) => {
        device.system('selfTest', Buffer.alloc(0), { oid: '04007f00070101040104' })
      },
      ['SIGNATURE_INVALID'],
    ],
    [
      'a message after the end of the certificate',
      (device) => {
        device.now = Date.UTC(2034, 0, 2) / 1000
        device.system('selfTest')
      },
      ['CERTIFICATE_PERIOD'],
    ],
    [
      'an unknown processType',
      (device) => {
        device.step('Finish', device.start(), { type: 'Kassenbeleg-V2', text: 'x' })
      },
      ['PROCESS_TYPE'],
    ],
  ]
  it.each(cases)('%s', async (_, happen, expected) => {
    const device = soldTwice()
    happen(device)
    expect(await codes(device)).toEqual(expected)
  })

  it.each([
    'Beleg^11.90_0.00_0.00_0.00^11.90:Bar',
    'Beleg^11,90_0,00_0,00_0,00_0,00^11,90:Bar',
    'Beleg^11.9_0.00_0.00_0.00_0.00^11.90:Bar',
    'Beleg^+1.00_0.00_0.00_0.00_0.00^1.00:Bar',
    'Bon^11.90_0.00_0.00_0.00_0.00^11.90:Bar',
    'Beleg^11.90_0.00_0.00_0.00_0.00^11.90:Cash',
    'Beleg^11.90_0.00_0.00_0.00_0.00^5.00:Unbar_6.90:Bar',
    'Beleg^11.90_0.00_0.00_0.00_0.00^5.90:Bar_6.00:Bar',
    'Beleg^11.90_0.00_0.00_0.00_0.00',
    '',
  ])('processData %j', async (text) => {
    const device = soldTwice()
    device.sale(text)
    expect(await codes(device)).toEqual(['PROCESS_DATA'])
  })

  it('payments that differ from the turnover are a notice', async () => {
    const device = soldTwice()
    device.sale('Beleg^11.90_0.00_0.00_0.00_0.00^11.80:Bar')
    expect(await codes(device)).toEqual(['PROCESS_SUMS'])
  })

  it.each([
    ['2;"x";3.99\n1;"y";2.99', 'PROCESS_LINE_FEED'],
    ['2;x;3.99', 'PROCESS_DATA'],
    ['2;"a"b";3.99', 'PROCESS_DATA'],
  ])('an order %j', async (text, code) => {
    const device = soldTwice()
    device.step('Finish', device.start(), { type: 'Bestellung-V1', text })
    expect(await codes(device)).toEqual([code])
  })

  it.each([
    ['a length in a longer form', '810a', '81810a'],
    ['a number in a longer form', '850103', '85020003'],
    ['a negative number', '850103', '850183'],
  ])('%s', async (_, short, long) => {
    const device = soldTwice()
    const number = device.start()
    const data = Buffer.concat([
      tlv(0x80, 'FinishTransaction'),
      tlv(0x81, 'KASSE-0001'),
      tlv(0x82, 'x'),
      tlv(0x83, 'SonstigerVorgang'),
      int(0x85, number),
    ]).toString('hex')
    device.step('Finish', number, {
      change: { data: Buffer.from(data.replace(short, long), 'hex') },
    })
    expect(await codes(device)).toContain('LOG_FORM')
  })
})
