// What a French queue stores for each signed receipt: one row of the market journal per document.
/**
 * Chains: ticket, payment prove, invoice, grand total, bill, archive, log, copy, training. Each has
 * numbers of its own from 1, without gaps.
 *
 * `kind`: the letter. `number`: in its chain; `rid` of the payload is `ft<hex>#<letter><number>`,
 * where the hexadecimal number plus one is the receipt number of the queue (ftJournalFR.Number).
 * `content`: the compact JWS `header.payload.signature`, ES256; the third part is R and S, 64
 * bytes. `certificate`: the one of `csn`.
 *
 * Members of the payload, in this order; nulls are left out, amounts have at least one place:
 * - ticket (T P I B L X): qid cbid siret rid dt qiid, `total` and those of the buckets that have
 *   items, csn rc hash; a copy in training has this form too, without crr
 * - grand total (G): qid … qiid, blocks d- m- y- s-, p- (closings 04 to 07 only), csn rc hash
 * - archive (A): block a-, lajid ljid lrjid paqiid fcrqiid fcrm lcrqiid lcrm, qid … qiid, blocks
 *   d- m- y-, p-, csn rc hash
 * - copy (C): qid … qiid, crr, csn rc hash
 *
 * A block is total ci-n ci-r1 ci-r2 ci-rs ci-z ci-u pi-c pi-n pi-i pi-u; p- has no payments. `hash`
 * is the Base64 of SHA-256(header.payload) of the row before with the same letter.
 */
export const LETTERS = ['T', 'P', 'I', 'G', 'B', 'A', 'L', 'C', 'X'] as const
export type Letter = (typeof LETTERS)[number]
