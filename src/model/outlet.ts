// A place of business as the Dealer API and the portal speak of it.

/** The primary one, which has the address of the company. */
export const PRIMARY_OUTLET = 1
/** Nobody sees or changes it. */
export const RESERVED_OUTLET = 2
export const FIRST_FREE_OUTLET = 3
export const LAST_OUTLET = 2 ** 31 - 1

export interface OutletData {
  /** The merchant's own id of the place; in France the SIRET. */
  locationId: string | null
  name: string
  address: string
  contactName: string | null
  telephone: string | null
  fax: string | null
  postalCode: string
  city: string
  county: string | null
  stateOrProvince: string | null
  /** Two letters. */
  country: string
}

export interface Outlet extends OutletData {
  id: string
  outletNumber: number
}
