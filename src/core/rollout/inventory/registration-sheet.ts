// What a merchant registers of a cash register, as a sheet to be typed from.
import type { Sheet, SheetField, SheetPart } from '../../../render/sheet/sheet.js'
import type { QueueRegistration, UnitToRegister } from './registration.js'

/** A report with its words. */
export interface SheetReport {
  title: string
  state: string
  due: Date
  doneOn: string | null
  reference: string | null
}

export interface SheetSources {
  registration: QueueRegistration
  /** The key is there, and not for who asks. */
  isKeyHidden: boolean
  merchant: string
  reports: readonly SheetReport[]
  /** Sentences of what is wanting. */
  missing: readonly string[]
  /** Of the market: its days are those of its zone. */
  zone: string
  language: 'de' | 'en' | 'fr'
  now: Date
}

const WORDS = {
  en: {
    title: 'Registration of cash register',
    register: 'Cash register',
    id: 'Identification of the register (Kassen-ID)',
    key: 'AES key (Base64)',
    hidden: 'shown to accounts with the right Full only',
    check: 'Check value of the key',
    kind: 'Kind of closed system',
    value: 'Value of closed system',
    start: 'In operation since',
    end: 'Out of operation since',
    unit: 'Signing unit',
    provider: 'Provider (ZDA)',
    decimal: 'Serial number, decimal',
    hexadecimal: 'Serial number, hexadecimal',
    certification: 'Certification id',
    code: 'Start receipt, machine-readable code',
    reports: 'Reports',
    report: 'What',
    due: 'Due',
    state: 'State',
    done: 'Done',
    missing: 'What is missing',
    queue: 'Queue',
    made: 'Made on',
    states: {
      ...{ planned: 'planned', ready: 'to do', manual: 'done', ignored: 'ignored' },
      superseded: 'no longer needed',
    } as Record<string, string>,
  },
  de: {
    title: 'Registrierung der Kasse',
    register: 'Registrierkasse',
    id: 'Kassenidentifikationsnummer (Kassen-ID)',
    key: 'Benutzerschlüssel AES-256 (Base64)',
    hidden: 'nur für Konten mit dem Recht Full',
    check: 'Prüfwert des Benutzerschlüssels',
    kind: 'Art des geschlossenen Systems',
    value: 'Wert des geschlossenen Systems',
    start: 'In Betrieb seit',
    end: 'Außer Betrieb seit',
    unit: 'Signatureinheit',
    provider: 'Vertrauensdiensteanbieter (ZDA)',
    decimal: 'Seriennummer, dezimal',
    hexadecimal: 'Seriennummer, hexadezimal',
    certification: 'Zertifizierungs-ID',
    code: 'Startbeleg, maschinenlesbarer Code',
    reports: 'Meldungen',
    report: 'Was',
    due: 'Bis',
    state: 'Stand',
    done: 'Erledigt',
    missing: 'Was fehlt',
    queue: 'Queue',
    made: 'Erstellt am',
    states: {
      ...{ planned: 'geplant', ready: 'zu erledigen', manual: 'erledigt', ignored: 'entfällt' },
      superseded: 'überholt',
    } as Record<string, string>,
  },
  fr: {
    title: 'Enregistrement de la caisse',
    register: 'Caisse enregistreuse',
    id: 'Identifiant de la caisse (Kassen-ID)',
    key: 'Clé AES (Base64)',
    hidden: 'réservée aux comptes qui ont le droit Full',
    check: 'Valeur de contrôle de la clé',
    kind: 'Type de système fermé',
    value: 'Valeur du système fermé',
    start: 'En service depuis',
    end: 'Hors service depuis',
    unit: 'Unité de signature',
    provider: 'Prestataire (ZDA)',
    decimal: 'Numéro de série, décimal',
    hexadecimal: 'Numéro de série, hexadécimal',
    certification: 'Identifiant de certification',
    code: 'Ticket de départ, code lisible par machine',
    reports: 'Déclarations',
    report: 'Objet',
    due: "Jusqu'au",
    state: 'État',
    done: 'Fait',
    missing: 'Ce qui manque',
    queue: 'Queue',
    made: 'Établi le',
    states: {
      ...{ planned: 'prévu', ready: 'à faire', manual: 'fait', ignored: 'sans objet' },
      superseded: 'caduc',
    } as Record<string, string>,
  },
} as const

type Words = (typeof WORDS)['en' | 'de' | 'fr']

export function registrationSheet(sources: SheetSources): Sheet {
  const { registration, merchant, missing, zone, language, now } = sources
  const words = WORDS[language]
  const { startReceipt, units } = registration
  const code = startReceipt?.code ?? null
  const parts: SheetPart[] = [
    { kind: 'fields', heading: words.register, fields: registerFields(sources, words) },
    ...units.map((unit, at) => unitPart(unit, `${words.unit} ${at + 1}`, words)),
    ...(code === null
      ? []
      : [{ kind: 'code', heading: words.code, data: code, label: words.code } as const]),
    ...reportParts(sources, words),
    ...(missing.length === 0
      ? []
      : [{ kind: 'notes', heading: words.missing, lines: missing } as const]),
  ]
  const made = `${words.made} ${momentText(now, zone, language)}`
  return {
    ...{ language, parts, moment: now },
    title: `${words.title} ${registration.cashBoxIdentification}`,
    subtitle: merchant,
    footer: `${words.queue} ${registration.queueId} · ${made}`,
  }
}

function registerFields(
  { registration, isKeyHidden, zone, language }: SheetSources,
  words: Words,
): SheetField[] {
  const { encryptionKeyBase64, closedSystemKind, closedSystemValue } = registration
  const { commissioningDate, decommissioningDate } = registration
  const moment = (at: Date | null) => (at === null ? null : momentText(at, zone, language))
  return [
    { label: words.id, value: registration.cashBoxIdentification, isExact: true },
    ...exact(words.key, encryptionKeyBase64),
    ...(isKeyHidden ? plain(words.key, words.hidden) : []),
    ...exact(words.check, registration.encryptionKeyCheckValue),
    ...plain(words.kind, closedSystemKind),
    ...exact(words.value, closedSystemValue),
    ...plain(words.start, moment(commissioningDate)),
    ...plain(words.end, moment(decommissioningDate)),
  ]
}

function unitPart(unit: UnitToRegister, heading: string, words: Words): SheetPart {
  const fields = [
    ...exact(words.provider, unit.zda),
    ...exact(words.decimal, unit.serialDecimal),
    ...exact(words.hexadecimal, unit.serialHexadecimal),
    ...exact(words.certification, unit.certificationId),
    { label: 'SCU', value: unit.scuId },
  ]
  return { kind: 'fields', heading, fields }
}

function reportParts({ reports, zone, language }: SheetSources, words: Words): SheetPart[] {
  if (reports.length === 0) return []
  const columns = [
    { name: words.report, share: 5 },
    { name: words.due, share: 3 },
    { name: words.state, share: 2 },
    { name: words.done, share: 4 },
  ]
  const rows = reports.map(({ title, due, state, doneOn, reference }) => [
    ...[title, momentText(due, zone, language), words.states[state] ?? state],
    [doneOn, reference].filter((text) => text !== null).join(', '),
  ])
  return [{ kind: 'table', heading: words.reports, columns, rows }]
}

const exact = (label: string, value: string | null): SheetField[] =>
  value === null ? [] : [{ label, value, isExact: true }]

const plain = (label: string, value: string | null): SheetField[] =>
  value === null ? [] : [{ label, value }]

function momentText(at: Date, timeZone: string, language: string): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...{ timeZone, dateStyle: 'medium', timeStyle: 'short' },
  }).format(at)
}
