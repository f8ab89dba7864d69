// The findings of these verifiers in German.
import { translator } from '../../lib/phrases.js'
import { fragments } from './german-fragments.js'
import { sentences } from './german-sentences.js'

const translate = translator([...sentences, ...fragments])

export function german(text: string): string {
  return translate(text) ?? text
}
