// What registers and apps do with an issued receipt, and what they are told of it: the same in the
// documents of groups D and E.
import { z } from 'zod'
import { anything, flag, moment, textOf, uuid, whole } from './parts.js'

const actions = ['accept', 'view', 'link', 'download', 'print', 'send', 'upload'] as const

const target = z
  .object({
    Host: textOf('link: begin of the address, such as https://r.example.').optional(),
    Path: textOf(
      'link: path of letters, digits and ._~- within slashes, at most 200 long.',
    ).optional(),
    Alias: textOf('link: both in one.').optional(),
    Scheme: z.enum(['email', 'sms', 'whatsapp']).optional().describe('send: the way.'),
    Address: textOf('send: an e-mail address or a telephone number.').optional(),
    Attach: z.enum(['none', 'pdf', 'png']).optional().describe('send: the receipt as file.'),
    Send: flag('send: false only notes that it was sent.').optional(),
  })
  .meta({ id: 'shared.Target', description: 'link: where to. send: to whom.' })

export const receiptAction = z
  .object({
    Action: z.enum(actions).describe('What is to be done; words in any case.'),
    Format: textOf('download, print, upload: a media type.').optional(),
    Target: target.optional(),
    Handout: flag('link: the customer has it by that.').optional(),
    Width: z.int().min(1).max(9999).optional().describe('print: millimetres of paper.'),
    EscPosBrand: z.enum(['none', 'epson', 'star']).optional().describe('print: the printer.'),
    Filename: textOf('upload: the name of the file.').optional(),
    Filecontent: textOf(
      'upload: its bytes in Base64, at most 10 MiB of them; PDF 5 MiB.',
    ).optional(),
  })
  .meta({ id: 'shared.ReceiptAction' })

/** One for each word; a message to an address of nobody is only noted. */
export const actionExamples = {
  accept: { Action: 'accept' },
  view: { Action: 'view' },
  link: { Action: 'link', Target: { Host: 'https://r.example', Path: '/docs/1' } },
  download: { Action: 'download', Format: 'application/pdf' },
  print: { Action: 'print', Format: 'text/vnd.esc-pos', Width: 80 },
  send: {
    Action: 'send',
    Target: { Scheme: 'email', Address: 'guest@example.com', Send: false },
  },
  upload: {
    Action: 'upload',
    Filename: 'warranty.pdf',
    Format: 'application/pdf',
    Filecontent: 'JVBERi0xLjQKJSVFT0YK',
  },
}

export const documentList = z
  .object({
    Count: whole('How many.'),
    Items: z.array(
      z
        .object({
          Id: uuid('For the address of the file.'),
          Filename: textOf('As it was sent.'),
          Format: textOf('Media type.'),
          Size: whole('Bytes.'),
          Moment: moment('When it came (UTC).'),
        })
        .meta({ id: 'shared.ReceiptDocument' }),
    ),
  })
  .meta({ id: 'shared.DocumentList', description: 'Oldest first.' })

/** Request and answer of sign, as the register gave them. */
export const rawReceipt = z
  .object({
    ReceiptRequest: anything('As it was sent.'),
    ReceiptResponse: anything('As it was answered.'),
  })
  .meta({ id: 'shared.IssuedPair' })

export const PIXELS = z
  .int()
  .min(1)
  .max(32)
  .optional()
  .describe('Pixels per module; 8 unless told.')
