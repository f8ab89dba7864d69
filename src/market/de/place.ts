// All registers of a place of business (§ 146a (4) AO): a row per register and TSE, what is
// missing, and the file for Mein ELSTER.
import { objectIn } from '../../lib/json.js'
import { textMember } from '../../lib/json-object.js'
import { element, type XmlTree } from '../../lib/xml-write.js'
import type {
  PlaceRegister,
  PlaceReport,
  PlaceRules,
  PlaceSources,
  PlaceSystem,
  PlaceTse,
  UnitAction,
} from '../../model/place.js'
import type { Missing } from '../../model/queue-facts.js'
import { berlin } from './closing.js'
import { gapsOf } from './notification.js'
import { actionTypes } from './text.js'

interface Period {
  scuId: string | null
  serial: string | null
  from: Date | null
  to: Date | null
}

const { started, stopped, switchBegun, switchEnded } = actionTypes

export const placeRules: PlaceRules = {
  unitActions: [started, stopped, switchBegun, switchEnded],
  report,
  xml,
}

function report(sources: PlaceSources): PlaceReport {
  const [first] = sources.registers
  const systems = sources.registers.flatMap((register) => systemsOf(register, sources))
  const { merchant, outlet } = first?.notification ?? { merchant: null, outlet: null }
  const missing = [
    // of the systems it is told by row, below
    ...(first === undefined ? [] : gapsOf(first.notification, [])).filter(
      ({ member }) => !member.startsWith('system.'),
    ),
    ...systems.flatMap(gapsOfSystem),
  ]
  return { merchant, outlet, systems, missing }
}

// ------------------------------------------------------------------------------ a row per TSE

function systemsOf(register: PlaceRegister, { units }: PlaceSources): PlaceSystem[] {
  const { queueId, notification, entry } = register
  const { system } = notification
  const begun = register.commissioningDate ?? register.startMoment
  const inOperationOn = entry.inOperationOn ?? dayOf(begun)
  const outOfOperationOn = entry.outOfOperationOn ?? dayOf(register.stopMoment)
  const known = {
    kind: entry.kind,
    software: entry.software ?? system.software,
    softwareVersion: entry.softwareVersion ?? system.softwareVersion,
    serialNumber: system.serialNumber,
    manufacturer: entry.manufacturer ?? system.manufacturer,
    model: entry.model ?? system.model,
    // nobody has it before it is in use, unless he says so
    acquiredOn: entry.acquiredOn ?? dayOf(register.purchaseDate) ?? inOperationOn,
    inOperationOn,
    outOfOperationOn,
    reason: entry.reason,
  }
  return periodsOf(register).map(({ scuId, serial, from, to }) => {
    const unit = scuId === null ? undefined : units.get(scuId)
    const tse: PlaceTse = {
      serialNumber: unit?.entry.serialNumber ?? (serial || null) ?? unit?.serialHexadecimal ?? null,
      startedOn: dayOf(from),
      endedOn: dayOf(to),
      certificationId: numbersOf(unit?.entry.certificationId ?? unit?.certificationId),
      form: unit?.entry.form ?? null,
    }
    return { queueId, scuId, ...known, tse }
  })
}

const dayOf = (moment: Date | null): string | null =>
  moment === null ? null : berlin.text(moment).slice(0, 10)

/** The form takes the two numbers of `BSI-K-TR-0490-2021` alone. */
const numbersOf = (text: string | null | undefined): string | null =>
  /(?:^|-)(\d{4}-\d{4})$/.exec(text ?? '')?.[1] ?? null

/** In their order. What was bought and not started has one without a TSE that has begun. */
function periodsOf({ actions, unitIds, startMoment }: PlaceRegister): Period[] {
  const periods: Period[] = []
  for (const action of actions) note(periods, action)
  if (periods.length > 0) return periods
  const [scuId = null] = unitIds
  return [{ scuId, serial: null, from: startMoment, to: null }]
}

function note(periods: Period[], { type, moment, dataJson }: UnitAction): void {
  const data = objectIn(dataJson ?? '{}')
  const last = periods.at(-1)
  const text = (name: string) => textMember(data, name)?.toLowerCase() ?? null
  if (type === started) {
    const serial = Buffer.from(textMember(data, 'SCUSerialNumberBase64') ?? '', 'base64')
    periods.push({ scuId: text('SCUId'), serial: serial.toString('hex'), from: moment, to: null })
  } else if (type === switchEnded) {
    const scuId = text('TargetSCUId')
    // called off: it went back to the one that it had
    if (last !== undefined && last.scuId === scuId) last.to = null
    else periods.push({ scuId, serial: text('TargetSCUSerialNumberOctet'), from: moment, to: null })
  } else if (last !== undefined) last.to ??= moment
}

// ------------------------------------------------------------------------------- what is missing

const SERIAL = /^[0-9a-f]{64,}$/i
const OF_REGISTER = [
  ...['kind', 'software', 'softwareVersion', 'manufacturer', 'model'],
  ...['acquiredOn', 'inOperationOn'],
] as const satisfies readonly (keyof PlaceSystem)[]

function gapsOfSystem(system: PlaceSystem, at: number): Missing[] {
  const { serialNumber: register, tse } = system
  const ofRegister = (name: string): Missing => ({
    ...{ member: `systems[${at}].${name}`, gap: 'gapRegister', details: { name, register } },
  })
  const ofTse = (name: string): Missing => ({
    ...{ member: `systems[${at}].tse.${name}`, gap: 'gapTse', details: { name, register } },
  })
  const isOut = system.outOfOperationOn !== null
  return [
    ...OF_REGISTER.filter((name) => system[name] === null).map(ofRegister),
    ...(isOut && system.reason === null ? [ofRegister('reason')] : []),
    ...(SERIAL.test(tse.serialNumber ?? '') ? [] : [ofTse('serialNumber')]),
    ...(tse.startedOn === null ? [ofTse('startedOn')] : []),
    ...(tse.certificationId === null ? [ofTse('certificationId')] : []),
    ...(tse.form === null ? [ofTse('form')] : []),
  ]
}

// -------------------------------------------------------------------------------------- the file

const SPACE = 'http://finkonsens.de/elster/elsternachricht/aufzeichnung146a/v1'

/** As Mein ELSTER takes it; docs/schemas/aufzeichnung146a.xsd has its structure. */
function xml({ systems }: PlaceReport): string {
  const inner = { AngabenAufzeichnungssystem: systems.map(rowOf) }
  const tree = { '@xmlns': SPACE, '@version': '1', Aufzeichnung146a: inner }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('Aufzeichnung146a', tree)}\n`
}

function rowOf(system: PlaceSystem): XmlTree {
  const { tse, outOfOperationOn, reason } = system
  return {
    Art: String(system.kind),
    Software: system.software ?? '',
    SoftwareVersion: system.softwareVersion ?? '',
    SeriennummerAS: system.serialNumber,
    Hersteller: system.manufacturer ?? '',
    Modell: system.model ?? '',
    SeriennummerTSE: tse.serialNumber ?? '',
    InbetriebnahmeTSE: german(tse.startedOn),
    BSIID: tse.certificationId ?? '',
    ArtTSE: String(tse.form),
    AnschaffungAS: german(system.acquiredOn),
    InbetriebnahmeAS: german(system.inOperationOn),
    ...(outOfOperationOn === null
      ? {}
      : {
          AusserbetriebnahmeAS: german(outOfOperationOn),
          GrundAusserbetriebnahme: reason ?? '',
        }),
  }
}

const german = (day: string | null): string => (day ?? '').split('-').reverse().join('.')
