// English texts of what pages do: a file of its own, loaded beside the texts of the frame.
import { change } from '../change/en.js'
import { more } from '../more/en.js'
import { wire } from '../wire/en.js'
import { work } from '../work/en.js'

export const pages = { ...work, ...change, ...more, ...wire }
