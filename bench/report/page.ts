// docs/performance.md, made from one result.
import * as fs from 'node:fs'
import { PARTS, type PartName } from '../options.js'
import { type Figure, holds } from './figures.js'
import type { KeptPart, Result } from './results.js'

const PAGE = new URL('../../docs/performance.md', import.meta.url)

const TITLES: Record<PartName, string> = {
  core: 'Fiscal core',
  json: 'Reading a receipt',
  start: 'Start',
  echo: 'Echo',
  sign: 'Signing over HTTP',
  export: 'Export',
  verify: 'Verifying',
  tse: 'German TSE',
  devices: 'Certified devices outside',
  germany: 'Germany over HTTP, and its exports',
  france: 'France over HTTP',
  possystem: 'PosSystem API',
  soap: 'SOAP and REST XML',
  render: 'Shown receipts',
  grpc: 'gRPC',
  dealer: 'Dealer API',
  fleet: 'Lists and search of the Platform',
  portal: 'The portal in a browser: first view and lists',
  'portal-work': 'The portal in a browser: files and events',
  events: 'Events of the Platform',
  beside: 'Signing beside exports and imports',
  rows: 'Signing with many rows stored',
  processes: 'Several processes behind one port',
  autopilot: 'Receipts beside the outage autopilot',
  blocks: 'Large calls beside small ones',
}

export function writePage(result: Result): void {
  fs.writeFileSync(PAGE, pageOf(result))
}

export function pageOf(result: Result): string {
  const parts = PARTS.flatMap((name) => {
    const part = result.parts[name]
    return part === undefined ? [] : [{ name, part }]
  })
  const figures = parts.flatMap(({ part }) => part.figures)
  const told = parts.flatMap(({ part }) => {
    const day = olderDay(part, result)
    return part.figures.map((one) => (day === '' ? one : { ...one, name: `${one.name} (${day})` }))
  })
  return [
    '# Performance',
    'Written by `npm run bench` from the newest results of each part in ' +
      '[bench/results](../bench/results); change the bench, not this page. ' +
      '[bench/README.md](../bench/README.md) says how it is measured.',
    machineText(result),
    '## Targets',
    targetTable(told),
    '## What limits it',
    limits(figures),
    'Where the time goes, by profile: [sign-profile.md](sign-profile.md).',
    '## Several processes',
    several(figures),
    '## Everything measured',
    ...parts.flatMap(({ name, part }) => sectionOf(name, part, olderDay(part, result))),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Of a part that was not measured again; '' for the others. */
const olderDay = ({ measured }: KeptPart, { date }: Result): string =>
  measured.startsWith(date) ? '' : measured.slice(0, 10)

function machineText({ date, machine, node, postgres }: Result): string {
  const database = postgres === null ? '' : `, PostgreSQL ${postgres}`
  return (
    `Measured on ${date}: ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ` +
    `${machine.system}, Node ${node}${database}. The load generator and the database share these ` +
    'cores with the server. Ratios carry over to other machines, absolute numbers do not.'
  )
}

function targetTable(figures: Figure[]): string {
  const rows = figures.flatMap((figure) => {
    const held = holds(figure)
    if (held === undefined) return []
    return [
      `| ${figure.name} | ${measured(figure)} | ${targetOf(figure)} | ${held ? 'yes' : '**no**'} |`,
    ]
  })
  return ['| what | measured | target | holds |', '|---|---|---|---|', ...rows].join('\n')
}

function targetOf({ target, unit }: Figure): string {
  if (target === undefined) return ''
  return 'atLeast' in target
    ? `at least ${numberText(target.atLeast)} ${unit}`
    : `at most ${numberText(target.atMost)} ${unit}`
}

function measured({ value, unit }: Figure): string {
  return `${numberText(value)} ${unit}`
}

function numberText(value: number): string {
  return value.toLocaleString('en-GB', { maximumSignificantDigits: 4 })
}

/** Sentences with the figures of this result; one whose figure is missing is left out. */
function limits(figures: Figure[]): string {
  const find = (start: string) => figures.find((figure) => figure.name.startsWith(start))
  const sentences: [text: (value: string) => string, name: string][] = [
    [
      (value) =>
        '- **The main thread of Node.** Everything that a receipt needs before and after the ' +
        `database runs there: ${value} of processor time per receipt with 64 queues and ` +
        '128 clients.',
      'Processor time of the server per receipt',
    ],
    [
      (value) =>
        `- Of that, HTTP, the token and the answer take about what an echo takes: ${value}.`,
      'Processor time of the server per echo',
    ],
    [
      (value) => `- Reading the request without losing a digit takes ${value}.`,
      'Receipt request read and checked',
    ],
    [
      (value) => `- The signature itself is the largest single step: ${value} in one thread.`,
      'ECDSA P-256 alone',
    ],
    [
      (value) =>
        '- **Receipts per statement.** While one statement commits the next one gathers: ' +
        `${value} ` +
        'under this load. That is why one queue is as fast as 64, where a database alone is ' +
        'slowed ' +
        'down by the lock on the head of the queue.',
      'Receipts per statement',
    ],
    [
      (value) =>
        `- The machine is ${value} in use then, PostgreSQL and the load generator included: more ` +
        'cores help by [further server processes](#several-processes).',
      'Machine in use while signing',
    ],
  ]
  return sentences
    .flatMap(([text, name]) => {
      const figure = find(name)
      return figure === undefined ? [] : [text(measured(figure))]
    })
    .join('\n')
}

/** Where the model looks. */
const MODEL_CORES = 16

/** What more processors bring, by what a receipt costs on this machine. */
function several(figures: Figure[]): string {
  const micros = (name: string) => figures.find((figure) => figure.name === name)?.value
  const server = micros('Processor time of the server per receipt')
  const database = micros('Processor time of PostgreSQL per receipt')
  const how =
    '`PROCESSES` puts several server processes behind one port; each CashBox keeps to one of ' +
    'them, so that they do not wait for each other at a Queue.'
  if (server === undefined || database === undefined) {
    return `${how} What they cost is in [sign-profile.md](sign-profile.md).`
  }
  const both = server + database
  const processes = Math.max(1, Math.round((MODEL_CORES * server) / both))
  return (
    `${how} A receipt costs ${numberText(server)} µs of the server and ${numberText(database)} ` +
    `µs of PostgreSQL. With ${MODEL_CORES} processors ${processes} processes take their part and ` +
    `PostgreSQL the rest: at most ${numberText((MODEL_CORES * 1e6) / both)} receipts/s, if the ` +
    'disk commits as fast. This is a model from the costs above, not a measurement.'
  )
}

function sectionOf(name: PartName, part: KeptPart, day: string): string[] {
  const rows = part.figures.map((figure) => `| ${figure.name} | ${measured(figure)} |`)
  const how =
    `Rounds: ${part.roundCount}, ${part.seconds} s each; load of the machine before: ` +
    `${part.loadBefore}.`
  return [
    `### ${TITLES[name]}`,
    ['| what | median |', '|---|---|', ...rows].join('\n'),
    [...(day === '' ? [] : [`Measured on ${day}.`]), how, ...part.notes].join(' '),
  ]
}
