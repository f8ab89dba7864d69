// The agreement that a PosOperator signs: the text that the operator of the server has set, else a
// short one of this program.
import { sha256 } from '../../../lib/hash.js'
import { randomId } from '../../../lib/id.js'
import type { Language } from '../../../lib/language.js'
import { insertAgreement } from '../../../store/account/activations.js'
import type { Connection } from '../../../store/transaction.js'
import { WORDS } from '../../../words/words.js'
import type { InvitationDeps } from './deps.js'

export const AGREEMENT_NAME = 'posoperator-agreement'
/** Name of what is stored with an account that nobody was asked about. */
const OPT_IN_NAME = 'posdealer-opt-in-autoinvitation_autoinvitation_'

export interface AgreementText {
  text: string
  /** First characters of its SHA-256: another text has another one. */
  version: string
}

const VERSION_DIGITS = 12

export function agreementOf(
  { agreement }: Pick<InvitationDeps, 'agreement'>,
  language: Language,
): AgreementText {
  const text = agreement ?? WORDS[language].agreement.join('\n\n')
  return { text, version: sha256(text).toString('hex').slice(0, VERSION_DIGITS) }
}

export interface Signature {
  operatorId: string
  dealerId: string
  signedBy: string
  /** Network address; '' where nobody was asked. */
  address: string
  language: Language
}

type On = Pick<Connection, 'query'>

export async function sign(
  deps: Pick<InvitationDeps, 'agreement' | 'now'>,
  on: On,
  signature: Signature,
): Promise<void> {
  const { text } = agreementOf(deps, signature.language)
  await keep(deps, on, { ...signature, name: AGREEMENT_NAME, text })
}

async function keep(
  deps: Pick<InvitationDeps, 'now'>,
  on: On,
  document: Signature & { name: string; text: string },
): Promise<void> {
  const { operatorId, dealerId, signedBy, address, name, text } = document
  await insertAgreement(on, {
    ...{ accountId: operatorId, id: randomId(), name, text, textHash: sha256(text) },
    ...{ signedBy, dealerId, address, moment: deps.now() },
  })
}

/** In the dealer's name, with his opt-in beside it. */
export async function signForOperator(
  deps: Pick<InvitationDeps, 'agreement' | 'now'>,
  on: On,
  signature: Signature,
): Promise<void> {
  await sign(deps, on, signature)
  const { language, dealerId, signedBy } = signature
  const text = WORDS[language].optIn.replace('{dealer}', () => signedBy)
  await keep(deps, on, { ...signature, name: `${OPT_IN_NAME}${dealerId}`, text })
}
