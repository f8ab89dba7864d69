// user add, user reset, user list: people of the portal.
import { addPerson, peopleOf, resetPerson } from '../core/accounts/people/desk.js'
import { notedAddress } from '../postgres/address-note.js'
import { EMPLOYEE_ROLES } from '../store/account/people.js'
import { type Command, type Context, emailOf, needed, oneOf, optional } from './command.js'

const withClock = ({ store }: Context) => ({ store, now: () => new Date() })

/** Where the portal is reached: as the server has noted, or as it would listen. */
export function addressOf({ config }: Context): string {
  const { PUBLIC_URL, DATA_DIR, HOST, PORT } = config
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return (PUBLIC_URL ?? notedAddress(DATA_DIR) ?? `http://${host}:${PORT}`).replace(/\/+$/, '')
}

const linkLine = (link: string | null): string =>
  link === null
    ? 'The person has a password already.'
    : `choose a password here, once, within 24 hours\n${link}`

export const userCommands: Record<string, Command> = {
  'user add': {
    usage:
      'user add --account ID --email E --name N ' +
      '[--role Administrator|Member|Reader|None] [--json]',
    summary: 'Lets somebody log in to the portal for an account; prints a link for the password.',
    examples: [
      'npx fiskalwerk user add --account ACCOUNT_ID --email anna@huber.example --name Anna',
    ],
    options: {
      account: { type: 'string' },
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const person = {
        accountId: needed(input, 'account'),
        email: emailOf(input),
        name: needed(input, 'name'),
        role: oneOf(optional(input, 'role') ?? 'Administrator', EMPLOYEE_ROLES, 'role'),
      }
      const context = await input.open()
      const json = await addPerson(withClock(context), { ...person, base: addressOf(context) })
      return { json, text: linkLine(json.link) }
    },
  },
  'user reset': {
    usage: 'user reset --email E [--json]',
    summary: 'Ends password, second factor and sessions of a person; prints a link for a new one.',
    options: { email: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const email = emailOf(input)
      const context = await input.open()
      const json = await resetPerson(withClock(context), { email, base: addressOf(context) })
      return { json, text: linkLine(json.link) }
    },
  },
  'user list': {
    usage: 'user list --account ID [--json]',
    summary: 'Lists who may log in to the portal for an account.',
    options: { account: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const accountId = needed(input, 'account')
      const json = await peopleOf(withClock(await input.open()), accountId)
      const lines = json.map(
        (one) =>
          `${one.role.padEnd(13)}  ${one.email}  ${one.name}${one.active ? '' : '  (invited)'}`,
      )
      return { json, text: lines.length === 0 ? 'There is nobody yet.' : lines.join('\n') }
    },
  },
}
