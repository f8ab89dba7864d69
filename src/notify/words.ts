// The words of messages in five languages, one table per kind of message.

export const LANGUAGES = ['de', 'en', 'fr', 'it', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** `{company}` and `{number}` are replaced. */
interface ReceiptWords {
  subject: string
  hello: string
  text: string
  /** Where something is attached. */
  attached: string
  link: string
  footer: string
}

export const RECEIPT_WORDS: Record<Language, ReceiptWords> = {
  de: {
    subject: '{company}: Beleg {number}',
    hello: 'Guten Tag,',
    text: 'hier ist Ihr Beleg {number} von {company}.',
    attached: 'Der Beleg liegt dieser Nachricht bei.',
    link: 'Beleg ansehen',
    footer:
      'Sie erhalten diese Nachricht einmalig, weil beim Einkauf diese Adresse für den Beleg ' +
      'angegeben wurde. Bitte antworten Sie nicht darauf.',
  },
  en: {
    subject: '{company}: receipt {number}',
    hello: 'Hello,',
    text: 'here is your receipt {number} from {company}.',
    attached: 'The receipt is attached to this message.',
    link: 'View receipt',
    footer:
      'You get this message once, because this address was given for the receipt of a ' +
      'purchase. Please do not reply to it.',
  },
  fr: {
    subject: '{company} : reçu {number}',
    hello: 'Bonjour,',
    text: 'voici votre reçu {number} de {company}.',
    attached: 'Le reçu est joint à ce message.',
    link: 'Voir le reçu',
    footer:
      'Vous recevez ce message une seule fois, car cette adresse a été indiquée pour le reçu ' +
      'd’un achat. Merci de ne pas y répondre.',
  },
  it: {
    subject: '{company}: ricevuta {number}',
    hello: 'Buongiorno,',
    text: 'ecco la Sua ricevuta {number} di {company}.',
    attached: 'La ricevuta è allegata a questo messaggio.',
    link: 'Vedi la ricevuta',
    footer:
      'Riceve questo messaggio una sola volta, perché questo indirizzo è stato indicato per la ' +
      'ricevuta di un acquisto. La preghiamo di non rispondere.',
  },
  es: {
    subject: '{company}: recibo {number}',
    hello: 'Buenos días:',
    text: 'aquí tiene su recibo {number} de {company}.',
    attached: 'El recibo va adjunto a este mensaje.',
    link: 'Ver el recibo',
    footer:
      'Recibe este mensaje una sola vez porque se indicó esta dirección para el recibo de una ' +
      'compra. Por favor, no responda a este mensaje.',
  },
}

/** Puts values into the places of a text. A value is never looked at for places again. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  const whole = text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  // around a value that is empty
  return whole.replace(/ +/g, ' ').replace(/ (?=[.,]|$)/g, '')
}

const COUNTRIES: Record<string, Language> = {
  ...{ AT: 'de', CH: 'de', DE: 'de', LI: 'de', BE: 'fr', FR: 'fr', LU: 'fr', MC: 'fr' },
  ...{ IT: 'it', SM: 'it', ES: 'es' },
}

/** Of messages from a country when the reader has no wish. */
export function messageLanguage(country: string): Language {
  return COUNTRIES[country] ?? 'en'
}

export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((one) => one === text)
}
