// What group D needs, put together from what works behind it.
import type { PosSystemDeps, PosSystemParts } from '../api/possystem/deps.js'
import { dryRun } from '../api/possystem/dry-run.js'
import { storeEvents } from '../api/possystem/events.js'
import { linkLocation, prepareIssue, prepareIssueUpdate } from '../api/possystem/issue.js'
import {
  codeOfIssued,
  deliveredOfIssued,
  deliveriesOfIssued,
  readIssued,
} from '../api/possystem/issued.js'
import {
  documentOfIssued,
  documentsOfIssued,
  linkOfIssued,
} from '../api/possystem/issued-extras.js'
import { legacyCalls } from '../api/possystem/legacy.js'
import { preparePay } from '../api/possystem/pay.js'
import { createPinLimit } from '../api/possystem/pin-limit.js'
import { performSign } from '../api/possystem/sign.js'
import type { CallerDeps } from '../api/shared/caller.js'
import type { Config } from '../config.js'
import { createPairing } from '../core/accounts/pairing/pairing.js'
import { createPosSigning } from '../core/sign/pos-sign.js'
import { actionsOf, addressOf } from './receipt.js'
import type { Workers } from './workers.js'

const ALARMS = {
  wrong: 'a pairing PIN was wrong',
  limited: 'pairing PINs are being guessed; further tries of this minute are refused',
}

export function possystemOf(
  config: Config,
  parts: Workers & { caller: CallerDeps; refresh: PosSystemDeps['forget'] },
): PosSystemDeps {
  const { operations, caller, refresh, beside } = parts
  return {
    ...caller,
    operations,
    journal: beside.journal,
    forget: refresh,
    pairing: createPairing(parts.common.store, { wrongPerMinute: config.RATE_LIMITS.pin }),
    pins: createPinLimit(config.RATE_LIMITS.pin, (address, what) => {
      parts.log.warn({ address }, ALARMS[what])
    }),
    parts: { ...partsOf(config, parts), ...receiptPartsOf(config, parts) },
    settings: {
      posSystemIdRequired: config.POSSYSTEM_ID_REQUIRED,
      waitMaxMs: config.OPERATION_WAIT_MAX_SECONDS * 1000,
      echoStatus: config.ECHO_STATUS === '201' ? 201 : 200,
      cors: config.fixed.possystemCors,
      prefix: config.MOUNT_POSSYSTEM.prefix,
    },
  }
}

type Parts = Parameters<typeof possystemOf>[1]

function partsOf(config: Config, parts: Parts): PosSystemParts {
  const { common, signing, operations, payments } = parts
  const { credentials } = parts.caller
  const strict = config.SIGN_VALIDATION === 'strict'
  return {
    pay: preparePay({ payments }),
    sign: performSign(
      createPosSigning({ signing, operations, credentials, marketOf: common.marketOf, strict }),
    ),
    dryRun: (call) => dryRun({ ...common, credentials, strict }, call),
  }
}

/** Issuing receipts, and everything about those that are issued. */
function receiptPartsOf(config: Config, parts: Parts): PosSystemParts {
  const { common, retrievals, log, feed, caller, operations, rendering } = parts
  const { store, now } = common
  const issuing = { store, now, acceptExternal: config.ISSUE_ACCEPT_EXTERNAL, retrievals, log }
  const address = addressOf(config)
  const issued = { store, address, rendering }
  return {
    issue: prepareIssue({ issuing, address }),
    updateIssued: prepareIssueUpdate({ updating: { ...actionsOf(parts), retrievals }, address }),
    linkHeaders: (request) => linkLocation(address, request),
    readIssued: readIssued(issued),
    qrCode: codeOfIssued(issued),
    delivered: deliveredOfIssued(issued),
    deliveries: deliveriesOfIssued(issued),
    link: linkOfIssued(issued),
    documents: documentsOfIssued(issued),
    document: documentOfIssued(issued),
    events: storeEvents({ feed, address, credentials: caller.credentials }),
    endEvents: () => feed.close(),
    legacy: legacyCalls({ ...caller, issuing, operations, address }),
  }
}
