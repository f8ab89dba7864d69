// What is said of every event that a test causes (test/support/thin-events.ts) is not said of all.
import { expect, it } from 'vitest'
import { eventKinds } from '../../../src/core/event/kinds.js'
import { thickIn } from '../../support/thin-events.js'

it('the examples of all types are thin', () => {
  for (const [type, { example }] of Object.entries(eventKinds)) {
    expect(thickIn(type, JSON.stringify(example))).toBeUndefined()
  }
})

it.each([
  ['a member that the type has not', 'queue.started', { name: 'x' }],
  ['a name', 'invitation.sent', { operatorId: 'Café Zentral' }],
  ['an address', 'invitation.sent', { operatorId: 'max@example.com' }],
  ['a secret', 'webhook.disabled', { reason: `whsec_${'A'.repeat(90)}=` }],
  ['an object', 'queue.unit_changed', { scuId: { id: 1 } }],
])('%s is found', (_what, type, data) => {
  expect(thickIn(type, JSON.stringify(data))).toContain(type)
})
