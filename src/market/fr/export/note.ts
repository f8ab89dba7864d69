// The explanatory note that lies in every archive, in French as the law wants it
// (BOI-TVA-DECLA-30-10-30 § 230).

/** `signed`: what the archive receipt says. */
export function noteText({ dt }: { dt: string }): string {
  return `ARCHIVE DES DONNÉES DE CAISSE
arrêtée le ${dt} (UTC)

Cette archive contient tous les reçus depuis l'archive précédente (ou depuis la mise en
service) jusqu'à l'arrêté, sous une forme ouverte (CSV, UTF-8, séparateur virgule, point
décimal, dates MM/JJ/AAAA en temps universel). Rien n'y est chiffré.

Fichiers
  <numéro>.cer            certificat (X.509, DER) avec lequel les documents sont signés ;
                          CN = SIRET de l'établissement, <numéro> = numéro de série
  archive.jws             document d'archivage signé : totaux de la période, grand total
                          perpétuel, premier et dernier reçu contenus
  documents.csv           les documents signés : lettre de la chaîne, numéro, reçu, jeton JWS
                          (T tickets, P justificatifs, I factures, G clôtures, B documents
                          provisoires, A archives, L journal, C duplicata, X mode école)
  receiptJournals.<h>.csv le registre chaîné de tous les reçus
  queueItems.<h>.csv      les demandes de la caisse et les réponses, ligne à ligne

<h> est l'empreinte SHA-256 du fichier (Base64url) : un fichier modifié ne porte plus son nom.

Vérifier
  1. Calculer l'empreinte SHA-256 des deux fichiers <h> et la comparer avec leur nom.
  2. Vérifier la signature de archive.jws et de chaque jeton (ES256) avec le certificat.
  3. Recalculer les empreintes des demandes et des réponses (requestHash, responseHash).
  4. Par lettre : numéros sans lacune ; le membre « hash » d'un document est l'empreinte
     SHA-256 (Base64) des deux premières parties du jeton précédent de la même lettre.
  5. La somme des documents T et I donne les totaux des clôtures et le grand total perpétuel.
La commande « fiskalwerk verify <archive> » fait ces contrôles.
`
}
