// The table of payment providers: the values of Protocol, and who carries them out. A provider with
// a driver of its own is one more file of this folder and its row here.

import type { PaymentProvider, Terminal } from '../../device/payment/order.js'
import { fail } from '../../errors.js'
import { createHttpProvider, type HttpProtocol, type Patience } from './http-provider.js'

/** The dummy, in the sandbox only. */
export const TEST_PROVIDER = 'test'
export const USE_AUTO = 'use_auto'
/** Older spelling of use_auto. */
const USE_FIRST = 'use_first'

export interface ProviderRow {
  /** For people. */
  title: string
  open(address: string, patience?: Patience): PaymentProvider
}

/** Messages of docs/payments.md below a path of the provider's own. */
function http(
  title: string,
  { refund = true, cancel = true, stop = true, path = '' },
): ProviderRow {
  const protocol: HttpProtocol = {
    paths: {
      payment: `${path}/pay`,
      ...(refund ? { refund: `${path}/refund` } : {}),
      ...(cancel ? { cancel: `${path}/cancel` } : {}),
    },
    status: `${path}/operations/{id}`,
    ...(stop ? { abort: `${path}/operations/{id}/abort` } : {}),
  }
  return { title, open: (address, patience) => createHttpProvider(protocol, address, patience) }
}

export const providers: Record<string, ProviderRow> = {
  gp_softpos_gptom: http('GP tom, phone-based', { path: '/gp/softpos/gptom' }),
  gp_mpas: http('GP mPAS, hardware terminal', { path: '/gp/mpas' }),
  payone_softpos_wpi: http('PAYONE tap on mobile', { path: '/payone/softpos/wpi' }),
  // discontinued before refunds, cancellations and stops came
  hobex_softpos_posit: http('hobex posit (discontinued)', {
    path: '/hobex/softpos/posit',
    refund: false,
    cancel: false,
    stop: false,
  }),
  viva_eft_pos_instore: http('Viva terminal', { path: '/viva/eft-pos' }),
  hobexecr: http('hobex ECR, hardware terminal', { path: '/hobex/ecr' }),
  softpayio: http('Softpay.io app', { path: '/softpay' }),
  shift4: http('Shift4, hardware terminal', { path: '/shift4' }),
}

/** What a terminal may be set up for. */
export const providerNames: readonly string[] = [TEST_PROVIDER, ...Object.keys(providers)]

/** Every value of Protocol that is accepted. */
export const protocolNames: readonly string[] = [USE_AUTO, USE_FIRST, ...providerNames]

/** `use_auto` or the name of a provider; undefined for anything else. */
export function protocolOf(text: string): string | undefined {
  const name = protocolNames.find((one) => one === text.toLowerCase())
  return name === USE_FIRST ? USE_AUTO : name
}

/** The provider of a stored terminal that is not the test provider. */
export function openProvider(terminal: Terminal, patience?: Patience): PaymentProvider {
  const row = providers[terminal.provider]
  if (row === undefined || terminal.url === null) {
    throw fail('INTERNAL', { reason: `no provider for terminal ${terminal.id}` })
  }
  return row.open(terminal.url, patience)
}
