// What group C needs from the outside. Put together by src/deps.ts.
import type { DeviceCalls } from '../../core/device-calls.js'
import type { ServedCalls } from '../../core/served-calls.js'
import type { KeptTars } from '../../device/tse/kept-tars.js'
import type { Store } from '../../store/client.js'
import type { CallerDeps } from '../shared/caller.js'
import type { AddressDeps } from '../shared/receipt-address.js'

export interface SigningDeviceDeps extends CallerDeps {
  devices: DeviceCalls
  /** Security devices, which keep a log. */
  modules: ServedCalls
  store: Store
  /** Where exports lie while they are fetched. */
  tars: KeptTars
  now(): Date
  /** For the address in the WSDL. */
  address: AddressDeps
}
