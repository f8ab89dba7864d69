// What is registered of a queue, as lines for people.
import type { QueueRegistration } from '../core/rollout/inventory/registration.js'

type Shown = Omit<QueueRegistration, 'missing'> & { missing: { member: string; message: string }[] }

/** Name and value of each member; at the end what is wanting. */
export function registrationLines(shown: Shown): string {
  const { units, startReceipt, notification, missing, ...rest } = shown
  const lines = [
    ...membersOf(rest),
    ...units.flatMap(({ mode: _mode, ...unit }) => membersOf(unit)),
    ['startReceipt', startReceipt?.code ?? '-'],
    ...Object.entries(notification ?? {}).flatMap(([part, value]) =>
      membersOf(value as object).map(([name, text]) => [`${part}.${name}`, text]),
    ),
    ...missing.map(({ message }) => ['missing', message]),
  ]
  return lines.map(([name = '', value]) => `${name.padEnd(30)}  ${value}`).join('\n')
}

const membersOf = (value: object): string[][] =>
  Object.entries(value).map(([name, one]) => [name, textOf(one)])

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '-')
