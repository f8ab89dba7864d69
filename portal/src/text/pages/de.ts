// German texts of what pages do: a file of its own, loaded beside the texts of the frame.
import { change } from '../change/de.js'
import { more } from '../more/de.js'
import { wire } from '../wire/de.js'
import { work } from '../work/de.js'
import type { pages as en } from './en.js'

export const pages: typeof en = { ...work, ...change, ...more, ...wire }
