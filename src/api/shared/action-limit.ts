// How large the body of a PUT of an issued receipt may be: a file of 10 MiB in Base64, and what
// stands around it.
import { MOST_UPLOADED } from '../../core/receipts/upload.js'

const AROUND = 64 * 1024

export const ACTION_LIMIT = Math.ceil(MOST_UPLOADED / 3) * 4 + AROUND
