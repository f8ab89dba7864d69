// French texts of what pages do: a file of its own, loaded beside the texts of the frame.
import { change } from '../change/fr.js'
import { more } from '../more/fr.js'
import { wire } from '../wire/fr.js'
import { work } from '../work/fr.js'
import type { pages as en } from './en.js'

export const pages: typeof en = { ...work, ...change, ...more, ...wire }
