// Parts of a document of myDATA with their members in the order of the schema (mydata.json).
import type { XmlValue } from '../../lib/xml-write.js'
import { formsOf } from '../kit/form.js'
import forms from './mydata.json' with { type: 'json' }

export const write = formsOf<keyof typeof forms, XmlValue>(forms)
