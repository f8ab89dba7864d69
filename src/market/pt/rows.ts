// What a Portuguese queue stores beside its receipts; from these rows alone the books are exported.
// A document (BookDocument): `kind` of its row is the letter of its series (cases.ts), `number` its
// number in it.

/** Kind of a row that says what became of a document (DocumentStatus). */
export const STATUS_ROWS = 'A'
