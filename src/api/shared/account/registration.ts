// What is registered of a queue, as answers show it.
import { z } from 'zod'
import { dateTime, id } from './schemas.js'

const text = () => z.string().nullable()

const address = { street: text(), postalCode: text(), city: text(), country: text() }

export const notifiedMerchant = z.object({
  ...{ name: text(), ...address, taxId: text(), taxNumber: text() },
  ...{ identificationNumber: text(), vatId: text() },
})

export const notifiedOutlet = z.object({
  ...{ outletNumber: z.int(), name: text(), ...address, locationId: text() },
})

const notification = z.object({
  merchant: notifiedMerchant,
  outlet: notifiedOutlet,
  system: z.object({
    ...{ kind: text(), serialNumber: z.string(), manufacturer: text(), model: text() },
    ...{ software: text(), softwareVersion: text() },
  }),
})

export const registrationShape = z.object({
  queueId: id(),
  cashBoxId: id().nullable(),
  market: z.string(),
  cashBoxIdentification: z.string(),
  encryptionKeyBase64: text(),
  encryptionKeyCheckValue: text(),
  closedSystemKind: text(),
  closedSystemValue: text(),
  units: z.array(
    z.object({
      ...{ scuId: id(), mode: z.int(), zda: text() },
      ...{ serialDecimal: text(), serialHexadecimal: text(), certificationId: text() },
      linked: z.boolean().nullable(),
    }),
  ),
  startReceipt: z.object({ queueItemId: id(), moment: dateTime(), code: text() }).nullable(),
  purchaseDate: dateTime().nullable(),
  commissioningDate: dateTime().nullable(),
  decommissioningDate: dateTime().nullable(),
  notification: notification.nullable(),
  missing: z.array(z.object({ member: z.string(), message: z.string() })),
})
