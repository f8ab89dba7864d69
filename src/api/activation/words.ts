// The words of the activation page.
import type { Language } from '../../lib/language.js'

/** `{dealer}` and `{company}` are replaced. */
export type PageWords = Readonly<
  Record<
    | 'title'
    | 'asks'
    | 'Full'
    | 'ReadWrite'
    | 'Read'
    | 'agreement'
    | 'version'
    | 'name'
    | 'tick'
    | 'accept'
    | 'missing'
    | 'accepted'
    | 'expired'
    | 'again'
    | 'sent'
    | 'notSent'
    | 'unknown'
    | 'limited',
    string
  >
>

export const PAGE_WORDS: Readonly<Record<Language, PageWords>> = {
  de: {
    title: 'Einladung annehmen',
    asks: '{dealer} möchte mit {company} verbunden werden.',
    Full: '{dealer} erhält vollen Zugriff und darf in Ihrem Namen Verträge abschließen.',
    ReadWrite: '{dealer} darf Ihre Daten lesen und ändern.',
    Read: '{dealer} darf Ihre Daten lesen.',
    agreement: 'Vereinbarung',
    version: 'Fassung',
    name: 'Ihr Name',
    tick: 'Ich habe die Vereinbarung gelesen und stimme ihr zu.',
    accept: 'Annehmen',
    missing: 'Bitte geben Sie Ihren Namen ein und stimmen Sie der Vereinbarung zu.',
    accepted: '{company} ist mit {dealer} verbunden. Sie können diese Seite schließen.',
    expired: 'Dieser Link ist abgelaufen: Er galt 24 Stunden.',
    again: 'Neuen Link senden',
    sent: 'Ein neuer Link ist unterwegs an Ihre E-Mail-Adresse.',
    notSent:
      'Es konnte kein neuer Link gesendet werden. Bitte wenden Sie sich an ' + 'Ihren Händler.',
    unknown:
      'Diesen Link gibt es nicht. Bitte öffnen Sie den Link aus der letzten ' +
      'E-Mail vollständig oder wenden Sie sich an Ihren Händler.',
    limited: 'Zu viele Versuche. Bitte versuchen Sie es in einer Minute erneut.',
  },
  en: {
    title: 'Accept the invitation',
    asks: '{dealer} asks to be connected with {company}.',
    Full: '{dealer} gets full access and may conclude contracts in your name.',
    ReadWrite: '{dealer} may read and change your data.',
    Read: '{dealer} may read your data.',
    agreement: 'Agreement',
    version: 'Version',
    name: 'Your name',
    tick: 'I have read the agreement and accept it.',
    accept: 'Accept',
    missing: 'Please enter your name and accept the agreement.',
    accepted: '{company} is connected with {dealer}. You can close this page.',
    expired: 'This link has expired: it was good for 24 hours.',
    again: 'Send again',
    sent: 'A new link is on its way to your e-mail address.',
    notSent: 'No new link could be sent. Please ask your dealer.',
    unknown:
      'There is no such link. Please open the whole link of the latest ' +
      'e-mail, or ask your dealer.',
    limited: 'Too many tries. Please try again in a minute.',
  },
  fr: {
    title: 'Accepter l’invitation',
    asks: '{dealer} souhaite être connecté à {company}.',
    Full: '{dealer} obtient un accès complet et peut conclure des contrats en votre nom.',
    ReadWrite: '{dealer} peut lire et modifier vos données.',
    Read: '{dealer} peut lire vos données.',
    agreement: 'Accord',
    version: 'Version',
    name: 'Votre nom',
    tick: 'J’ai lu l’accord et je l’accepte.',
    accept: 'Accepter',
    missing: 'Veuillez saisir votre nom et accepter l’accord.',
    accepted: '{company} est connecté à {dealer}. Vous pouvez fermer cette page.',
    expired: 'Ce lien a expiré : il était valable 24 heures.',
    again: 'Envoyer à nouveau',
    sent: 'Un nouveau lien est en route vers votre adresse e-mail.',
    notSent: 'Aucun nouveau lien n’a pu être envoyé. Adressez-vous à votre revendeur.',
    unknown:
      'Ce lien n’existe pas. Ouvrez le lien complet du dernier e-mail ou ' +
      'adressez-vous à votre revendeur.',
    limited: 'Trop d’essais. Réessayez dans une minute.',
  },
  it: {
    title: 'Accettare l’invito',
    asks: '{dealer} chiede di essere connesso a {company}.',
    Full: '{dealer} ottiene pieno accesso e può concludere contratti a Suo nome.',
    ReadWrite: '{dealer} può leggere e modificare i Suoi dati.',
    Read: '{dealer} può leggere i Suoi dati.',
    agreement: 'Accordo',
    version: 'Versione',
    name: 'Il Suo nome',
    tick: 'Ho letto l’accordo e lo accetto.',
    accept: 'Accettare',
    missing: 'Inserisca il Suo nome e accetti l’accordo.',
    accepted: '{company} è connesso a {dealer}. Può chiudere questa pagina.',
    expired: 'Questo link è scaduto: valeva 24 ore.',
    again: 'Inviare di nuovo',
    sent: 'Un nuovo link è in arrivo al Suo indirizzo e-mail.',
    notSent: 'Non è stato possibile inviare un nuovo link. Si rivolga al Suo rivenditore.',
    unknown:
      'Questo link non esiste. Apra il link completo dell’ultima e-mail o si ' +
      'rivolga al Suo rivenditore.',
    limited: 'Troppi tentativi. Riprovi tra un minuto.',
  },
  es: {
    title: 'Aceptar la invitación',
    asks: '{dealer} pide conectarse con {company}.',
    Full: '{dealer} obtiene acceso completo y puede celebrar contratos en su nombre.',
    ReadWrite: '{dealer} puede leer y cambiar sus datos.',
    Read: '{dealer} puede leer sus datos.',
    agreement: 'Acuerdo',
    version: 'Versión',
    name: 'Su nombre',
    tick: 'He leído el acuerdo y lo acepto.',
    accept: 'Aceptar',
    missing: 'Introduzca su nombre y acepte el acuerdo.',
    accepted: '{company} está conectada con {dealer}. Puede cerrar esta página.',
    expired: 'Este enlace ha caducado: valía 24 horas.',
    again: 'Enviar de nuevo',
    sent: 'Un nuevo enlace va de camino a su correo.',
    notSent: 'No se ha podido enviar un nuevo enlace. Pregunte a su distribuidor.',
    unknown:
      'Este enlace no existe. Abra el enlace completo del último correo o ' +
      'pregunte a su distribuidor.',
    limited: 'Demasiados intentos. Inténtelo de nuevo en un minuto.',
  },
  pt: {
    title: 'Aceitar o convite',
    asks: '{dealer} pede para ser ligado a {company}.',
    Full: '{dealer} obtém acesso total e pode celebrar contratos em seu nome.',
    ReadWrite: '{dealer} pode ler e alterar os seus dados.',
    Read: '{dealer} pode ler os seus dados.',
    agreement: 'Acordo',
    version: 'Versão',
    name: 'O seu nome',
    tick: 'Li o acordo e aceito-o.',
    accept: 'Aceitar',
    missing: 'Introduza o seu nome e aceite o acordo.',
    accepted: '{company} está ligada a {dealer}. Pode fechar esta página.',
    expired: 'Esta ligação expirou: era válida por 24 horas.',
    again: 'Enviar de novo',
    sent: 'Uma nova ligação vai a caminho do seu e-mail.',
    notSent: 'Não foi possível enviar nova ligação. Pergunte ao seu revendedor.',
    unknown:
      'Esta ligação não existe. Abra a ligação completa do último e-mail ou ' +
      'pergunte ao seu revendedor.',
    limited: 'Demasiadas tentativas. Tente de novo daqui a um minuto.',
  },
  el: {
    title: 'Αποδοχή της πρόσκλησης',
    asks: '{dealer} ζητά σύνδεση με {company}.',
    Full: '{dealer} αποκτά πλήρη πρόσβαση και μπορεί να συνάπτει συμβάσεις στο όνομά σας.',
    ReadWrite: '{dealer} μπορεί να διαβάζει και να αλλάζει τα δεδομένα σας.',
    Read: '{dealer} μπορεί να διαβάζει τα δεδομένα σας.',
    agreement: 'Συμφωνία',
    version: 'Έκδοση',
    name: 'Το όνομά σας',
    tick: 'Διάβασα τη συμφωνία και την αποδέχομαι.',
    accept: 'Αποδοχή',
    missing: 'Συμπληρώστε το όνομά σας και αποδεχθείτε τη συμφωνία.',
    accepted: '{company} και {dealer} είναι συνδεδεμένοι. Μπορείτε να κλείσετε τη σελίδα.',
    expired: 'Ο σύνδεσμος έληξε: ίσχυε για 24 ώρες.',
    again: 'Αποστολή ξανά',
    sent: 'Νέος σύνδεσμος έρχεται στο e-mail σας.',
    notSent: 'Δεν ήταν δυνατή η αποστολή νέου συνδέσμου. Ρωτήστε τον μεταπωλητή σας.',
    unknown:
      'Δεν υπάρχει τέτοιος σύνδεσμος. Ανοίξτε ολόκληρο τον σύνδεσμο του ' +
      'τελευταίου e-mail ή ρωτήστε τον μεταπωλητή σας.',
    limited: 'Πάρα πολλές προσπάθειες. Δοκιμάστε ξανά σε ένα λεπτό.',
  },
}
