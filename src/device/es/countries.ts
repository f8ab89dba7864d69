// Letters of countries as the schemas of the agency and of the provinces list them (CountryType2):
// codes of their own are those of the Union, of Northern Ireland and of others.
import { listedCountries } from '../../model/countries.js'

export const COUNTRY = listedCountries('AX BL EH GF GP MF MQ RE SJ', 'QU XB XG XN XU')
