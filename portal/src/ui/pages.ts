// The pages that the frame, the palette and the keys lead to.
export const PAGES = [
  { to: '/', name: 'problems', key: 'p' },
  { to: '/operators', name: 'merchants', key: 'o' },
  { to: '/queues', name: 'queues', key: 'k' },
  { to: '/invitations', name: 'invitations', key: 'i' },
  { to: '/outages', name: 'outages', key: 'u' },
  { to: '/reports', name: 'reports', key: 'r' },
  { to: '/exports', name: 'exports', key: 'e' },
  { to: '/scus', name: 'scus', key: 't' },
  { to: '/cashboxes', name: 'cashBoxes', key: 'c' },
  { to: '/rollout', name: 'rollout', key: 'd' },
  { to: '/lab', name: 'lab', key: 'l' },
  { to: '/jobs', name: 'jobs', key: 'j' },
  { to: '/events', name: 'events', key: 'v' },
  { to: '/api-log', name: 'apiLog', key: 'q' },
  { to: '/history', name: 'history', key: 'a' },
  { to: '/company', name: 'company', key: 'm' },
  { to: '/operations', name: 'operations', key: 'w' },
  { to: '/me', name: 'me', key: 's' },
] as const

/** What a merchant has no use for, and how its own page is called. */
export const pagesFor = (roles: readonly string[]) =>
  roles.includes('PosDealer') ? PAGES : PAGES.filter(({ name }) => name !== 'invitations')

/** Of the top bar; the others are in its menu. */
export const MAIN_PAGES = 4
