// All registers of a place as a sheet to be typed from into the form of the authority.
import type { PlaceSystem } from '../../../model/place.js'
import type { NotifiedAddress } from '../../../model/queue-facts.js'
import type { Sheet, SheetField, SheetPart } from '../../../render/sheet/sheet.js'
import type { PlaceView } from './place.js'

export interface PlaceSheetSources {
  view: PlaceView
  merchant: string
  number: number
  /** Sentences of what is wanting. */
  missing: readonly string[]
  language: 'de' | 'en' | 'fr'
  now: Date
}

const WORDS = {
  de: {
    title: 'Mitteilung nach § 146a Abs. 4 AO: Betriebsstätte',
    merchant: 'Steuerpflichtiger',
    outlet: 'Betriebsstätte',
    name: 'Name',
    address: 'Anschrift',
    taxNumber: 'Steuernummer',
    identificationNumber: 'Identifikationsnummer',
    count: 'Anzahl der Angaben',
    system: 'Aufzeichnungssystem',
    kind: 'Art',
    software: 'Software',
    softwareVersion: 'Software-Version',
    serialNumber: 'Seriennummer',
    manufacturer: 'Hersteller',
    model: 'Modell',
    tse: 'Seriennummer der TSE',
    started: 'Inbetriebnahme der TSE',
    ended: 'TSE verwendet bis',
    certification: 'BSI-ID',
    form: 'Art der TSE',
    forms: ['', 'SD-Karte (1)', 'USB-Stick (2)', 'Cloud (3)'],
    acquiredOn: 'Anschaffung',
    inOperationOn: 'Inbetriebnahme',
    outOfOperationOn: 'Außerbetriebnahme',
    reason: 'Grund der Außerbetriebnahme',
    changes: 'Änderungen seit der letzten Mitteilung',
    never: 'Bisher wurde nichts mitgeteilt.',
    none: 'Keine.',
    what: { added: 'neu', removed: 'entfällt', changed: 'geändert' },
    missing: 'Was fehlt',
    made: 'Stand',
  },
  en: {
    title: 'Notification by § 146a (4) AO: place',
    merchant: 'Taxpayer',
    outlet: 'Place of business',
    name: 'Name',
    address: 'Address',
    taxNumber: 'Tax number',
    identificationNumber: 'Identification number',
    count: 'Number of entries',
    system: 'Recording system',
    kind: 'Kind',
    software: 'Software',
    softwareVersion: 'Version of the software',
    serialNumber: 'Serial number',
    manufacturer: 'Manufacturer',
    model: 'Model',
    tse: 'Serial number of the TSE',
    started: 'TSE in operation from',
    ended: 'TSE used until',
    certification: 'BSI id',
    form: 'Kind of TSE',
    forms: ['', 'SD card (1)', 'USB stick (2)', 'cloud (3)'],
    acquiredOn: 'Acquired',
    inOperationOn: 'In operation from',
    outOfOperationOn: 'Out of operation from',
    reason: 'Reason',
    changes: 'Changes since the last notification',
    never: 'Nothing has been notified yet.',
    none: 'None.',
    what: { added: 'new', removed: 'gone', changed: 'changed' },
    missing: 'What is missing',
    made: 'As of',
  },
  fr: {
    title: 'Déclaration selon § 146a (4) AO : établissement',
    merchant: 'Contribuable',
    outlet: 'Établissement',
    name: 'Nom',
    address: 'Adresse',
    taxNumber: 'Numéro fiscal',
    identificationNumber: "Numéro d'identification",
    count: "Nombre d'entrées",
    system: "Système d'enregistrement",
    kind: 'Type',
    software: 'Logiciel',
    softwareVersion: 'Version du logiciel',
    serialNumber: 'Numéro de série',
    manufacturer: 'Fabricant',
    model: 'Modèle',
    tse: 'Numéro de série de la TSE',
    started: 'Mise en service de la TSE',
    ended: "TSE utilisée jusqu'au",
    certification: 'Identifiant BSI',
    form: 'Type de TSE',
    forms: ['', 'carte SD (1)', 'clé USB (2)', 'cloud (3)'],
    acquiredOn: 'Acquisition',
    inOperationOn: 'Mise en service',
    outOfOperationOn: 'Mise hors service',
    reason: 'Motif',
    changes: 'Changements depuis la dernière déclaration',
    never: "Rien n'a encore été déclaré.",
    none: 'Aucun.',
    what: { added: 'nouveau', removed: 'supprimé', changed: 'modifié' },
    missing: 'Ce qui manque',
    made: 'État au',
  },
} as const

type Words = (typeof WORDS)['de' | 'en' | 'fr']

export function placeSheet({ view, language, now, ...sources }: PlaceSheetSources): Sheet {
  const words = WORDS[language]
  const { merchant, outlet, systems } = view.report
  const count = { label: words.count, value: String(systems.length) }
  const parts: SheetPart[] = [
    {
      kind: 'fields',
      heading: words.merchant,
      fields: [
        ...field(words.name, merchant?.name ?? sources.merchant),
        ...field(words.address, addressOf(merchant)),
        ...field(words.taxNumber, merchant?.taxNumber ?? merchant?.taxId ?? null),
        ...field(words.identificationNumber, merchant?.identificationNumber ?? null),
      ],
    },
    {
      kind: 'fields',
      heading: words.outlet,
      fields: [
        ...field(words.name, outlet?.name ?? null),
        ...field(words.address, addressOf(outlet)),
        count,
      ],
    },
    ...systems.map((system, at) => systemPart(system, `${words.system} ${at + 1}`, words)),
    { kind: 'notes', heading: words.changes, lines: changeLines(view, words) },
    ...(sources.missing.length === 0
      ? []
      : [{ kind: 'notes', heading: words.missing, lines: sources.missing } as const]),
  ]
  const day = now.toISOString().slice(0, 16).replace('T', ' ')
  return {
    ...{ language, parts, moment: now, title: `${words.title} ${sources.number}` },
    subtitle: outlet?.name ?? sources.merchant,
    footer: `${sources.merchant} · ${words.outlet} ${sources.number} · ${words.made} ${day} UTC`,
  }
}

function systemPart(system: PlaceSystem, heading: string, words: Words): SheetPart {
  const { tse } = system
  const fields = [
    ...field(words.kind, system.kind === null ? null : String(system.kind)),
    ...field(words.software, system.software),
    ...field(words.softwareVersion, system.softwareVersion),
    ...field(words.serialNumber, system.serialNumber, true),
    ...field(words.manufacturer, system.manufacturer),
    ...field(words.model, system.model),
    ...field(words.tse, tse.serialNumber, true),
    ...field(words.started, shownDay(tse.startedOn)),
    ...(tse.endedOn === null ? [] : field(words.ended, shownDay(tse.endedOn))),
    ...field(words.certification, tse.certificationId, true),
    ...field(words.form, tse.form === null ? null : (words.forms[tse.form] ?? String(tse.form))),
    ...field(words.acquiredOn, shownDay(system.acquiredOn)),
    ...field(words.inOperationOn, shownDay(system.inOperationOn)),
    ...(system.outOfOperationOn === null
      ? []
      : [
          ...field(words.outOfOperationOn, shownDay(system.outOfOperationOn)),
          ...field(words.reason, system.reason),
        ]),
  ]
  return { kind: 'fields', heading, fields }
}

function changeLines({ toldOn, changes }: PlaceView, words: Words): string[] {
  if (toldOn === null) return [words.never]
  if (changes.length === 0) return [words.none]
  return changes.map(({ what, serialNumber, tseSerialNumber, members }) =>
    [words.what[what], serialNumber, tseSerialNumber ?? '', members.join(', ')]
      .filter((text) => text !== '')
      .join(' · '),
  )
}

/** Empty where it is unknown: the form has a place for it. */
const field = (label: string, value: string | null, isExact = false): SheetField[] => [
  { label, value: value ?? '', isExact },
]

function addressOf(place: NotifiedAddress | null): string | null {
  if (place === null) return null
  const { street, postalCode, city, country } = place
  const town = [postalCode, city].filter((part) => part !== null).join(' ')
  const parts = [street, town, country].filter((part) => part !== null && part !== '')
  return parts.length === 0 ? null : parts.join(', ')
}

/** DD.MM.YYYY, as the form has it. */
const shownDay = (day: string | null): string | null =>
  day === null ? null : day.split('-').reverse().join('.')
