// dealer create, connect, reset-token, import, list.
import {
  connectAccounts,
  createAccount,
  listDealers,
  resetToken,
} from '../core/accounts/accounts.js'
import { markets } from '../market/index.js'
import { ROLES, type Role, roleOf } from '../model/roles.js'
import { RIGHTS } from '../store/account/connections.js'
import {
  type Command,
  type Context,
  emailOf,
  type Input,
  needed,
  oneOf,
  optional,
  UsageError,
} from './command.js'
import { dealerImportCommands } from './dealer-import.js'

/** Kept beside the others: a dealer may turn it off. */
const AUTO_INVITATION: Role = 'PosDealerAutoInvitation'
const COUNTRY = /^[A-Z]{2}$/

const withClock = ({ store }: Context) => ({ store, now: () => new Date() })

export const dealerCommands: Record<string, Command> = {
  'dealer create': {
    usage:
      'dealer create --name N --market AT --email E [--country AT] [--auto-invite yes|no] ' +
      '[--roles R,…] [--json]',
    summary: 'Makes a dealer account and prints its access data.',
    examples: [
      'npx fiskalwerk dealer create --name "Kassen Huber" --market AT --email office@huber.example',
    ],
    options: {
      name: { type: 'string' },
      market: { type: 'string' },
      email: { type: 'string' },
      country: { type: 'string' },
      'auto-invite': { type: 'string' },
      roles: { type: 'string' },
    },
    positionals: [],
    run: async (input) => {
      const given = wishesOf(input)
      const context = await input.open()
      const sandbox = !context.config.production
      const roles = rolesOf(given.roles, sandbox)
      const access = await createAccount(withClock(context), {
        ...given,
        kind: roles.includes('PosCreator') ? 'PosCreator' : 'PosDealer',
        roles,
        autoInvite: given.autoInvite ?? (sandbox || given.roles.includes(AUTO_INVITATION)),
      })
      return {
        json: access,
        text: `account       ${access.accountId}\naccess token  ${access.accessToken}`,
      }
    },
  },
  'dealer connect': {
    usage: 'dealer connect --account ID --to ID [--rights Full] [--json]',
    summary: 'Connects two accounts: the first may work for the second.',
    options: { account: { type: 'string' }, to: { type: 'string' }, rights: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const link = {
        accountId: needed(input, 'account'),
        toAccountId: needed(input, 'to'),
        rights: oneOf(optional(input, 'rights') ?? 'Full', RIGHTS, 'rights'),
      }
      if (link.accountId.toLowerCase() === link.toAccountId.toLowerCase()) {
        throw new UsageError('--account and --to name the same account')
      }
      const json = await connectAccounts(withClock(await input.open()), link)
      return { json, text: `connection  ${json.connectionId}` }
    },
  },
  'dealer reset-token': {
    usage: 'dealer reset-token --account ID [--json]',
    summary: 'Gives an account a new access token; the old one stops at once.',
    options: { account: { type: 'string' } },
    positionals: [],
    run: async (input) => {
      const accountId = needed(input, 'account')
      const json = await resetToken(withClock(await input.open()), accountId)
      return { json, text: `access token  ${json.accessToken}` }
    },
  },
  ...dealerImportCommands,
  'dealer list': {
    usage: 'dealer list [--json]',
    summary: 'Lists the dealer accounts.',
    options: {},
    positionals: [],
    run: async (input) => {
      const json = await listDealers(withClock(await input.open()))
      const text = json.map((one) => `${one.accountId}  ${one.market}  ${one.name}  ${one.email}`)
      return { json, text: text.length === 0 ? 'There is no dealer yet.' : text.join('\n') }
    },
  },
}

/** What the words say of a new account, before anything is opened. */
function wishesOf(input: Input) {
  const name = needed(input, 'name')
  const market = oneOf(needed(input, 'market'), Object.keys(markets), 'market')
  const email = emailOf(input)
  const country = optional(input, 'country')?.toUpperCase() ?? market
  if (!COUNTRY.test(country)) throw new UsageError('--country must be two letters, like AT')
  const autoInvite = optional(input, 'auto-invite')
  return {
    name,
    market,
    email,
    country,
    roles: askedRoles(optional(input, 'roles') ?? ''),
    autoInvite:
      autoInvite === undefined
        ? undefined
        : oneOf(autoInvite, ['yes', 'no'], 'auto-invite') === 'yes',
  }
}

function askedRoles(text: string): Role[] {
  return text
    .split(',')
    .filter((word) => word.trim() !== '')
    .map((word) => roleOf(word) ?? (oneOf(word.trim(), ROLES, 'roles') as Role))
}

/** The role for instances that only sign comes by itself in the sandbox. */
function rolesOf(asked: readonly Role[], sandbox: boolean): Role[] {
  const roles = new Set<Role>(asked.filter((role) => role !== AUTO_INVITATION))
  if (!roles.has('PosCreator')) roles.add('PosDealer')
  if (sandbox) roles.add('PosDealerRksvSign')
  return ROLES.filter((role) => roles.has(role))
}
