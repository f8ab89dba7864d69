// The agreement that a PosOperator signs: the text that the operator of the server has set, else a
// short one of this program.
import { sha256 } from '../../../lib/hash.js'
import { randomId } from '../../../lib/id.js'
import type { Language } from '../../../lib/language.js'
import { insertAgreement } from '../../../store/account/activations.js'
import type { Connection } from '../../../store/transaction.js'
import type { InvitationDeps } from './deps.js'

export const AGREEMENT_NAME = 'posoperator-agreement'
/** Name of what is stored with an account that nobody was asked about. */
const OPT_IN_NAME = 'posdealer-opt-in-autoinvitation_autoinvitation_'

const USUAL: Readonly<Record<Language, readonly string[]>> = {
  de: [
    'Das Unternehmen nutzt diesen Server, um Belege zu signieren und aufzubewahren.',
    'Der Händler, der eingeladen hat, erhält das genannte Zugriffsrecht. Das ' +
      'Unternehmen kann es jederzeit beenden.',
    'Für die Richtigkeit der Belege und die Einhaltung der Aufzeichnungspflichten ' +
      'bleibt das Unternehmen verantwortlich.',
  ],
  en: [
    'The company uses this server to sign receipts and to keep them.',
    'The dealer who has invited gets the access right that is named. The company ' +
      'can end it at any time.',
    'The company remains responsible for its receipts being right and for its ' +
      'duties to keep records.',
  ],
  fr: [
    'La société utilise ce serveur pour signer et conserver ses reçus.',
    "Le revendeur qui a invité obtient le droit d'accès indiqué. La société peut y " +
      'mettre fin à tout moment.',
    "La société reste responsable de l'exactitude de ses reçus et de ses " +
      'obligations de conservation.',
  ],
  it: [
    "L'azienda usa questo server per firmare e conservare le ricevute.",
    'Il rivenditore che ha invitato ottiene il diritto di accesso indicato. ' +
      "L'azienda può revocarlo in ogni momento.",
    "L'azienda resta responsabile della correttezza delle ricevute e degli " +
      'obblighi di conservazione.',
  ],
  es: [
    'La empresa usa este servidor para firmar y conservar sus recibos.',
    'El distribuidor que ha invitado recibe el derecho de acceso indicado. La ' +
      'empresa puede retirarlo en todo momento.',
    'La empresa sigue siendo responsable de que sus recibos sean correctos y de ' +
      'sus obligaciones de conservación.',
  ],
  pt: [
    'A empresa usa este servidor para assinar e guardar os seus recibos.',
    'O revendedor que convidou obtém o direito de acesso indicado. A empresa pode ' +
      'terminá-lo a qualquer momento.',
    'A empresa continua responsável pela correção dos recibos e pelos deveres de ' + 'conservação.',
  ],
  el: [
    'Η εταιρεία χρησιμοποιεί αυτόν τον διακομιστή για να υπογράφει και να φυλάσσει ' +
      'τις αποδείξεις της.',
    'Ο μεταπωλητής που προσκάλεσε αποκτά το δικαίωμα πρόσβασης που αναφέρεται. Η ' +
      'εταιρεία μπορεί να το τερματίσει οποτεδήποτε.',
    'Η εταιρεία παραμένει υπεύθυνη για την ορθότητα των αποδείξεων και τις ' +
      'υποχρεώσεις φύλαξης.',
  ],
}

/** What a dealer has agreed to who connects companies without asking them. */
const OPT_IN: Readonly<Record<Language, string>> = {
  de:
    '{dealer} hat zugestimmt, Unternehmen ohne Rückfrage anzulegen und zu verbinden, und ' +
    'versichert, dass sie ihn damit beauftragt haben.',
  en:
    '{dealer} has opted in to creating and connecting companies without asking them, and ' +
    'affirms that they have told it to.',
  fr:
    '{dealer} a accepté de créer et de connecter des sociétés sans leur demander, et assure ' +
    "qu'elles l'en ont chargé.",
  it:
    '{dealer} ha accettato di creare e collegare aziende senza chiedere loro, e assicura di ' +
    'averne avuto incarico.',
  es:
    '{dealer} ha aceptado crear y conectar empresas sin preguntarles, y asegura que se lo han ' +
    'encargado.',
  pt:
    '{dealer} aceitou criar e ligar empresas sem lhes perguntar, e garante que elas o ' +
    'encarregaram disso.',
  el:
    'Ο {dealer} συμφώνησε να δημιουργεί και να συνδέει εταιρείες χωρίς να τις ρωτά, και ' +
    'βεβαιώνει ότι του το έχουν αναθέσει.',
}

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
  const text = agreement ?? USUAL[language].join('\n\n')
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
  const text = OPT_IN[language].replace('{dealer}', () => signedBy)
  await keep(deps, on, { ...signature, name: `${OPT_IN_NAME}${dealerId}`, text })
}
