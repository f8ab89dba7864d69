// The Portuguese members of status, configuration and raw journal exports; what is only counted is
// not shown.

import type { BookDocument } from '../../device/pt/document.js'
import { formOf } from '../../lib/form.js'
import { describedBy, textOrNull } from '../kit/describe.js'
import { CHAINS, documents, kindOf, slotOf } from './cases.js'
import forms from './describe.json' with { type: 'json' }
import type { PtState } from './queue.js'

const seriesOf = formOf(forms.series)

export const describe = describedBy<PtState, BookDocument>(forms, {
  kinds: CHAINS,
  queue: ({ series, issuer }) => ({
    nif: issuer?.nif ?? null,
    numerators: CHAINS.flatMap((chain) => {
      const one = series[chain]
      if (one === undefined) return []
      const { type } = documents[slotOf(chain)]
      const last = { hash: textOrNull(one.lastHash), entry: textOrNull(one.lastEntry) }
      const identifier = `${type} ${one.name}`
      return seriesOf({ ...one, ...last, type, kind: kindOf(chain), identifier })
    }),
  }),
})
