// Echo of group D: the message comes back; a message that is null has the cash box read anew.
import type { Execution } from '../../core/operation/operation.js'
import { writeJson } from '../../lib/json-write.js'
import { memberOf, objectOf, textOf } from './body.js'
import { JSON_TYPE, type PosCall, type Prepare } from './call.js'
import type { PosSystemDeps } from './deps.js'

export type EchoDeps = Pick<PosSystemDeps, 'forget' | 'settings'>

export function prepareEcho({ forget, settings }: EchoDeps): Prepare {
  return (call: PosCall): Promise<Execution> => {
    const value = memberOf(objectOf(call.bodyText), 'Message')
    const message = value === undefined ? null : textOf(value, 'Message')
    const answer = {
      status: settings.echoStatus,
      contentType: JSON_TYPE,
      body: writeJson({ Message: message }),
    }
    return Promise.resolve({
      kind: 'noted',
      run: async () => {
        if (message === null) await forget(call.access)
        return answer
      },
    })
  }
}
