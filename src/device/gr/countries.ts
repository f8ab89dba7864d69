// Letters of countries as the schema of myDATA lists them (CountryType, 2.0.1).
import { listedCountries } from '../../model/countries.js'

export const COUNTRY = listedCountries('BQ CW SS SX', 'AN OC')
