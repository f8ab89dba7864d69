// The words of invitation e-mails.
import type { Language } from '../lib/language.js'

/** `{dealer}`, `{company}`, `{contact}`, `{email}` and `{reference}` are replaced. */
export type InvitationWords = Readonly<
  Record<
    | 'subject'
    | 'hello'
    | 'newIntro'
    | 'connectIntro'
    | 'connectedIntro'
    | 'free'
    | 'day'
    | 'agreement'
    | 'newLink'
    | 'connectLink'
    | 'connectedLink'
    | 'Full'
    | 'ReadWrite'
    | 'Read'
    | 'noReply'
    | 'footer',
    string
  >
>

export const INVITATION_WORDS: Readonly<Record<Language, InvitationWords>> = {
  de: {
    subject: 'fiskalwerk: Einladung und Verbindungsanfrage mit {company} [{reference}]',
    hello: 'Guten Tag {contact},',
    newIntro: '{dealer} lädt Sie ein, {company} bei fiskalwerk zu registrieren.',
    connectIntro: '{dealer} möchte mit dem Konto von {company} verbunden werden.',
    connectedIntro:
      '{dealer} hat für {company} ein Konto bei fiskalwerk angelegt und sich ' +
      'damit verbunden. Sie müssen nichts tun.',
    free:
      'Die Registrierung kostet nichts. Das Konto wird {dealer} als ' + 'PosOperator zugeordnet.',
    day: 'Der Link gilt 24 Stunden und kann einmal verwendet werden.',
    agreement:
      'Die Vereinbarung wurde in Ihrem Namen durch {dealer} unterzeichnet. ' +
      'Sie können sie unter dem Link lesen.',
    newLink: 'Registrieren und verbinden',
    connectLink: 'Verbinden',
    connectedLink: 'Vereinbarung lesen',
    Full: '{dealer} erhält vollen Zugriff und darf in Ihrem Namen Verträge ' + 'abschließen.',
    ReadWrite: '{dealer} darf Ihre Daten lesen und ändern.',
    Read: '{dealer} darf Ihre Daten lesen.',
    noReply: 'Bitte antworten Sie nicht auf diese Nachricht; Fragen beantwortet {dealer}.',
    footer:
      'Sie erhalten diese Nachricht, weil {dealer} diese Adresse angegeben ' +
      'hat. Wenn Sie {dealer} nicht kennen, tun Sie nichts.',
  },
  en: {
    subject: 'fiskalwerk: invitation and connection request with {company} [{reference}]',
    hello: 'Hello {contact},',
    newIntro: '{dealer} invites you to register {company} at fiskalwerk.',
    connectIntro: '{dealer} asks to be connected with the account of {company}.',
    connectedIntro:
      '{dealer} has made an account for {company} at fiskalwerk and is ' +
      'connected with it. There is nothing that you have to do.',
    free: 'Registration costs nothing. The account is assigned to {dealer} as ' + 'PosOperator.',
    day: 'The link is good for 24 hours and can be used once.',
    agreement:
      'The agreement was signed by {dealer} in your name. You can read it ' + 'under the link.',
    newLink: 'Register and connect',
    connectLink: 'Connect',
    connectedLink: 'Read the agreement',
    Full: '{dealer} gets full access and may conclude contracts in your name.',
    ReadWrite: '{dealer} may read and change your data.',
    Read: '{dealer} may read your data.',
    noReply: 'Please do not reply to this message; {dealer} answers questions.',
    footer:
      'You get this message because {dealer} has given this address. If you ' +
      'do not know {dealer}, do nothing.',
  },
  fr: {
    subject: 'fiskalwerk : invitation et demande de connexion avec {company} ' + '[{reference}]',
    hello: 'Bonjour {contact},',
    newIntro: '{dealer} vous invite à inscrire {company} chez fiskalwerk.',
    connectIntro: '{dealer} souhaite être connecté au compte de {company}.',
    connectedIntro:
      '{dealer} a créé un compte pour {company} chez fiskalwerk et y est ' +
      'connecté. Vous n’avez rien à faire.',
    free: 'L’inscription est gratuite. Le compte est attribué à {dealer} comme ' + 'PosOperator.',
    day: 'Le lien est valable 24 heures et une seule fois.',
    agreement:
      'L’accord a été signé par {dealer} en votre nom. Vous pouvez le lire ' + 'sous ce lien.',
    newLink: 'S’inscrire et se connecter',
    connectLink: 'Se connecter',
    connectedLink: 'Lire l’accord',
    Full: '{dealer} obtient un accès complet et peut conclure des contrats en ' + 'votre nom.',
    ReadWrite: '{dealer} peut lire et modifier vos données.',
    Read: '{dealer} peut lire vos données.',
    noReply: 'Merci de ne pas répondre à ce message ; {dealer} répond à vos questions.',
    footer:
      'Vous recevez ce message car {dealer} a indiqué cette adresse. Si vous ' +
      'ne connaissez pas {dealer}, ne faites rien.',
  },
  it: {
    subject: 'fiskalwerk: invito e richiesta di connessione con {company} [{reference}]',
    hello: 'Buongiorno {contact},',
    newIntro: '{dealer} La invita a registrare {company} presso fiskalwerk.',
    connectIntro: '{dealer} chiede di essere connesso all’account di {company}.',
    connectedIntro:
      '{dealer} ha creato un account per {company} presso fiskalwerk ed è ' +
      'connesso. Non deve fare nulla.',
    free: 'La registrazione è gratuita. L’account è assegnato a {dealer} come ' + 'PosOperator.',
    day: 'Il link vale 24 ore e può essere usato una volta.',
    agreement: 'L’accordo è stato firmato da {dealer} a Suo nome. Può leggerlo al link.',
    newLink: 'Registrarsi e connettersi',
    connectLink: 'Connettersi',
    connectedLink: 'Leggere l’accordo',
    Full: '{dealer} ottiene pieno accesso e può concludere contratti a Suo nome.',
    ReadWrite: '{dealer} può leggere e modificare i Suoi dati.',
    Read: '{dealer} può leggere i Suoi dati.',
    noReply: 'La preghiamo di non rispondere; alle domande risponde {dealer}.',
    footer:
      'Riceve questo messaggio perché {dealer} ha indicato questo indirizzo. ' +
      'Se non conosce {dealer}, non faccia nulla.',
  },
  es: {
    subject: 'fiskalwerk: invitación y solicitud de conexión con {company} [{reference}]',
    hello: 'Buenos días, {contact}:',
    newIntro: '{dealer} le invita a registrar {company} en fiskalwerk.',
    connectIntro: '{dealer} pide conectarse con la cuenta de {company}.',
    connectedIntro:
      '{dealer} ha creado una cuenta para {company} en fiskalwerk y está ' +
      'conectado con ella. No tiene que hacer nada.',
    free: 'El registro es gratuito. La cuenta se asigna a {dealer} como PosOperator.',
    day: 'El enlace vale 24 horas y se puede usar una vez.',
    agreement: 'El acuerdo lo ha firmado {dealer} en su nombre. Puede leerlo en el enlace.',
    newLink: 'Registrarse y conectar',
    connectLink: 'Conectar',
    connectedLink: 'Leer el acuerdo',
    Full: '{dealer} obtiene acceso completo y puede celebrar contratos en su nombre.',
    ReadWrite: '{dealer} puede leer y cambiar sus datos.',
    Read: '{dealer} puede leer sus datos.',
    noReply: 'Por favor, no responda a este mensaje; {dealer} responde a sus preguntas.',
    footer:
      'Recibe este mensaje porque {dealer} ha indicado esta dirección. Si no ' +
      'conoce a {dealer}, no haga nada.',
  },
  pt: {
    subject: 'fiskalwerk: convite e pedido de ligação com {company} [{reference}]',
    hello: 'Bom dia {contact},',
    newIntro: '{dealer} convida-o a registar {company} no fiskalwerk.',
    connectIntro: '{dealer} pede para ser ligado à conta de {company}.',
    connectedIntro:
      '{dealer} criou uma conta para {company} no fiskalwerk e está ligado a ' +
      'ela. Não tem de fazer nada.',
    free: 'O registo é gratuito. A conta é atribuída a {dealer} como PosOperator.',
    day: 'A ligação é válida durante 24 horas e só uma vez.',
    agreement: 'O acordo foi assinado por {dealer} em seu nome. Pode lê-lo na ligação.',
    newLink: 'Registar e ligar',
    connectLink: 'Ligar',
    connectedLink: 'Ler o acordo',
    Full: '{dealer} obtém acesso total e pode celebrar contratos em seu nome.',
    ReadWrite: '{dealer} pode ler e alterar os seus dados.',
    Read: '{dealer} pode ler os seus dados.',
    noReply: 'Por favor, não responda a esta mensagem; {dealer} responde às perguntas.',
    footer:
      'Recebe esta mensagem porque {dealer} indicou este endereço. Se não ' +
      'conhece {dealer}, não faça nada.',
  },
  el: {
    subject: 'fiskalwerk: πρόσκληση και αίτημα σύνδεσης με {company} [{reference}]',
    hello: 'Καλημέρα σας {contact},',
    newIntro: '{dealer} σας προσκαλεί να εγγράψετε την {company} στο fiskalwerk.',
    connectIntro: '{dealer} ζητά σύνδεση με τον λογαριασμό της {company}.',
    connectedIntro:
      '{dealer} δημιούργησε λογαριασμό για την {company} στο fiskalwerk και ' +
      'συνδέθηκε. Δεν χρειάζεται να κάνετε τίποτα.',
    free:
      'Η εγγραφή είναι δωρεάν. Ο λογαριασμός αντιστοιχίζεται στον {dealer} ' + 'ως PosOperator.',
    day: 'Ο σύνδεσμος ισχύει 24 ώρες και χρησιμοποιείται μία φορά.',
    agreement:
      'Η συμφωνία υπογράφηκε από τον {dealer} στο όνομά σας. Μπορείτε να τη ' +
      'διαβάσετε στον σύνδεσμο.',
    newLink: 'Εγγραφή και σύνδεση',
    connectLink: 'Σύνδεση',
    connectedLink: 'Ανάγνωση της συμφωνίας',
    Full: '{dealer} αποκτά πλήρη πρόσβαση και μπορεί να συνάπτει συμβάσεις στο ' + 'όνομά σας.',
    ReadWrite: '{dealer} μπορεί να διαβάζει και να αλλάζει τα δεδομένα σας.',
    Read: '{dealer} μπορεί να διαβάζει τα δεδομένα σας.',
    noReply: 'Παρακαλούμε μην απαντήσετε σε αυτό το μήνυμα· στις ερωτήσεις απαντά ' + '{dealer}.',
    footer:
      'Λαμβάνετε αυτό το μήνυμα επειδή {dealer} έδωσε αυτή τη διεύθυνση. Αν ' +
      'δεν γνωρίζετε τον {dealer}, μην κάνετε τίποτα.',
  },
}
