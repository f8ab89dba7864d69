// Every text that France puts on a receipt or into its action journal; texts.json has them.
import { plainRulesOf, textsOf } from '../kit/rules.js'
import texts from './texts.json' with { type: 'json' }

export const { captions, trainingFooter } = texts

/** Data of signature items; `fromTo` has the blank at its end that other programs expect. */
export const dataText = textsOf(texts.data)
/** Entries of the action journal. */
export const actionText = textsOf(texts.actions)
/** Rules of the law that say no: words, and the wire name of the member at fault. */
export const { broken, refuse } = plainRulesOf(texts.refusals)
export type Rule = keyof typeof texts.refusals
